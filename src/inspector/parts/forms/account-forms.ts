import { choicesOf, type FormSpec, fieldsOf } from './form-spec.js';
import type { OptionField } from './option-fields.js';

/** An asset by its ticker, and by its class where several have it. */
export const ASSET_FIELDS: readonly OptionField[] = [
  { name: 'symbol', label: 'symbol', hint: 'for example BTC' },
  { name: 'asset_type', label: 'class', choices: choicesOf('', 'fiat', 'crypto', 'stablecoin', 'xstock') },
];

/** Known facts of the account and the asset of a form. */
export type Known = Readonly<Partial<Record<'account' | 'symbol' | 'asset_type', string>>>;

/** Money arrives from outside, and is credited at once. */
export const depositForm = (begin: Known = {}): FormSpec => ({
  title: 'Deposit',
  hint: 'Money arrives from outside at once. It counts against the limits of its deposit method.',
  method: 'accounts/deposit',
  fields: [
    ...fieldsOf({ account: '' }),
    ...ASSET_FIELDS,
    ...fieldsOf({ amount: 'decimal text', method_id: 'default: the first with room' }),
  ],
  begin,
  argsOf: ({ account, ...input }) => [account, input],
});

export const balanceForm = (begin: Known = {}): FormSpec => ({
  title: 'Set balance',
  hint: 'The difference comes from outside or goes there, so the books stay even.',
  method: 'accounts/setBalance',
  fields: [
    ...fieldsOf({ account: '' }),
    ...ASSET_FIELDS,
    { name: 'which', label: 'which', choices: choicesOf('available', 'total') },
    ...fieldsOf({ amount: 'decimal text' }),
  ],
  begin,
  argsOf: ({ account, which, amount, ...asset }) => [account, { ...asset, [String(which)]: amount }],
});
