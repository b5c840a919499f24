import type { FormSpec, Values } from './method-form.js';

/** Account and asset with which a form begins. */
export type Known = Readonly<Partial<Record<'account' | 'symbol' | 'asset_type', string>>>;

const beginOf = ({ account, symbol, asset_type }: Known, input: string): Values => ({
  ...{ accountId: account || undefined, [`${input}.symbol`]: symbol, [`${input}.asset_type`]: asset_type },
});

/** Money arrives from outside: at once, or at a deposit address. */
export const depositForm = (known: Known = {}): FormSpec => ({
  label: 'Deposit',
  hint: 'Money arrives from outside: of an asset at once, at an address as on its chain. It counts against the limits.',
  method: 'accounts/deposit',
  begin: beginOf(known, 'input'),
});

export const balanceForm = (known: Known = {}): FormSpec => ({
  label: 'Set balance',
  hint: 'The difference comes from outside or goes there, so the books stay even.',
  method: 'accounts/setBalance',
  begin: beginOf(known, 'balance'),
});
