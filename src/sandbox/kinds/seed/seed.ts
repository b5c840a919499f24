import type { User } from '../../../resources/users/users.js';
import { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import type { Changes } from '../../core/basics/changes.js';
import { Events } from '../../core/basics/events.js';
import type { Random } from '../../core/basics/random.js';
import type { Clock } from '../../core/clock/clock.js';
import type { Task } from '../../core/clock/task.js';
import type { Asset, Catalogue } from '../../core/market/catalogue.js';
import { seedCatalogue } from '../../core/market/seed-catalogue.js';
import { emptyBooks, Holdings } from '../../core/money/ledger.js';
import { share, worth } from '../../core/money/money.js';
import { put } from '../../core/mutations.js';
import { Records } from '../../core/records/records.js';
import type { AccountState, State } from '../../core/records/state.js';
import { Pager } from '../../core/request/paging.js';
import { Timeline } from '../../core/timeline/timeline.js';
import { bankLinks, seedBankLinks } from '../bank-links.js';
import { earn, newEarn } from '../earn.js';
import { fundingAddresses, seedFundingAddresses } from '../funding-addresses.js';
import { seedWithdrawalAddresses, withdrawalAddresses } from '../funds/withdrawal-addresses.js';
import { limits, seedLimits } from '../limits.js';
import { seedConversions } from '../on-demand-conversions/seed.js';
import { evmAddress } from '../shared/addresses/generate.js';
import { ownerOf, seedUser, users } from '../users.js';
import { seedVerifications, verifications } from '../verifications.js';
import { rejectAddress } from '../wallets.js';
import type { SandboxFixtures } from './fixtures.js';

const USERS = 6;
const MAIN_CONVERSIONS = 320;
const SECONDARY_CONVERSIONS = 7;
const WITHDRAWAL_METHODS = ['Standard', 'Priority', 'Batch'] as const;

interface StateOptions {
  readonly changes: Changes;
  readonly enforceUserStatus?: boolean | undefined;
  readonly otp?: string | undefined;
  readonly inspect?: boolean | undefined;
  readonly journalLimit?: number | undefined;
}

/** A fresh state, and the fixtures that cannot be found in it. */
interface Seeded {
  readonly state: State;
  /** The first account's newest conversion is not made yet, so the state does not contain it. */
  readonly fixtures: Pick<SandboxFixtures, 'conversionId'>;
}

/** Makes a fresh state. `streamOf` returns the random streams of data that is created later. */
export function seedState(
  random: Random,
  streamOf: (label: string) => Random,
  clock: Clock<Task>,
  options: StateOptions,
): Seeded {
  const now = clock.began;
  const catalogue = seedCatalogue(random.fork('catalogue'), clock, options.changes);
  const seeded = seedUsers(random.fork('users'), now);
  const ids = random.fork('ids');
  const payoutMethods = new Map(WITHDRAWAL_METHODS.map((name) => [ids.uuid(), name]));
  const [method = ''] = payoutMethods.keys();
  const timeline = new Timeline(clock, options.inspect ?? false, options.journalLimit);
  // Copies: limits that are made later must not depend on later prices and statuses.
  const assets = catalogue.assets.map((asset) => ({ ...asset, usd: asset.usd, listing: { ...asset.listing } }));
  const accounts = seeded.flatMap(({ user }, index) =>
    seedAccounts(user, index, { catalogue, assets, random, clock, method }),
  );
  const state: State = {
    clock,
    random: streamOf('runtime'),
    pager: new Pager(random.fork('page tokens').bytes(32)),
    downloadSecret: random.fork('download links').bytes(32),
    catalogue,
    accounts: new Map(accounts.map(({ account }) => [account.id, account])),
    books: emptyBooks(),
    records: new Records(),
    payoutMethods,
    enforceUserStatus: options.enforceUserStatus ?? false,
    ownerOf,
    otp: options.otp,
    timeline,
    events: new Events(),
    changes: options.changes,
  };
  timeline.silently(() => putUsers(state, seeded));
  rejectAddress(state, evmAddress(ids));
  return { state, fixtures: { conversionId: accounts[0]?.conversionId ?? '' } };
}

const seedUsers = (random: Random, now: number) =>
  Array.from({ length: USERS }, (_, index) => {
    const user = seedUser(index, random, now);
    return { user, verifications: seedVerifications(index, random, Date.parse(user.created_at)) };
  });

function putUsers(state: State, seeded: ReturnType<typeof seedUsers>): void {
  const account = undefined;
  for (const { user, verifications: own } of seeded) {
    put(state, users, { account, id: user.id, record: { user } });
    for (const verification of own) {
      put(state, verifications, { account, id: verification.verification_id, record: { verification, user: user.id } });
    }
  }
}

interface Surroundings {
  readonly catalogue: Catalogue;
  /** The assets as they were when the service started. */
  readonly assets: readonly Asset[];
  readonly random: Random;
  readonly clock: Clock<Task>;
  /** Id of the method of the saved withdrawal addresses. */
  readonly method: string;
}

/** The first user's main account has many conversions, all others have few or none. */
function seedAccounts(
  user: Wire<User>,
  userIndex: number,
  { catalogue, assets, random, clock, method }: Surroundings,
): { readonly account: AccountState; readonly conversionId: string | undefined }[] {
  return user.accounts.map(({ id, name }) => {
    const stream = random.fork(`account ${userIndex} ${name}`);
    const main = userIndex === 0 ? MAIN_CONVERSIONS : userIndex - 1;
    const records = new Records();
    const count = name === 'main' ? main : SECONDARY_CONVERSIONS;
    const conversionId = seedConversions({ id, records }, count, assets, stream, clock);
    const holdings = seedHoldings(id, catalogue, stream);
    for (const link of seedBankLinks(stream, clock.began)) records.of(bankLinks).set(link.bank_link_id, link);
    for (const saved of seedWithdrawalAddresses(stream, clock.began, method)) {
      records.of(withdrawalAddresses).set(saved.key, saved);
    }
    for (const address of seedFundingAddresses(stream)) records.of(fundingAddresses).set(address.id, address);
    records.of(earn).set(...newEarn({ id }));
    records.begin(limits, () => seedLimits(assets, stream));
    return { account: { id, holdings, records }, conversionId };
  });
}

const HELD: readonly (readonly [symbol: string, type: string])[] = [
  ['BTC', 'crypto'],
  ['ETH', 'crypto'],
  ['SOL', 'crypto'],
  ['SHIB', 'crypto'],
  ['USDC', 'stablecoin'],
  ['AAPLx', 'xstock'],
  ['USD', 'fiat'],
  ['EUR', 'fiat'],
];

function seedHoldings(account: string, catalogue: Catalogue, random: Random): Holdings {
  const holdings = HELD.map(([symbol, type]) => {
    const asset = catalogue.get(symbol, type);
    const total = worth(random.integer(1_000_000, 9_000_000), asset);
    return {
      asset,
      total,
      held: new Decimal(0),
      entryUsd: share(asset.usd, random.integer(6_000, 12_500)),
      realizedUsd: new Decimal(random.integer(-90_000, 250_000)).div(100),
    };
  });
  return new Holdings(account, holdings);
}
