import type { FormSpec, Values } from './method-form.js';

/** Account and asset with which a form begins. */
export type Known = Readonly<Partial<Record<'account' | 'symbol' | 'asset_type', string>>>;

const beginOf = ({ account, symbol, asset_type }: Known, input: string): Values => ({
  accountId: account || undefined,
  [`${input}.symbol`]: symbol,
  [`${input}.asset_type`]: asset_type,
});

/** Money arrives from outside: at once, or at a deposit address. */
export const depositForm = (known: Known = {}): FormSpec => ({
  label: 'Deposit',
  method: 'accounts/deposit',
  begin: beginOf(known, 'input'),
});

export const balanceForm = (known: Known = {}): FormSpec => ({
  label: 'Set balance',
  method: 'accounts/setBalance',
  begin: beginOf(known, 'balance'),
});
