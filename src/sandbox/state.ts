import type { Decimal } from '../core/decimal.js';
import type { OnDemandConversion } from '../resources/accounts/on-demand-conversions.js';
import type { Quote } from '../resources/accounts/quotes.js';
import type { WhitelistedWallet } from '../resources/accounts/wallets.js';
import type { BankLink } from '../resources/funds/bank-links.js';
import type { DepositLimit } from '../resources/funds/deposit-limits.js';
import type { User } from '../resources/users/users.js';
import type { Verification } from '../resources/users/verifications.js';
import type { WebhookSubscription } from '../resources/webhooks.js';
import type { BoundedMap } from './bounded-map.js';
import type { Asset, Catalogue } from './catalogue.js';
import type { Clock } from './clock.js';
import type { Pager } from './paging.js';
import type { Random } from './random.js';
import type { Wire } from './wire.js';

/** What the account holds of one asset. */
export interface Holding {
  readonly asset: Asset;
  readonly total: Decimal;
  readonly openOrders: Decimal;
  /** What a unit cost on average, in US dollars; meaningless for fiat. */
  readonly entryUsd: Decimal;
  readonly realizedUsd: Decimal;
}

/** A saved destination of withdrawals. */
export interface SavedAddress {
  readonly address: string;
  readonly tag: string | null;
}

/** One account with everything that belongs to it. */
export interface AccountState {
  readonly id: string;
  /** Newest first. */
  readonly conversions: Wire<OnDemandConversion>[];
  readonly quotes: BoundedMap<string, Wire<Quote>>;
  readonly wallets: Wire<WhitelistedWallet>[];
  readonly holdings: readonly Holding[];
  /** By the name it was saved under. */
  readonly withdrawalAddresses: Map<string, SavedAddress>;
  /** Ids of the user-added funding addresses. */
  readonly fundingAddresses: Set<string>;
  /** Unlinked ones are not among them. */
  readonly bankLinks: ReadonlyMap<string, Wire<BankLink>>;
  /** By asset symbol, in the order of their method ids. */
  readonly depositLimits: ReadonlyMap<string, readonly Wire<DepositLimit>[]>;
}

export interface UserState {
  readonly user: Wire<User>;
  readonly verifications: readonly Wire<Verification>[];
}

/** Everything the service knows. Made by the seed, changed by the handlers and by the clock. */
export interface State {
  readonly clock: Clock;
  /** Ids and screening of what comes into being while the service runs. */
  readonly random: Random;
  readonly pager: Pager;
  readonly catalogue: Catalogue;
  readonly users: ReadonlyMap<string, UserState>;
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** Methods that a withdrawal address may be saved for. */
  readonly withdrawalMethods: ReadonlySet<string>;
  /** Screening rejects it, always. */
  readonly rejectedWalletAddress: string;
  /** Newest first. */
  readonly webhooks: readonly Wire<WebhookSubscription>[];
}
