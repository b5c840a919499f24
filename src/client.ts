import type { ApiPromise } from './call/api-promise.js';
import { ApiCaller, type PagedList } from './call/caller.js';
import { type SettleOptions, type SettlingOptions, settle } from './call/wait/settle.js';
import type { ClientOptions } from './client-options.js';
import { type ClientSettings, mergeOptions, readClientOptions, resolveOptions } from './options.js';
import type { CustomList, CustomRequest } from './request/custom-request.js';
import { Accounts } from './resources/accounts/accounts.js';
import type { ExpectedDeposits } from './resources/accounts/deposits.js';
import type { OnDemandConversions } from './resources/accounts/on-demand-conversions.js';
import type { OnchainQuotes } from './resources/accounts/onchain-quotes.js';
import type { Portfolio } from './resources/accounts/portfolio.js';
import type { PortfolioTransactions } from './resources/accounts/portfolio-transactions.js';
import type { PriceTriggerSwaps } from './resources/accounts/price-trigger-swaps.js';
import type { Quotes } from './resources/accounts/quotes.js';
import type { Wallets } from './resources/accounts/wallets.js';
import { type AssetRates, Assets } from './resources/assets/assets.js';
import { type AccountConversions, type ConversionRules, Conversions } from './resources/conversions.js';
import {
  type AccountEarn,
  type AccountEarnAssets,
  type AccountEarnAuto,
  Earn,
  type EarnAllocations,
  type EarnAssets,
  type EarnAuto,
  type EarnRewards,
} from './resources/earn.js';
import type { FundingAddresses, WithdrawalAddresses } from './resources/funds/addresses.js';
import type { BankLinks } from './resources/funds/bank-links.js';
import type { DepositAddresses, DepositLimits, DepositMethods } from './resources/funds/deposits.js';
import { Funds } from './resources/funds/funds.js';
import type { FundsTransactions } from './resources/funds/transactions.js';
import type { WithdrawalMethods, Withdrawals } from './resources/funds/withdrawals.js';
import {
  Ramp,
  type RampAssets,
  type RampCheckouts,
  type RampCountries,
  type RampFiatCurrencies,
  type RampLimits,
  type RampPaymentMethods,
} from './resources/ramp.js';
import { RampQuotes } from './resources/ramp-quotes.js';
import { Reports, type SettlementReports } from './resources/reports.js';
import { nameMethods, nameOwnMethods } from './resources/resource.js';
import { Swap, type SwapAssets } from './resources/swap.js';
import { type AccountTransfers, Transfers } from './resources/transfers.js';
import { type UserAssets, Users } from './resources/users/users.js';
import type { Verifications } from './resources/users/verifications.js';
import { Webhooks } from './resources/webhooks.js';
import type { ClientStats } from './stats.js';
import { methodsOf, showAs } from './util/inspection.js';

/**
 * The client of the Partner Trading, Funding and Account API.
 *
 * Create one client and reuse it, because it holds the connections of its API keys. Call `close()`
 * when you are done, or declare it with `await using`. The types of its resources are
 * `PartnerClient.Quotes`, `PartnerClient.Users`, and so on.
 *
 * @example
 * // Defaults: the environment variables PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_API_SECRET.
 * const client = new PartnerClient({ baseUrl, apiKey, apiSecret });
 * const user = await client.users.get(userId);
 */
export class PartnerClient {
  /** End users, their verifications and assets. */
  readonly users: Users;
  /** Assets, their prices and past prices. */
  readonly assets: Assets;
  /** Assets that can be swapped. */
  readonly swap: Swap;
  /** Quotes, limit orders, conversions, portfolio, wallets and earn rewards of one account. */
  readonly accounts: Accounts;
  /** Money in and out: addresses, methods, limits, the ledger, and bank links. */
  readonly funds: Funds;
  /** Reads conversions of all accounts. */
  readonly conversions: Conversions;
  /** Reads and cancels transfers of all accounts. */
  readonly transfers: Transfers;
  /** Assets that earn rewards. For those of one account, see `accounts.earn`. */
  readonly earn: Earn;
  /** Hosted fiat-to-crypto checkouts: countries, currencies, limits, links. */
  readonly ramp: Ramp;
  /** Previews of hosted fiat-to-crypto checkouts. */
  readonly rampQuotes: RampQuotes;
  /** Settlement reports, for reconciliation. */
  readonly reports: Reports;
  /** Webhook subscriptions. To verify deliveries, use `partner-sdk/webhooks`. */
  readonly webhooks: Webhooks;
  #options: ClientOptions;
  readonly #settings: ClientSettings;
  readonly #caller: ApiCaller;

  /**
   * Creates a client, which sends nothing before the first call.
   *
   * @param options Defaults: the environment variables PARTNER_BASE_URL, PARTNER_API_KEY and
   *   PARTNER_API_SECRET, and the default of each other option.
   * @throws ConfigurationError when an option is missing, unknown or invalid.
   */
  constructor(options: ClientOptions = {}) {
    this.#options = readClientOptions(options);
    this.#settings = resolveOptions(this.#options);
    this.#caller = new ApiCaller(this.#settings);
    this.users = new Users(this.#caller);
    this.assets = new Assets(this.#caller);
    this.swap = new Swap(this.#caller);
    this.accounts = new Accounts(this.#caller);
    this.funds = new Funds(this.#caller);
    this.conversions = new Conversions(this.#caller);
    this.transfers = new Transfers(this.#caller);
    this.earn = new Earn(this.#caller);
    this.ramp = new Ramp(this.#caller);
    this.rampQuotes = new RampQuotes(this.#caller);
    this.reports = new Reports(this.#caller);
    this.webhooks = new Webhooks(this.#caller);
    nameMethods(this, 'client');
  }

  /**
   * Calls any other operation of the service. The call is signed, retried and parsed like every
   * other call, and carries an idempotency key if you set `idempotent: true`.
   *
   * @example
   * const transfer = await client.request({
   *   method: 'POST',
   *   path: '/v1/accounts/{account_id}/transfers',
   *   params: { account_id: accountId },
   *   body: { from: { asset: { symbol: 'USD', type: 'fiat', amount: '5.00' } }, to: { tag } },
   *   idempotent: true,
   * });
   *
   * @throws RequestValidationError when the path cannot be sent as given, and the errors of every
   *   call.
   */
  request<Output = unknown>(options: CustomRequest<Output>): ApiPromise<Output> {
    return this.#caller.request(options);
  }

  /**
   * Lists any other paged operation. Nothing is sent before you use the list.
   *
   * @example
   * const path = '/v1/accounts/{account_id}/transfers';
   * const transfers = client.list({ path, params: { account_id: accountId } });
   * for await (const transfer of transfers) console.log(transfer);
   *
   * @throws RequestValidationError when the description is invalid, and the errors of every list,
   *   both when you use the list.
   */
  list<Item = unknown>(description: CustomList<Item>): PagedList<Item> {
    return this.#caller.listCustom(description);
  }

  /**
   * Retries a call whose outcome is `unknown`, with the same `Idempotency-Key`, until it succeeds.
   *
   * If the `outcome` of `error` is not `unknown`, even if it is `applied`, `error` is thrown
   * unchanged. A rejection of a retry does not end the retries, because the first attempt may have
   * been applied all the same. They end at once if the service asks for a longer wait
   * (`Retry-After`) than there is time left, or if the retry's own signal aborts it. No retry
   * begins with less than 1 s left, or less than `attemptTimeout` if that is shorter.
   *
   * @example
   * const body = { asset_symbol: 'BTC', key: addressKey, amount: '0.015' };
   * const withdraw = (options: RequestOptions) =>
   *   client.funds.withdrawals.create(accountId, body, options);
   * const idempotencyKey = idempotencyKeyFor('payouts', 'funds.withdrawals.create', accountId, orderId);
   * const { ref_id } = await withdraw({ idempotencyKey }).catch((error: unknown) =>
   *   client.settle(error, withdraw, { timeout: 300_000 }),
   * );
   *
   * @param error The error of the call.
   * @param call A function that makes the same call, with the same arguments and the options it
   *   receives, and returns its promise.
   * @throws PartnerError with the `outcome` `unknown`, for a write without an idempotency key, and
   *   when `timeout` has passed: find out if the write was applied. `cause` is the last failure.
   *   AbortedError, also `unknown`, when `signal` or a signal of the retried call aborts.
   */
  settle<T>(error: unknown, call: (options: SettlingOptions) => PromiseLike<T>, options?: SettleOptions): Promise<T> {
    return settle(error, call, options, this.#settings.attemptTimeout);
  }

  /**
   * Returns a client with other options. Clients with the same API key, origin and transport share
   * their connections. An undefined option changes nothing. Close the new client, too.
   *
   * @example
   * await using patient = client.withOptions({ timeout: 120_000, maxRetries: 6 });
   * const reports = await patient.reports.settlement.list({ report_type: ['swaps'] });
   *
   * @throws ConfigurationError when an option is unknown or invalid, or this client has been
   *   closed.
   */
  withOptions(options: ClientOptions): this {
    this.#caller.assertOpen();
    const { transport } = this.#settings;
    const client = derive(this, mergeOptions({ ...this.#options, transport }, readClientOptions(options)));
    if (client.#settings.logger === this.#settings.logger) client.#caller.shareWarnings(this.#caller);
    return client;
  }

  /**
   * Returns counts of calls and retries, the retry budget, and the state of each lane.
   *
   * @example
   * const { running, failed, lanes } = client.stats();
   * for (const { waiting, gap } of lanes) console.log(running, failed, waiting, gap);
   */
  stats(): ClientStats {
    return this.#caller.stats();
  }

  /**
   * Rejects new calls, waits for the running ones, and then closes all connections that the SDK has
   * opened for this client. Your own dispatcher stays open, and so does a lane that another client
   * uses.
   *
   * @example
   * const call = client.users.get(userId);
   * await client.close(); // waits for the call
   * console.log((await call).status.state);
   */
  close(): Promise<void> {
    // No client can be derived from a closed one, so it no longer needs its secrets.
    this.#options = {};
    return this.#caller.close();
  }

  /**
   * Closes the client at the end of the block: `await using client = new PartnerClient()`.
   *
   * @example
   * await using client = new PartnerClient();
   * const user = await client.users.get(userId);
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns only the name and the `baseUrl`, which are public. */
  toJSON(): Record<string, unknown> {
    return { name: 'PartnerClient', baseUrl: this.#settings.origin + this.#settings.pathPrefix };
  }
}

/**
 * The types of the resources, for example `PartnerClient.Quotes`, which is
 * `PartnerClient['accounts']['quotes']`. Without them, TypeScript could not write the declarations
 * of an application whose function returns a resource (TS2742).
 */
export declare namespace PartnerClient {
  export type {
    AccountConversions,
    AccountEarn,
    AccountEarnAssets,
    AccountEarnAuto,
    Accounts,
    AccountTransfers,
    AssetRates,
    Assets,
    BankLinks,
    ConversionRules,
    Conversions,
    DepositAddresses,
    DepositLimits,
    DepositMethods,
    Earn,
    EarnAllocations,
    EarnAssets,
    EarnAuto,
    EarnRewards,
    ExpectedDeposits,
    FundingAddresses,
    Funds,
    FundsTransactions,
    OnchainQuotes,
    OnDemandConversions,
    Portfolio,
    PortfolioTransactions,
    PriceTriggerSwaps,
    Quotes,
    Ramp,
    RampAssets,
    RampCheckouts,
    RampCountries,
    RampFiatCurrencies,
    RampLimits,
    RampPaymentMethods,
    RampQuotes,
    Reports,
    SettlementReports,
    Swap,
    SwapAssets,
    Transfers,
    UserAssets,
    Users,
    Verifications,
    Wallets,
    Webhooks,
    WithdrawalAddresses,
    WithdrawalMethods,
    Withdrawals,
  };
}

nameOwnMethods(PartnerClient.prototype, 'client');

showAs(PartnerClient.prototype, (client, options, inspect) => {
  const { baseUrl } = client.toJSON();
  const groups = Object.entries(client).map(([name, group]) => [name, methodsOf(group as object)] as const);
  return `PartnerClient ${inspect({ baseUrl, ...Object.fromEntries(groups) }, options)}`;
});

/** A subclass must accept the options in its constructor, as `PartnerClient` does. */
function derive<Client extends PartnerClient>(client: Client, options: ClientOptions): Client {
  return Reflect.construct(client.constructor, [options]) as Client;
}
