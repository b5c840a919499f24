import * as z from 'zod/mini';
import { ALPHABETS, type Random } from '../../core/basics/random.js';
import { all } from '../../core/kind/find.js';
import type { State } from '../../core/records/state.js';
import { bankLinks } from '../bank-links.js';
import { fundingAddresses } from '../funding-addresses.js';
import { withdrawalAddresses } from '../funds/withdrawal-addresses.js';
import { offerQuote } from '../quotes.js';
import { groupedId } from '../shared/addresses/generate.js';
import { users } from '../users.js';
import { rejectedAddresses } from '../wallets.js';

/** Ids and names of the data in a fresh sandbox. */
export interface SandboxFixtures {
  /** A user with a main and a secondary account, and verifications in every state. */
  readonly userId: string;
  /** A user whose id contains spaces. */
  readonly spacedUserId: string;
  /** The user's main account: more than 300 conversions, bank links, limits, a portfolio. */
  readonly accountId: string;
  /** The user's secondary account: a handful of conversions. */
  readonly secondaryAccountId: string;
  /** An account that is not the partner's, so the service answers 403. */
  readonly foreignAccountId: string;
  /** An offered quote. It expires 30 s after its creation, by the sandbox's clock. */
  readonly quoteId: string;
  /** The newest on-demand conversion, which has not finished. */
  readonly conversionId: string;
  readonly bankLinkId: string;
  /** A bank link that was unlinked, so the service answers 404. */
  readonly unlinkedBankLinkId: string;
  /** UUID of a withdrawal method that works for every asset. */
  readonly methodId: string;
  /** A funding address that can be deleted. */
  readonly addressId: string;
  readonly webhookId: string;
  /** A crypto asset that is enabled for every operation and has several pages of deposit limits. */
  readonly assetSymbol: string;
  /** The name of a saved withdrawal address. */
  readonly withdrawalAddressKey: string;
  /** A wallet address that every network accepts and screening rejects. It approves all others. */
  readonly rejectedWalletAddress: string;
  /** A one-time password. The sandbox accepts any other too, unless the option `otp` is set. */
  readonly otp: string;
}

const fixture = z.string().check(z.regex(/^[ -~]+$/, 'must be printable ASCII text'));

/** No other names are allowed in a snapshot: the command prints them as lines for a shell. */
export const savedFixtures = z.strictObject(
  {
    userId: fixture,
    spacedUserId: fixture,
    accountId: fixture,
    secondaryAccountId: fixture,
    foreignAccountId: fixture,
    quoteId: fixture,
    conversionId: fixture,
    bankLinkId: fixture,
    unlinkedBankLinkId: fixture,
    methodId: fixture,
    addressId: fixture,
    webhookId: fixture,
    assetSymbol: fixture,
    withdrawalAddressKey: fixture,
    rejectedWalletAddress: fixture,
    otp: fixture,
  } satisfies Record<keyof SandboxFixtures, z.core.$ZodType<string>>,
  'must be exactly the names of what is in a fresh sandbox',
);

/** Collects the fixtures of a fresh state, and creates the quote, which is one of them. */
export function fixturesOf(
  state: State,
  { webhookId, conversionId }: Pick<SandboxFixtures, 'webhookId' | 'conversionId'>,
  random: Random,
): SandboxFixtures {
  const [main, secondary] = [...state.accounts.values()];
  const [user, spacedUser] = all(state, users).map(({ id }) => id);
  if (!main || !secondary || !user || !spacedUser) throw new Error('the seed has too few users');
  const body = { from: { symbol: 'USD', type: 'fiat', amount: '250.00' }, to: { symbol: 'BTC', type: 'crypto' } };
  return Object.freeze({
    userId: user,
    spacedUserId: spacedUser,
    accountId: main.id,
    secondaryAccountId: secondary.id,
    foreignAccountId: groupedId('AA', random),
    quoteId: offerQuote(state, main, body).id,
    conversionId,
    bankLinkId: first(main.records.of(bankLinks).entries())[0],
    unlinkedBankLinkId: `bl_${random.text(24, ALPHABETS.alphanumeric)}`,
    methodId: first(state.payoutMethods.keys()),
    addressId: first(main.records.of(fundingAddresses).values()).id,
    webhookId,
    assetSymbol: 'BTC',
    withdrawalAddressKey: first(main.records.of(withdrawalAddresses).values()).key,
    rejectedWalletAddress: first(rejectedAddresses(state)),
    otp: random.text(6, '0123456789'),
  });
}

function first<T>(values: Iterable<T>): T {
  for (const value of values) return value;
  throw new Error('the seed is empty');
}
