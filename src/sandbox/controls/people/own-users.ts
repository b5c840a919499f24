import * as z from 'zod/mini';
import { openUser, withReference } from '../../lifecycles/users.js';
import { Money } from '../../state/money.js';
import type { State } from '../../state/state.js';
import { amount, assetNamed, checked, text } from '../input.js';

/** A user of one's own, beside those of the seed. */
export interface SandboxUserInput {
  /** The partner's reference. `users.createHeadless` with it gives the user's ids. */
  readonly external_reference: string;
  /**
   * What the user's account holds at first, by ticker, for example `{ BTC: '2' }`: decimal text. A
   * ticker of several classes stands for the first of them; `xstock:SPX` names one.
   */
  readonly balances?: Readonly<Record<string, string>> | undefined;
}

const METHOD = 'createSandbox';

const ownUsers = z.object({
  users: z.array(z.strictObject({ external_reference: text, balances: z.optional(z.record(z.string(), amount)) })),
});

/**
 * Adds users in the state `ok`, each with one account. A user whose reference exists already, as in
 * a snapshot, stays as it is.
 *
 * @throws TypeError that names the first wrong place.
 */
export function addOwnUsers(state: State, given: readonly SandboxUserInput[]): void {
  const { users } = checked(METHOD, ownUsers, { users: given });
  const references = new Set<string>();
  for (const [index, { external_reference: reference, balances = {} }] of users.entries()) {
    const place = `users.${index}`;
    if (references.has(reference)) {
      throw new TypeError(`${METHOD}: ${place}.external_reference: is that of an earlier user in the list`);
    }
    references.add(reference);
    const sums = Object.entries(balances).map(([name, value]) => ({
      asset: assetNamed(state, `${METHOD}: ${place}.balances`, named(name)),
      amount: new Money(value),
    }));
    if (withReference(state, reference) !== undefined) continue;
    const { user } = openUser(state, reference);
    const account = state.accounts.get(user.accounts[0]?.id ?? '');
    for (const sum of sums) if (!sum.amount.isZero()) account?.holdings.receive(sum);
  }
}

/** Reads `BTC` or `crypto:BTC`. */
function named(name: string): { symbol: string; asset_type?: string } {
  const [type = '', symbol] = name.split(':');
  return symbol === undefined ? { symbol: type } : { symbol, asset_type: type };
}
