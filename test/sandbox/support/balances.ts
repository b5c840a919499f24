import { expect } from 'vitest';
import type { Partner } from './partner.js';

/** Amounts are counted in units of 10⁻⁴⁰⁰ here, as whole numbers: exact, and not the arithmetic of the package. */
const SCALE = 400;

export function units(text: string): bigint {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  const [, sign = '', whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length > SCALE) throw new Error(`no plain decimal: ${text}`);
  const size = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return sign === '-' ? -size : size;
}

/** What an account holds of an asset, in units. */
export interface Balance {
  readonly total: bigint;
  readonly available: bigint;
  readonly held: bigint;
}

const NOTHING: Balance = { total: 0n, available: 0n, held: 0n };

export type Balances = ReadonlyMap<string, Balance>;

/** By `type:symbol`, as the API shows them; each is checked to be made up of what is available and what is not. */
export async function balancesOf(partner: Partner, accountId: string): Promise<Balances> {
  const { status, body } = await partner.get(`/v1/accounts/${accountId}/portfolio/details`);
  expect(status).toBe(200);
  const balances = new Map<string, Balance>();
  for (const { type, symbol, total, available, open_orders } of body.data) {
    const balance = { total: units(total), available: units(available), held: units(open_orders) };
    expect(balance.available + balance.held).toBe(balance.total);
    expect(balance.available >= 0n && balance.held >= 0n).toBe(true);
    balances.set(`${type}:${symbol}`, balance);
  }
  return balances;
}

export const of = (balances: Balances, asset: string): Balance => balances.get(asset) ?? NOTHING;

/** Ids of all accounts of the sandbox. */
export const accountIds = ({ sandbox }: Partner): string[] =>
  (sandbox.snapshot()['accounts'] as { id: string }[]).map(({ id }) => id);

/** What all accounts and the other side of them hold together, by asset: it never changes. */
export async function everything(partner: Partner): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>();
  const add = (asset: string, amount: bigint) => sums.set(asset, (sums.get(asset) ?? 0n) + amount);
  for (const id of accountIds(partner)) {
    for (const [asset, { total }] of await balancesOf(partner, id)) add(asset, total);
  }
  for (const book of Object.values(partner.sandbox.accounts.books)) {
    for (const [asset, sum] of Object.entries(book)) add(asset, units(sum));
  }
  // An asset that nobody holds any of is as good as one that is not there.
  return new Map([...sums].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}
