import * as z from 'zod/mini';
import { post } from '../../../core/door.js';
import { amount, assetNamed, checked, text } from '../../../core/input.js';
import type { Sum } from '../../../core/money/ledger.js';
import { Money } from '../../../core/money/money.js';
import type { AccountState, State, UserState } from '../../../core/records/state.js';
import { openUser, withReference } from '../../lifecycles/users.js';
import { noteEntry } from '../../shared/entries.js';

/** A user of one's own, beside those of the seed. */
export interface SandboxUserInput {
  /** The partner's reference. `users.createHeadless` with it gives the user's ids. */
  readonly external_reference: string;
  /**
   * First balances of the user's account, by ticker, for example `{ BTC: '2' }`: decimal text. A
   * ticker of several classes stands for the first of them; `xstock:SPX` names one.
   */
  readonly balances?: Readonly<Record<string, string>> | undefined;
}

export const balancesByTicker = z.optional(z.record(z.string(), amount));
const userInput = z.strictObject({ external_reference: text, balances: balancesByTicker });
const ownUsers = z.object({ users: z.array(userInput) });

/**
 * Adds users in the state `ok`, each with one account. A user whose reference exists already, as in
 * a snapshot, stays as it is.
 *
 * @throws TypeError that names the first wrong place.
 */
export function addOwnUsers(state: State, given: readonly SandboxUserInput[]): void {
  const METHOD = 'createSandbox';
  const { users } = checked(METHOD, ownUsers, { users: given });
  const references = new Set<string>();
  for (const [index, { external_reference: reference, balances }] of users.entries()) {
    const place = `users.${index}`;
    if (references.has(reference)) {
      throw new TypeError(`${METHOD}: ${place}.external_reference: is that of an earlier user in the list`);
    }
    references.add(reference);
    const sums = sumsOf(state, `${METHOD}: ${place}.balances`, balances);
    if (withReference(state, reference) !== undefined) continue;
    const [account] = accountsOf(state, openUser(state, reference));
    for (const sum of sums) if (!sum.amount.isZero()) account?.holdings.receive(sum);
  }
}

/** Adds a user while the sandbox runs: the money comes from outside. */
export function addUser(state: State, method: string, given: SandboxUserInput): UserState {
  const { external_reference: reference, balances } = checked(method, userInput, given);
  const sums = sumsOf(state, `${method}: balances`, balances);
  if (withReference(state, reference) !== undefined) {
    throw new Error(`${method}: there is a user with the external_reference ${reference} already`);
  }
  const user = openUser(state, reference);
  const [account] = accountsOf(state, user);
  if (account !== undefined) payIn(state, account, sums);
  return user;
}

/** Reads balances by ticker: `BTC` or `crypto:BTC`. */
export function sumsOf(state: State, method: string, balances: Readonly<Record<string, string>> = {}): Sum[] {
  return Object.entries(balances).map(([name, value]) => {
    const [type = '', symbol] = name.split(':');
    const asset = assetNamed(state, method, symbol === undefined ? { symbol: type } : { symbol, asset_type: type });
    return { asset, amount: new Money(value) };
  });
}

/** Money from outside becomes the account's. */
export function payIn(state: State, account: AccountState, sums: readonly Sum[]): void {
  for (const sum of sums) {
    if (sum.amount.isZero()) continue;
    const reference = state.random.uuid();
    post(state, sum, state.books.outside, account.holdings, reference);
    const receive = { asset: sum.asset, total: sum.amount };
    noteEntry(state, account, { type: 'deposit', reference, receive });
  }
}

const accountsOf = ({ accounts }: State, { user }: UserState): AccountState[] =>
  user.accounts.flatMap(({ id }) => accounts.get(id) ?? []);
