import { BoundedMap } from '../bounded-map.js';
import type { Clock } from '../clock.js';
import { offerQuote } from '../handlers/quotes.js';
import { Pager } from '../paging.js';
import type { Random } from '../random.js';
import type { AccountState, State } from '../state.js';
import { evmAddress, groupedId } from './addresses.js';
import { seedCatalogue } from './catalogue.js';
import { seedConversions } from './conversions.js';
import { seedFunds } from './funds.js';
import { seedHoldings } from './portfolio.js';
import { seedUsers } from './users.js';
import { seedWebhooks } from './webhooks.js';

/** Names of things that exist in a fresh sandbox. */
export interface SandboxFixtures {
  /** A user with a main and a secondary account, and verifications in every state. */
  readonly userId: string;
  /** A user whose id contains spaces. */
  readonly spacedUserId: string;
  /** The user's main account: more than 300 conversions, bank links, limits, a portfolio. */
  readonly accountId: string;
  /** The user's secondary account: a handful of conversions. */
  readonly secondaryAccountId: string;
  /** An account that belongs to somebody else: 403. */
  readonly foreignAccountId: string;
  /** An offered quote; like every quote it expires 30 s after its creation, by the sandbox's clock. */
  readonly quoteId: string;
  /** The newest conversion, still under way. */
  readonly conversionId: string;
  readonly bankLinkId: string;
  /** A bank link that was unlinked: 404. */
  readonly unlinkedBankLinkId: string;
  /** UUID of a withdrawal method, good for every asset. */
  readonly methodId: string;
  /** A funding address that can be deleted. */
  readonly addressId: string;
  readonly webhookId: string;
  /** A crypto asset that is enabled for everything and has several pages of deposit limits. */
  readonly assetSymbol: string;
  /** A name that a withdrawal address is saved under already. */
  readonly withdrawalAddressKey: string;
  /** A wallet address that screening always rejects; it approves all others. */
  readonly rejectedWalletAddress: string;
  /** A one-time password; the sandbox takes every other, too. */
  readonly otp: string;
}

const QUOTES_KEPT = 10_000;
const MAIN_CONVERSIONS = 320;
const SECONDARY_CONVERSIONS = 7;

/** Makes the whole state of a fresh service, and names what is in it. */
export function seedState(random: Random, clock: Clock): { state: State; fixtures: SandboxFixtures } {
  const now = clock.now();
  const catalogue = seedCatalogue(random.fork('catalogue'), now);
  const users = seedUsers(random.fork('users'), now);
  const ids = random.fork('ids');
  const rejectedWalletAddress = evmAddress(ids);
  const methods: [string, ...string[]] = [ids.uuid(), ids.uuid(), ids.uuid()];
  const accounts = users.flatMap(({ user }, userIndex) =>
    user.accounts.map(({ id, name }) => {
      const count = name !== 'main' ? SECONDARY_CONVERSIONS : userIndex === 0 ? MAIN_CONVERSIONS : userIndex;
      const stream = random.fork(`account ${userIndex} ${name}`);
      const conversions = seedConversions(count, catalogue, stream.fork('conversions'), clock);
      return {
        ...emptyAccount(id),
        ...seedFunds(catalogue, stream, now),
        conversions,
        holdings: seedHoldings(catalogue, stream),
      };
    }),
  );
  const state: State = {
    clock,
    random: random.fork('runtime'),
    pager: new Pager(random.fork('page tokens').bytes(32)),
    catalogue,
    users: new Map(users.map((user) => [user.user.id, user])),
    accounts: new Map(accounts.map((account) => [account.id, account])),
    withdrawalMethods: new Set(methods),
    rejectedWalletAddress,
    webhooks: seedWebhooks(random.fork('webhooks'), now),
  };
  const [main, secondary] = accounts;
  const [user, spacedUser] = users;
  if (!main || !secondary || !user || !spacedUser) throw new Error('the seed has too few users');
  const fixtures: SandboxFixtures = {
    userId: user.user.id,
    spacedUserId: spacedUser.user.id,
    accountId: main.id,
    secondaryAccountId: secondary.id,
    foreignAccountId: groupedId('AA', ids),
    quoteId: seedQuote(state, main),
    conversionId: main.conversions[0]?.id ?? '',
    bankLinkId: [...main.bankLinks.keys()][0] ?? '',
    unlinkedBankLinkId: `bl_${ids.uuid()}`,
    methodId: methods[0],
    addressId: [...main.fundingAddresses][0] ?? '',
    webhookId: state.webhooks[0]?.id ?? '',
    assetSymbol: 'BTC',
    withdrawalAddressKey: [...main.withdrawalAddresses.keys()][0] ?? '',
    rejectedWalletAddress,
    otp: String(ids.integer(0, 999_999)).padStart(6, '0'),
  };
  return { state, fixtures: Object.freeze(fixtures) };
}

function emptyAccount(id: string): Pick<AccountState, 'id' | 'quotes' | 'wallets'> {
  return { id, quotes: new BoundedMap(QUOTES_KEPT), wallets: [] };
}

function seedQuote(state: State, account: AccountState): string {
  const body = { from: { symbol: 'USD', type: 'fiat', amount: '250.00' }, to: { symbol: 'BTC', type: 'crypto' } };
  return offerQuote(state, account, body).id;
}
