import { BoundedMap } from '../bounded-map.js';
import type { Catalogue } from '../catalogue.js';
import type { Clock } from '../clock.js';
import { Pager } from '../paging.js';
import type { Random } from '../random.js';
import type { AccountState, State, UserState } from '../state.js';
import { evmAddress } from './addresses.js';
import { seedCatalogue } from './catalogue.js';
import { seedConversions } from './conversions.js';
import { seedFunds } from './funds.js';
import { seedHoldings } from './portfolio.js';
import { seedUsers } from './users.js';
import { seedWebhooks } from './webhooks.js';

/** How many quotes an account keeps; the oldest go first. */
const QUOTES_KEPT = 10_000;
const MAIN_CONVERSIONS = 320;
const SECONDARY_CONVERSIONS = 7;

/** Makes the whole state of a fresh service. */
export function seedState(random: Random, clock: Clock): State {
  const now = clock.now();
  const catalogue = seedCatalogue(random.fork('catalogue'), now);
  const users = seedUsers(random.fork('users'), now);
  const ids = random.fork('ids');
  const accounts = users.flatMap((user, index) => seedAccounts(user, index, catalogue, random, clock));
  return {
    clock,
    random: random.fork('runtime'),
    pager: new Pager(random.fork('page tokens').bytes(32)),
    catalogue,
    users: new Map(users.map((user) => [user.user.id, user])),
    accounts: new Map(accounts.map((account) => [account.id, account])),
    withdrawalMethods: new Set([ids.uuid(), ids.uuid(), ids.uuid()]),
    rejectedWalletAddress: evmAddress(ids),
    webhooks: seedWebhooks(random.fork('webhooks'), now),
  };
}

/** The first user's main account is the rich one; the further ones have few conversions each, one none. */
function seedAccounts(
  { user }: UserState,
  userIndex: number,
  catalogue: Catalogue,
  random: Random,
  clock: Clock,
): AccountState[] {
  return user.accounts.map(({ id, name }) => {
    const stream = random.fork(`account ${userIndex} ${name}`);
    const main = userIndex === 0 ? MAIN_CONVERSIONS : userIndex - 1;
    return {
      id,
      conversions: seedConversions(name === 'main' ? main : SECONDARY_CONVERSIONS, catalogue, stream, clock),
      quotes: new BoundedMap(QUOTES_KEPT),
      wallets: [],
      holdings: seedHoldings(catalogue, stream),
      ...seedFunds(catalogue, stream, clock.now()),
    };
  });
}
