import { type FormSpec, type FormValues, given } from './call-form.js';

export const ASSET_CLASSES = ['', 'fiat', 'crypto', 'stablecoin', 'xstock'];

const assetFields = (symbol = '', type = '') =>
  [
    { name: 'symbol', initial: symbol, hint: 'for example BTC' },
    { name: 'asset_type', label: 'class', initial: type, options: ASSET_CLASSES },
  ] as const;

const whole = ({ account: _, ...values }: FormValues): FormValues => given(values);

/** The account is a field of its own unless it is known. */
const accountFields = (account: string | undefined) => (account === undefined ? [{ name: 'account' }] : []);

/** Money arrives from outside, and is credited at once. */
export const depositForm = (account?: string, symbol?: string, type?: string): FormSpec => ({
  title: 'Deposit',
  hint: 'Money arrives from outside at once. It counts against the limits of its deposit method.',
  method: 'accounts/deposit',
  fields: [
    ...accountFields(account),
    ...assetFields(symbol, type),
    { name: 'amount', hint: 'decimal text' },
    { name: 'method_id', hint: 'default: the first with room' },
  ],
  args: (values) => [account ?? values['account'], whole(values)],
});

export const balanceForm = (account?: string, symbol?: string, type?: string): FormSpec => ({
  title: 'Set balance',
  hint: 'The difference comes from outside or goes there, so the books stay even.',
  method: 'accounts/setBalance',
  fields: [
    ...accountFields(account),
    ...assetFields(symbol, type),
    { name: 'which', options: ['available', 'total'], initial: 'available' },
    { name: 'amount', hint: 'decimal text' },
  ],
  args: ({ symbol = '', asset_type = '', which = '', amount = '', account: named }) => [
    account ?? named,
    given({ symbol, asset_type, [which]: amount }),
  ],
});
