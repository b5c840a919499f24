// partner-sdk

export class AbortedError extends PartnerError {
}

class AccountConversions extends Resource {
    create(accountId: string, body: ConversionCreateBody, options?: RequestOptions): ApiPromise<Conversion>;
    list(accountId: string, params?: ConversionListParams, options?: ListOptions): PagedList<Conversion>;
}

class AccountEarn extends Resource {
    readonly auto: AccountEarnAuto;
}

class AccountEarnAssets extends Resource {
    list(accountId: string, params?: EarnListParams, options?: ListOptions): PagedList<EarnAsset>;
}

class AccountEarnAuto extends Resource {
    readonly assets: AccountEarnAssets;
    readonly allocations: EarnAllocations;
    readonly rewards: EarnRewards;
    get(accountId: string, options?: UnkeyedRequestOptions): ApiPromise<EarnSettings>;
    update(accountId: string, body: EarnUpdateBody, options?: UnkeyedRequestOptions): ApiPromise<void>;
}

export interface AccountLink {
    account_link_id: string;
    account_last4: string;
    status: 'active' | (string & {});
    eligibility_status: BankEligibility;
    eligible_rails?: ('ach' | 'rtp' | (string & {}))[] | undefined;
    ineligibility_reasons?: ('name_mismatch' | (string & {}))[] | undefined;
}

class AccountTransfers extends Resource {
    create(accountId: string, body: TransferCreateBody, options?: RequestOptions): ApiPromise<Transfer>;
    list(accountId: string, params?: TransferListParams, options?: ListOptions): PagedList<Transfer>;
}

class Accounts extends Resource {
    readonly conversions: AccountConversions;
    readonly conversionRules: ConversionRules;
    readonly deposits: ExpectedDeposits;
    readonly transfers: AccountTransfers;
    readonly onDemandConversions: OnDemandConversions;
    readonly quotes: Quotes;
    readonly priceTriggerSwaps: PriceTriggerSwaps;
    readonly onchainQuotes: OnchainQuotes;
    readonly portfolio: Portfolio;
    readonly wallets: Wallets;
    readonly earn: AccountEarn;
}

export class ApiError extends PartnerError {
    readonly response: ResponseInfo;
    readonly type: string;
    readonly code: ApiErrorCode;
    readonly instance: string;
    readonly docUrl: string | undefined;
    readonly causes: readonly ApiErrorCause[];
    readonly retryAfter: number | undefined;
    readonly replayed: boolean;
    readonly body: string | undefined;
    constructor(details: ApiErrorDetails, facts?: CallFacts);
}

export interface ApiErrorCause {
    readonly field?: string | undefined;
    readonly message?: string | undefined;
    readonly [member: string]: unknown;
}

export type ApiErrorCode = 'bad_request' | 'unauthenticated' | 'forbidden' | 'gateway' | 'not_found' | 'user_not_found' | 'bank_link_not_found' | 'conflict' | 'resource_exhausted' | 'internal' | 'unimplemented' | 'unavailable' | 'deadline_exceeded' | '' | (string & {});

interface ApiErrorDetails extends Partial<Pick<ApiError, 'type' | 'code' | 'instance' | 'docUrl' | 'causes' | 'retryAfter' | 'body'>> {
    readonly response: Pick<ResponseInfo, 'status'> & Partial<Pick<ResponseInfo, 'headers' | 'replayed'>>;
    readonly advice?: string | undefined;
}

export /* type */ class ApiPromise<T> extends Promise<T> {
    #private;
    withResponse(): Promise<WithResponse<T>>;
}

type ApiSecret = string | (() => string | Promise<string>);

export interface AppInfo {
    readonly name: string;
    readonly version?: string | undefined;
    readonly url?: string | undefined;
}

export interface AppliedEvent extends CallEvent {
    readonly ids: readonly string[];
}

export interface AssetAmount extends NamedAssetRef {
    amount: Decimal;
}

export interface AssetFilter {
    symbol?: string | undefined;
    type?: AssetType | undefined;
}

export interface AssetGetParams {
    quote_symbol?: string | undefined;
    quote_type?: 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | undefined;
}

export interface AssetInput {
    symbol: string;
    type: AssetType;
    amount?: Decimal | string | undefined;
}

export interface AssetLabel extends AssetRef {
    name?: string | undefined;
}

export interface AssetListParams extends PageParams {
    type?: readonly AssetType[] | undefined;
    swap_trading?: boolean | undefined;
    withdraw?: boolean | undefined;
    deposit?: boolean | undefined;
    sort?: AssetSort | undefined;
    sort_direction?: 'asc' | 'desc' | undefined;
    page_size?: number | undefined;
    quote_symbol?: string | undefined;
    quote_type?: 'fiat' | undefined;
}

export interface AssetListing {
    symbol: string;
    type: AssetType;
    name: string;
    status: {
        swap_trading: {
            enabled: boolean;
            disabled_against: NamedAssetRef[];
        };
        withdraw: {
            enabled: boolean;
        };
        deposit: {
            enabled: boolean;
        };
    };
    logo: {
        width: number;
        height: number;
        href: string;
        type: string;
    };
    decimals: {
        funding: number;
        swap: number;
    };
    listing_date: string;
    price?: Decimal | undefined;
    market_cap?: Decimal | undefined;
    market_cap_rank?: number | undefined;
    trending_rank?: number | undefined;
    volume?: {
        last_24h?: Decimal | undefined;
    } | undefined;
    supply?: (SupplyFigures & {
        in_quote?: SupplyFigures | undefined;
    }) | undefined;
    price_change_percent?: {
        last_1h?: Decimal | undefined;
        last_24h?: Decimal | undefined;
        last_7d?: Decimal | undefined;
        last_30d?: Decimal | undefined;
        last_1y?: Decimal | undefined;
    } | undefined;
    ath?: {
        value: Decimal;
        timestamp: string;
    } | undefined;
}

export interface AssetPageMeta {
    quote_symbol: string;
    quote_type: AssetType;
    page_size: number;
    sort: AssetSort | (string & {});
    sort_direction: 'asc' | 'desc' | (string & {});
    type: AssetType[];
    swap_trading?: boolean | undefined;
    withdraw?: boolean | undefined;
    deposit?: boolean | undefined;
}

export interface AssetQuantity extends AssetLabel {
    amount: Decimal;
}

export interface AssetRate {
    timestamp?: string | undefined;
    price?: Decimal | undefined;
}

export type AssetRateInterval = ('PT1M' | 'PT5M' | 'PT15M' | 'PT30M' | 'PT1H' | 'PT60M' | 'PT4H' | 'P1D' | 'P7D' | 'P1W' | 'P15D') | (string & {});

export interface AssetRateListParams extends PageParams {
    quote_symbol?: string | undefined;
    quote_type?: 'fiat' | undefined;
    start_timestamp?: string | undefined;
    end_timestamp?: string | undefined;
    interval?: AssetRateInterval | undefined;
    page_size?: number | undefined;
}

export interface AssetRatePageMeta extends Valuation {
    start_timestamp?: string | undefined;
    end_timestamp?: string | undefined;
    interval?: AssetRateInterval | undefined;
    page_size?: number | undefined;
}

class AssetRates extends Resource {
    list(assetType: AssetType, assetSymbol: string, params?: AssetRateListParams, options?: ListOptions): PagedList<AssetRate, AssetRatePageMeta>;
}

export interface AssetRef {
    symbol: string;
    type: AssetType;
}

export type AssetSort = (typeof SORTS)[number];

export type AssetType = 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | (string & {});

class Assets extends Resource {
    readonly rates: AssetRates;
    list(params?: AssetListParams, options?: ListOptions): PagedList<AssetListing, AssetPageMeta>;
    get(assetType: AssetType, assetSymbol: string, params?: AssetGetParams, options?: UnkeyedRequestOptions): ApiPromise<AssetListing>;
}

export interface AttemptEndEvent extends AttemptEvent {
    readonly sent: boolean;
    readonly status: number | undefined;
    readonly reason: AttemptFailure['reason'] | undefined;
    readonly queueTime: number;
    readonly laneTime: number;
    readonly durationMs: number;
}

export interface AttemptEvent extends CallEvent {
    readonly attempt: number;
}

export interface AttemptFailure {
    readonly reason: 'status' | 'race' | 'not_sent' | 'lost' | 'too_slow' | 'provider' | 'unreadable' | 'ended';
    readonly status?: number | undefined;
    readonly code?: string | undefined;
}

export interface Attempts {
    readonly count: number;
    readonly failures: readonly AttemptFailure[];
}

export class BadRequestError extends ApiError {
}

type BalanceEndpoint = EndpointAmount & {
    type: 'balance';
};

type BankEligibility = 'eligible' | 'ineligible' | 'unknown' | (string & {});

type BankEndpoint = {
    type: 'bank';
};

export interface BankLink {
    bank_link_id: string;
    method_id: string;
    status: 'linked' | (string & {});
    accounts_eligibility_status: BankEligibility;
    linked_at: string;
    institution: {
        name: string;
    };
    account_links: AccountLink[];
    not_linked_accounts: {
        account_last4: string;
        reason: 'missing_identity' | (string & {});
    }[];
}

class BankLinks extends Resource {
    get(accountId: string, bankLinkId: string, options?: UnkeyedRequestOptions): ApiPromise<BankLink>;
    waitFor(accountId: string, bankLinkId: string, options?: WaitOptions<BankLink>): ApiPromise<BankLink>;
}

interface CallEvent {
    readonly callId: string;
    readonly operation: string;
    readonly method: string;
    readonly origin: string;
    readonly path: string;
    readonly idempotencyKey: string | undefined;
}

interface CallFacts {
    readonly outcome: Outcome;
    readonly operation: string | undefined;
    readonly attempts: Attempts;
    readonly idempotencyKey: string | undefined;
}

export interface ClientEvent {
    stats(): ClientStats | undefined;
}

export interface ClientOptions {
    readonly baseUrl?: string | undefined;
    readonly apiKey?: string | undefined;
    readonly apiSecret?: ApiSecret | undefined;
    readonly credentials?: readonly {
        readonly apiKey: string;
        readonly apiSecret?: ApiSecret | undefined;
    }[] | undefined;
    readonly timeout?: number | undefined;
    readonly attemptTimeout?: number | undefined;
    readonly maxRetries?: number | undefined;
    readonly maxRetryAfter?: number | undefined;
    readonly nonce?: NonceSource | undefined;
    readonly keyIsShared?: boolean | undefined;
    readonly nonceOrder?: NonceOrder | undefined;
    readonly nonceRefusals?: number | undefined;
    readonly signer?: Signer | Signer['sign'] | undefined;
    readonly otp?: string | OtpProvider | undefined;
    readonly transport?: Transport | undefined;
    readonly maxResponseBytes?: number | undefined;
    readonly allowInsecureHttp?: boolean | undefined;
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
    readonly appInfo?: AppInfo | undefined;
    readonly responseValidation?: ResponseValidation | undefined;
    readonly logger?: Logger | undefined;
    readonly hooks?: Hooks | readonly Hooks[] | undefined;
}

export interface ClientStats {
    readonly running: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly retries: number;
    readonly replays: number;
    readonly retryBudget: {
        readonly available: number;
        readonly capacity: number;
    };
    readonly lanes: readonly LaneStats[];
}

export interface ComputedQuoteSide {
    symbol: string;
    type: AssetType;
    amount?: undefined;
}

type Condition<Value, Status> = Status | readonly Status[] | ((value: Value) => boolean);

export class ConfigurationError extends PartnerError {
}

export class ConflictError extends ApiError {
}

export class ConnectionError extends PartnerError {
    readonly code: string | undefined;
    constructor(message: string, facts?: CallFacts, options?: {
        cause?: unknown;
        code?: string | undefined;
    });
    toJSON(): Record<string, unknown>;
}

export interface Conversion {
    id: string;
    status?: ConversionStatus | undefined;
    from?: {
        asset?: ConversionAsset | undefined;
        source?: ConversionSource | undefined;
    } | undefined;
    to?: {
        asset?: ConversionAsset | undefined;
        destination?: ConversionDestination | undefined;
    } | undefined;
    fees?: {
        trade?: AssetQuantity | undefined;
    } | undefined;
    chain_references?: {
        deposit_txid?: string | undefined;
        withdraw_txid?: string | undefined;
    } | undefined;
    swap_quote?: {
        id?: string | undefined;
        status?: QuoteStatus | undefined;
        rate?: unknown;
    } | undefined;
    inbound?: Inbound | undefined;
    transaction_id?: string | undefined;
    conversion_rule_id?: string | undefined;
    created_at?: string | undefined;
    updated_at?: string | undefined;
}

export interface ConversionAsset extends AssetLabel {
    amount?: Decimal | undefined;
}

export interface ConversionCreateBody {
    from?: ({
        asset?: (AssetInput & More) | undefined;
        source?: ConversionSource | undefined;
    } & More) | undefined;
    to?: ({
        asset?: (AssetRef & More) | undefined;
        destination?: (ConversionDestination & More) | undefined;
    } & More) | undefined;
    swap_quote_id?: string | undefined;
    transaction_id?: string | undefined;
    [member: string]: unknown;
}

export interface ConversionDestination {
    type?: string | undefined;
    wallet_id?: string | undefined;
    user_id?: string | undefined;
}

export type ConversionEndpoint = BalanceEndpoint | WalletEndpoint | BankEndpoint | UnrecognizedEndpoint;

export interface ConversionListParams extends PageParams {
    conversion_rule_id?: string | undefined;
    status?: ConversionStatus | undefined;
}

export interface ConversionRule {
    id: string;
    name?: string | undefined;
    status?: ConversionRuleStatus | undefined;
    current_uses?: number | undefined;
    from?: {
        asset?: ConversionAsset | undefined;
        via?: string | undefined;
    } | undefined;
    to?: {
        asset?: ConversionAsset | undefined;
        destination?: ConversionDestination | undefined;
    } | undefined;
    inbound?: Inbound | undefined;
    created_at?: string | undefined;
    updated_at?: string | undefined;
}

export interface ConversionRuleCreateBody {
    from: {
        asset: AssetInput;
        via: string;
    };
    to: {
        asset: AssetRef;
        destination: ConversionDestination;
    };
    name?: string | undefined;
    status?: ConversionRuleStatus | undefined;
}

export type ConversionRuleStatus = 'active' | 'paused' | (string & {});

class ConversionRules extends Resource {
    create(accountId: string, body: ConversionRuleCreateBody, options?: RequestOptions): ApiPromise<ConversionRule>;
}

export interface ConversionSource {
    type?: 'balance' | 'external_wallet' | (string & {}) | undefined;
    via?: string | undefined;
    [member: string]: unknown;
}

export type ConversionStatus = 'pending_deposit' | 'converting' | 'settling' | 'completed' | 'failed' | (string & {});

class Conversions extends Resource {
    get(conversionId: string, options?: UnkeyedRequestOptions): ApiPromise<Conversion>;
    waitFor(conversionId: string, options?: WaitOptions<Conversion, never>): ApiPromise<WithStatus<Conversion, TerminalConversionStatus>>;
    waitFor<const Status extends KnownStatus<Conversion>>(conversionId: string, options: WaitOptions<Conversion, Status | readonly Status[]>): ApiPromise<WithStatus<Conversion, TerminalConversionStatus | Status>>;
    waitFor(conversionId: string, options: WaitOptions<Conversion> | undefined): ApiPromise<Conversion>;
}

export interface CreatedPriceTriggerSwap {
    id: string;
}

export interface CreatedUser {
    id: string;
    accounts: UserAccount[];
    [member: string]: unknown;
}

export interface CustomList<Item = unknown> extends ListOptions, Pick<CustomRequest, 'path' | 'params' | 'query'> {
    readonly schema?: StandardSchema<Item> | undefined;
    readonly items?: string | undefined;
    readonly cursor?: string | undefined;
    readonly next?: string | undefined;
    readonly operation?: string | undefined;
}

export type CustomRequest<Output = unknown> = RequestDescription<Output> & MethodAndKey;

export class DeadlineExceededError extends ApiError {
}

export const Decimal: Decimal$1.Constructor;

export type Decimal = Decimal$1;

export interface DeletedWebhook {
    webhook_id: string;
    deleted_at?: string | undefined;
}

export interface DepositAddress extends DepositDestination {
    name?: string | undefined;
    is_new?: boolean | undefined;
}

export interface DepositAddressCreateBody extends DepositAsset {
    method_id: string;
}

export interface DepositAddressEntry extends DepositDestination {
    asset?: AssetLabel | undefined;
    method?: FundingMethod | undefined;
}

export interface DepositAddressListParams extends DepositAsset, PageParams {
}

class DepositAddresses extends Resource {
    create(accountId: string, body: DepositAddressCreateBody, options?: RequestOptions): ApiPromise<DepositAddress>;
    list(accountId: string, params: DepositAddressListParams, options?: ListOptions): PagedList<DepositAddressEntry>;
}

interface DepositAsset {
    asset_symbol: string;
    asset_type?: AssetType | undefined;
}

interface DepositDestination {
    address: string;
    tag?: string | null | undefined;
    memo?: string | null | undefined;
    expire_time?: string | null | undefined;
}

export interface DepositLimit {
    method_id: string;
    maximum_amount: AssetAmount;
    period_limits: {
        type: 'amount' | (string & {});
        period: 'daily' | (string & {});
        period_seconds: number;
        asset: AssetRef;
        remaining: Decimal;
        maximum: Decimal;
    }[];
}

export interface DepositLimitListParams extends PageParams {
    page_size?: number | undefined;
}

class DepositLimits extends Resource {
    list(accountId: string, assetSymbol: string, params?: DepositLimitListParams, options?: ListOptions): PagedList<DepositLimit>;
}

export interface DepositMethod {
    id: string;
    network?: string | undefined;
    network_info?: unknown;
    fee?: AssetQuantity | undefined;
    minimum?: AssetQuantity | undefined;
    maximum?: AssetQuantity | undefined;
    address_setup_fee?: AssetQuantity | undefined;
    fee_percentage?: Decimal | undefined;
    deposit_limit_meta?: unknown;
}

export type DepositMethodListParams = PageParams;

class DepositMethods extends Resource {
    list(accountId: string, assetSymbol: string, params?: DepositMethodListParams, options?: ListOptions): PagedList<DepositMethod>;
}

class Earn extends Resource {
    readonly auto: EarnAuto;
}

export interface EarnAllocation extends AssetLabel {
    allocated?: Decimal | undefined;
    allocated_in_quote?: Decimal | undefined;
}

export interface EarnAllocationPageMeta extends Valuation {
    total_allocated_in_quote?: Decimal | undefined;
}

class EarnAllocations extends Resource {
    list(accountId: string, params?: EarnListParams, options?: ListOptions): PagedList<EarnAllocation, EarnAllocationPageMeta>;
}

export interface EarnAsset extends AssetLabel {
    yield_source?: string | undefined;
    apy?: Decimal | undefined;
    user_cap?: Decimal | undefined;
}

export interface EarnAssetListParams extends EarnListParams {
    country: string;
}

class EarnAssets extends Resource {
    list(params: EarnAssetListParams, options?: ListOptions): PagedList<EarnAsset>;
}

class EarnAuto extends Resource {
    readonly assets: EarnAssets;
}

export interface EarnListParams {
    page_size?: number | undefined;
    page_token?: string | undefined;
}

export interface EarnReward extends AssetLabel {
    rewarded?: Decimal | undefined;
    rewarded_in_quote?: Decimal | undefined;
    estimated_next_reward?: Decimal | undefined;
    estimated_next_reward_in_quote?: Decimal | undefined;
    other_assets?: unknown;
}

export interface EarnRewardPageMeta extends Valuation {
    total_rewarded_in_quote?: Decimal | undefined;
    next_reward_date?: string | null | undefined;
}

class EarnRewards extends Resource {
    list(accountId: string, params?: EarnListParams, options?: ListOptions): PagedList<EarnReward, EarnRewardPageMeta>;
}

export interface EarnSettings {
    staking?: EarnStatus | undefined;
}

export type EarnStatus = 'enabled' | 'disabled' | 'pending_enabled' | 'pending_disabled' | (string & {});

export interface EarnUpdateBody {
    staking?: 'enabled' | 'disabled' | (string & {}) | undefined;
}

export interface EndEvent extends CallEvent {
    readonly outcome: Outcome;
    readonly attempts: number;
    readonly queueTime: number;
    readonly durationMs: number;
    readonly error: PartnerError | undefined;
}

type EndpointAmount = SymbolAmount & {
    status: 'settled' | (string & {});
};

export interface ErrorEvent extends CallEvent {
    readonly error: PartnerError;
    readonly outcome: Outcome;
    readonly attempts: number;
    readonly durationMs: number;
}

export interface ExpectedDeposit {
    id: string;
    status?: 'pending' | 'received' | 'credited' | 'expired' | (string & {}) | undefined;
    account?: string | undefined;
    asset?: AssetQuantity | undefined;
    reference?: string | undefined;
    inbound?: Inbound | undefined;
    created_at?: string | undefined;
}

export interface ExpectedDepositCreateBody {
    asset: FixedQuoteSide;
    via: string;
}

class ExpectedDeposits extends Resource {
    create(accountId: string, body: ExpectedDepositCreateBody, options?: RequestOptions): ApiPromise<ExpectedDeposit>;
}

type Fetch = typeof globalThis extends {
    fetch: infer Native;
} ? Native : (url: string, init: unknown) => Promise<unknown>;

export interface FetchTransportOptions {
    readonly fetch?: Fetch | undefined;
}

export interface FieldsFirstLogger {
    debug?(fields: object, message: string): unknown;
    info?(fields: object, message: string): unknown;
    warn?(fields: object, message: string): unknown;
    error?(fields: object, message: string): unknown;
}

export interface FixedQuoteSide {
    symbol: string;
    type: AssetType;
    amount: Decimal | string;
}

export class ForbiddenError extends ApiError {
    get gateway(): boolean;
    toJSON(): Record<string, unknown>;
}

type FromWallet = {
    wallet: {
        address: string;
        network: string;
    };
};

class FundingAddresses extends Resource {
    delete(accountId: string, addressId: string, options?: UnkeyedRequestOptions): ApiPromise<void>;
}

export interface FundingMethod {
    id: string;
    name?: string | undefined;
}

class Funds extends Resource {
    readonly withdrawalAddresses: WithdrawalAddresses;
    readonly withdrawalMethods: WithdrawalMethods;
    readonly addresses: FundingAddresses;
    readonly bankLinks: BankLinks;
    readonly depositLimits: DepositLimits;
    readonly depositMethods: DepositMethods;
    readonly depositAddresses: DepositAddresses;
    readonly withdrawals: Withdrawals;
    readonly transactions: FundsTransactions;
}

export interface FundsTransaction {
    type?: 'withdrawal' | 'deposit' | (string & {}) | undefined;
    timestamp?: string | undefined;
    asset?: AssetLabel | undefined;
    amount?: Decimal | undefined;
    status?: FundsTransactionStatus | undefined;
    ref_id: string;
}

export interface FundsTransactionListParams {
    type: 'withdrawal' | 'deposit' | (string & {});
    page_size?: number | undefined;
    cursor?: string | undefined;
}

export type FundsTransactionStatus = 'pending' | 'held' | 'success' | 'settled' | 'failure' | 'failed' | 'completed' | (string & {});

class FundsTransactions extends Resource {
    list(params: FundsTransactionListParams, options?: ListOptions): PagedList<FundsTransaction>;
}

export class GoneError extends ApiError {
}

export interface HeadlessUserCreateBody {
    external_reference: string;
}

export interface Hooks {
    readonly onStart?: ((event: StartEvent) => unknown) | undefined;
    readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
    readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
    readonly onAttemptEnd?: ((event: AttemptEndEvent) => unknown) | undefined;
    readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
    readonly onError?: ((event: ErrorEvent) => unknown) | undefined;
    readonly onApplied?: ((event: AppliedEvent) => unknown) | undefined;
    readonly onEnd?: ((event: EndEvent) => unknown) | undefined;
    readonly onClient?: ((event: ClientEvent) => unknown) | undefined;
    readonly headers?: ((event: AttemptEvent) => Readonly<Record<string, string | undefined>> | undefined) | undefined;
    readonly run?: ((event: RunEvent, next: () => Promise<void>) => unknown) | undefined;
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface IdentityDocument {
    front_url: string;
    back_url?: string | undefined;
    metadata?: VerificationMetadata | undefined;
    [member: string]: unknown;
}

export interface Inbound {
    id: string;
    via?: string | undefined;
    status?: 'active' | (string & {}) | undefined;
    lifecycle?: 'reusable' | (string & {}) | undefined;
    routing?: InboundRouting | undefined;
    address?: string | undefined;
    memo?: string | undefined;
    conversion_rule_id?: string | undefined;
    created_at?: string | undefined;
}

export interface InboundRouting {
    iban?: string | undefined;
    bic?: string | undefined;
    routing_number?: string | undefined;
    account_number?: string | undefined;
    beneficiary_name?: string | undefined;
    readonly [member: string]: unknown;
}

export class InternalError extends ApiError {
}

export interface Issue {
    readonly path: string;
    readonly message: string;
}

export type ItemWaitOptions<Value, Until = Condition<Value, KnownStatus<Value>>> = WaitOptions<Value, Until, Value | undefined>;

const KEYED_OPERATIONS: readonly [
    "accounts.conversionRules.create",
    "accounts.conversions.create",
    "accounts.deposits.create",
    "accounts.transfers.create",
    "accounts.quotes.create",
    "accounts.quotes.execute",
    "accounts.priceTriggerSwaps.create",
    "accounts.priceTriggerSwaps.cancel",
    "accounts.wallets.whitelist",
    "funds.withdrawalAddresses.save",
    "funds.withdrawalAddresses.update",
    "funds.withdrawalAddresses.validate",
    "funds.depositAddresses.create",
    "funds.withdrawals.create",
    "webhooks.create",
    "webhooks.update",
    "webhooks.test"
];

type KeyedOperation = (typeof KEYED_OPERATIONS)[number];

export type KeyedWrite = KeyedOperation | `${'POST' | 'PUT' | 'PATCH'} /${string}`;

export type KnownStatus<Value> = [
    Named<StatusOf<Value>>
] extends [
    never
] ? string : Named<StatusOf<Value>>;

export interface LaneStats {
    readonly origin: string;
    readonly transport: string;
    readonly nonceOrder: NonceOrder;
    readonly way: Way | undefined;
    readonly gap: number;
    readonly connections: number | undefined;
    readonly inFlight: number;
    readonly waiting: number;
    readonly refusedShare: number;
    readonly races: number;
    readonly unsolicited: number;
}

export interface ListOptions extends UnkeyedRequestOptions {
    readonly prefetch?: boolean | undefined;
}

export interface Logger {
    debug?(message: string, fields: object): unknown;
    info?(message: string, fields: object): unknown;
    warn?(message: string, fields: object): unknown;
    error?(message: string, fields: object): unknown;
}

type MethodAndKey = {
    readonly method: 'GET';
    readonly idempotencyKey?: undefined;
} | ({
    readonly method: Exclude<HttpMethod, 'GET'>;
} & Pick<RequestOptions, 'idempotencyKey'>);

interface MinimalSignal {
    readonly aborted: boolean;
    readonly reason: unknown;
    addEventListener(type: 'abort', listener: () => void): void;
    removeEventListener(type: 'abort', listener: () => void): void;
}

type More = {
    [member: string]: unknown;
};

type Named<Text> = Text extends string ? (string extends Text ? never : Text) : never;

export type NamedAsset = string | PartialAssetRef;

export interface NamedAssetRef extends AssetRef {
    name: string;
}

type NonceOrder = 'adaptive' | 'strict' | 'unordered';

export interface NonceSource {
    next(apiKey: string): bigint | Promise<bigint>;
}

export class NotFoundError extends ApiError {
}

export interface OnDemandConversion {
    id: string;
    status: 'converting' | 'settling' | 'failed' | 'completed' | (string & {});
    from: ConversionEndpoint;
    to: ConversionEndpoint;
    rate: {
        base: {
            symbol: string;
        };
        quote: {
            symbol: string;
        };
        price: Decimal;
    };
    fees: {
        from: SymbolAmount;
        trade: SymbolAmount;
        to: SymbolAmount;
    };
    transaction_references?: {
        to?: {
            transaction_id?: string | undefined;
            blockchain_transaction_id?: string | undefined;
        } | undefined;
    } | undefined;
    created_at: string;
    updated_at: string;
}

export interface OnDemandConversionListParams extends PageParams {
    page_size?: number | undefined;
}

class OnDemandConversions extends Resource {
    list(accountId: string, params?: OnDemandConversionListParams, options?: ListOptions): PagedList<OnDemandConversion>;
}

export interface OnchainExecutionDetails {
    chain_id: string;
    proxy_address: string;
    proxy_swap_message: {
        atomic_message: {
            quote_id: string;
            expiration: number;
            incoming_transfer: OnchainTransfer;
            outgoing_transfer: OnchainTransfer;
        };
        atomic_signature: string;
        signature: string;
        client_address: string;
    };
}

export interface OnchainQuote {
    id: string;
    status: OnchainQuoteStatus;
    expires_at: string;
    from: AssetAmount;
    to: AssetAmount;
    execution_details?: OnchainExecutionDetails | undefined;
}

export type OnchainQuoteCreateBody = QuoteSides<FromWallet>;

export type OnchainQuoteListParams = PageParams;

export type OnchainQuoteStatus = 'pending' | 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});

class OnchainQuotes extends Resource {
    create(accountId: string, body: OnchainQuoteCreateBody, options?: UnkeyedRequestOptions): ApiPromise<OnchainQuote>;
    get(accountId: string, quoteId: string, options?: UnkeyedRequestOptions): ApiPromise<OnchainQuote>;
    list(accountId: string, params?: OnchainQuoteListParams, options?: ListOptions): PagedList<OnchainQuote>;
    waitFor(accountId: string, quoteId: string, options?: WaitOptions<OnchainQuote, never>): ApiPromise<WithStatus<OnchainQuote, TerminalOnchainQuoteStatus | 'offered'>>;
    waitFor<const Status extends KnownStatus<OnchainQuote>>(accountId: string, quoteId: string, options: WaitOptions<OnchainQuote, Status | readonly Status[]>): ApiPromise<WithStatus<OnchainQuote, TerminalOnchainQuoteStatus | Status>>;
    waitFor(accountId: string, quoteId: string, options: WaitOptions<OnchainQuote> | undefined): ApiPromise<OnchainQuote>;
}

type OnchainTransfer = {
    from: string;
    to: string;
    token: string;
    amount: string;
};

interface OpenPageParams extends PageParams {
    [parameter: string]: unknown;
}

export type OtpProvider = (operation: string) => string | undefined | Promise<string | undefined>;

export type Outcome = 'not_applied' | 'applied' | 'unknown';

export /* type */ class Page<Item, Meta = PageMeta> implements Iterable<Item> {
    #private;
    readonly items: Item[];
    readonly nextPageToken: string | undefined;
    readonly hasNextPage: boolean;
    readonly meta: Meta;
    [Symbol.iterator](): IterableIterator<Item>;
    get response(): ResponseInfo;
    nextPage(): Promise<Page<Item, Meta>>;
}

export type PageMeta = Readonly<Record<string, unknown>>;

interface PageParams {
    page_size?: number | undefined;
    page_token?: string | undefined;
}

export /* type */ class PagedList<Item, Meta = PageMeta> implements AsyncIterable<Item>, PromiseLike<Page<Item, Meta>> {
    #private;
    then<Fulfilled = Page<Item, Meta>, Rejected = never>(onfulfilled?: ((page: Page<Item, Meta>) => Fulfilled | PromiseLike<Fulfilled>) | null, onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null): Promise<Fulfilled | Rejected>;
    catch<Rejected = never>(onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null): Promise<Page<Item, Meta> | Rejected>;
    finally(onfinally?: (() => void) | null): Promise<Page<Item, Meta>>;
    [Symbol.asyncIterator](): AsyncIterableIterator<Item>;
    pages(): AsyncIterableIterator<Page<Item, Meta>>;
    toArray(options: {
        limit: number;
    }): Promise<Item[]>;
}

type PartialAssetRef = {
    symbol?: string | undefined;
    type?: AssetType | undefined;
    name?: string | undefined;
};

export class PartnerClient {
    #private;
    readonly users: Users;
    readonly assets: Assets;
    readonly swap: Swap;
    readonly accounts: Accounts;
    readonly funds: Funds;
    readonly conversions: Conversions;
    readonly transfers: Transfers;
    readonly earn: Earn;
    readonly ramp: Ramp;
    readonly rampQuotes: RampQuotes;
    readonly reports: Reports;
    readonly webhooks: Webhooks;
    constructor(options?: ClientOptions);
    request<Output = unknown>(options: CustomRequest<Output>): ApiPromise<Output>;
    list<Item = unknown>(description: CustomList<Item>): PagedList<Item>;
    settle<T>(error: unknown, call: (options: SettlingOptions) => PromiseLike<T>, options?: SettleOptions): Promise<T>;
    withOptions(options: ClientOptions): this;
    stats(): ClientStats;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    toJSON(): Record<string, unknown>;
}

export namespace PartnerClient {
    export type { AccountConversions, AccountEarn, AccountEarnAssets, AccountEarnAuto, Accounts, AccountTransfers, AssetRates, Assets, BankLinks, ConversionRules, Conversions, DepositAddresses, DepositLimits, DepositMethods, Earn, EarnAllocations, EarnAssets, EarnAuto, EarnRewards, ExpectedDeposits, FundingAddresses, Funds, FundsTransactions, OnchainQuotes, OnDemandConversions, Portfolio, PortfolioTransactions, PriceTriggerSwaps, Quotes, Ramp, RampAssets, RampCheckouts, RampCountries, RampFiatCurrencies, RampLimits, RampPaymentMethods, RampQuotes, Reports, SettlementReports, Swap, SwapAssets, Transfers, UserAssets, Users, Verifications, Wallets, Webhooks, WithdrawalAddresses, WithdrawalMethods, Withdrawals, };
}

export class PartnerError extends Error {
    readonly outcome: Outcome;
    readonly operation: string | undefined;
    readonly attempts: Attempts;
    readonly idempotencyKey: string | undefined;
    constructor(message: string, facts?: CallFacts, options?: {
        cause?: unknown;
    });
    toJSON(): Record<string, unknown>;
}

interface PartnerFee {
    bps: number;
}

type Pem = string | Uint8Array;

export interface PollInfo {
    readonly polls: number;
    readonly elapsed: number;
    readonly nextDelay?: number | undefined;
}

class Portfolio extends Resource {
    readonly transactions: PortfolioTransactions;
    details(accountId: string, params?: PortfolioDetailsParams, options?: UnkeyedRequestOptions): ApiPromise<PortfolioDetails>;
    summary(accountId: string, params?: PortfolioSummaryParams, options?: UnkeyedRequestOptions): ApiPromise<PortfolioSummary>;
    history(accountId: string, params?: PortfolioHistoryParams, options?: UnkeyedRequestOptions): ApiPromise<PortfolioHistory>;
}

export interface PortfolioDetails {
    items: PortfolioEntry[];
    quote_symbol: string;
    quote_type: AssetType;
}

export interface PortfolioDetailsParams {
    quote_symbol?: string | undefined;
    quote_type?: 'fiat' | 'stablecoin' | undefined;
}

export interface PortfolioEntry extends AssetRef {
    index_price: Decimal;
    total: Decimal;
    available: Decimal;
    open_orders: Decimal;
    total_in_quote: Decimal;
    available_in_quote: Decimal;
    avg_entry_price_in_quote: Decimal | null;
    cost_basis_in_quote: Decimal | null;
    pnl?: {
        unrealized: Decimal;
        realized: Decimal;
        reference_currency: AssetRef;
        status: {
            unrealized: 'ready' | (string & {});
            realized: 'ready' | (string & {});
        };
    } | undefined;
}

export interface PortfolioHistory extends Valuation {
    items: PortfolioHistoryPoint[];
    start_timestamp?: string | undefined;
    end_timestamp?: string | undefined;
}

export interface PortfolioHistoryParams {
    assets?: readonly AssetFilter[] | undefined;
    start_timestamp?: string | undefined;
    end_timestamp?: string | undefined;
    quote_symbol?: string | undefined;
    quote_type?: 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | undefined;
}

export interface PortfolioHistoryPoint {
    timestamp?: string | undefined;
    assets?: AssetQuantity[] | undefined;
    value?: Decimal | undefined;
    total_pnl?: Decimal | undefined;
}

export interface PortfolioSummary extends Valuation {
    value?: Decimal | undefined;
    cost_basis?: Decimal | undefined;
    available?: Decimal | undefined;
    withheld?: Decimal | undefined;
    open_orders?: Decimal | undefined;
    pnl?: {
        unrealized?: Decimal | undefined;
    } | undefined;
}

export interface PortfolioSummaryParams {
    quote_symbol?: string | undefined;
    quote_type?: 'fiat' | undefined;
}

export interface PortfolioTransaction {
    id: string;
    timestamp?: string | undefined;
    type?: PortfolioTransactionType | undefined;
    status?: 'in_progress' | 'successful' | 'failed' | 'no_status' | 'uncategorized' | (string & {}) | undefined;
    spend?: PortfolioTransactionSide | undefined;
    receive?: PortfolioTransactionSide | undefined;
}

export interface PortfolioTransactionListParams extends OpenPageParams {
    types?: readonly PortfolioTransactionType[] | undefined;
    assets?: readonly (AssetFilter & {
        [member: string]: unknown;
    })[] | undefined;
    start_timestamp?: string | undefined;
    end_timestamp?: string | undefined;
    page_size?: number | undefined;
}

export interface PortfolioTransactionSide {
    timestamp?: string | undefined;
    sub_total?: ValuedAssetQuantity | undefined;
    fee?: ValuedAssetQuantity | undefined;
    total?: ValuedAssetQuantity | undefined;
    balance?: ValuedAssetQuantity | undefined;
}

export type PortfolioTransactionType = (typeof TYPES)[number] | (string & {});

class PortfolioTransactions extends Resource {
    list(accountId: string, params?: PortfolioTransactionListParams, options?: ListOptions): PagedList<PortfolioTransaction>;
}

type PriceTriggerCondition = {
    base?: PartialAssetRef | undefined;
    quote?: PartialAssetRef | undefined;
    drops_to?: Decimal | undefined;
    rises_to?: Decimal | undefined;
};

export interface PriceTriggerSwap {
    id: string;
    external_reference?: string | undefined;
    trade?: PriceTriggerTrade | undefined;
    when?: PriceTriggerCondition | undefined;
    status?: PriceTriggerSwapStatus | undefined;
    cancelled_reason?: {
        code?: 'system' | 'user_request' | (string & {}) | undefined;
    } | undefined;
}

export interface PriceTriggerSwapCreateBody {
    trade: {
        fee?: PartnerFee | undefined;
    } & QuoteSides;
    when: {
        base: AssetRef;
        quote: AssetRef;
    } & ({
        drops_to: Decimal | string;
        rises_to?: undefined;
    } | {
        drops_to?: undefined;
        rises_to: Decimal | string;
    });
    external_reference?: string | undefined;
    name?: string | undefined;
}

export interface PriceTriggerSwapListParams extends PageParams {
    statuses?: readonly PriceTriggerSwapStatus[] | undefined;
    page_size?: number | undefined;
}

export type PriceTriggerSwapStatus = (typeof STATUSES)[number] | (string & {});

class PriceTriggerSwaps extends Resource {
    create(accountId: string, body: PriceTriggerSwapCreateBody, options?: RequestOptions): ApiPromise<CreatedPriceTriggerSwap>;
    get(accountId: string, id: string, options?: UnkeyedRequestOptions): ApiPromise<PriceTriggerSwap>;
    list(accountId: string, params?: PriceTriggerSwapListParams, options?: ListOptions): PagedList<PriceTriggerSwap>;
    cancel(accountId: string, id: string, options?: RequestOptions): ApiPromise<void>;
    waitFor(accountId: string, id: string, options?: WaitOptions<PriceTriggerSwap, never>): ApiPromise<WithStatus<PriceTriggerSwap, TerminalPriceTriggerSwapStatus>>;
    waitFor<const Status extends KnownStatus<PriceTriggerSwap>>(accountId: string, id: string, options: WaitOptions<PriceTriggerSwap, Status | readonly Status[]>): ApiPromise<WithStatus<PriceTriggerSwap, TerminalPriceTriggerSwapStatus | Status>>;
    waitFor(accountId: string, id: string, options: WaitOptions<PriceTriggerSwap> | undefined): ApiPromise<PriceTriggerSwap>;
}

type PriceTriggerTrade = {
    from?: TradeAmount | undefined;
    to?: TradeAmount | undefined;
    fees?: {
        trade?: TradeAmount | undefined;
    } | undefined;
    rate?: {
        base?: PartialAssetRef | undefined;
        quote?: PartialAssetRef | undefined;
        price?: Decimal | undefined;
    } | undefined;
};

export class ProviderError extends PartnerError {
}

export interface Quote {
    id: string;
    status: QuoteStatus;
    expires_at: string;
    from: AssetAmount;
    to: AssetAmount;
    fees: {
        trade: AssetAmount;
    };
    rate: {
        base: NamedAssetRef;
        quote: NamedAssetRef;
        price: Decimal;
    };
}

export type QuoteCreateBody = QuoteTerms & QuoteSides;

export interface QuoteExecution {
    id: string;
    status?: QuoteStatus | undefined;
    executed_at?: string | undefined;
}

type QuoteSides<From = unknown> = {
    from: FixedQuoteSide & From;
    to: ComputedQuoteSide;
} | {
    from: ComputedQuoteSide & From;
    to: FixedQuoteSide;
};

export type QuoteStatus = 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});

type QuoteTerms = {
    fee?: PartnerFee | undefined;
};

export type QuoteWithStatus<Status extends QuoteStatus> = WithStatus<Quote, Status>;

class Quotes extends Resource {
    #private;
    get(accountId: string, quoteId: string, options?: UnkeyedRequestOptions): ApiPromise<Quote>;
    create(accountId: string, body: QuoteCreateBody, options?: RequestOptions): ApiPromise<Quote>;
    execute(accountId: string, quoteId: string, options?: RequestOptions): ApiPromise<QuoteExecution>;
    trade(accountId: string, body: QuoteCreateBody, options: TradeOptions): Promise<Trade>;
    waitFor(accountId: string, quoteId: string, options?: WaitOptions<Quote, never>): ApiPromise<TerminalQuote>;
    waitFor<const Status extends KnownStatus<Quote>>(accountId: string, quoteId: string, options: WaitOptions<Quote, Status | readonly Status[]>): ApiPromise<QuoteWithStatus<TerminalQuoteStatus | Status>>;
    waitFor(accountId: string, quoteId: string, options: WaitOptions<Quote> | undefined): ApiPromise<Quote>;
}

class Ramp extends Resource {
    readonly countries: RampCountries;
    readonly fiatCurrencies: RampFiatCurrencies;
    readonly paymentMethods: RampPaymentMethods;
    readonly assets: RampAssets;
    readonly limits: RampLimits;
    readonly checkout: RampCheckouts;
}

export interface RampAssetListParams extends OpenPageParams {
    country: string;
    subdivision?: string | undefined;
}

class RampAssets extends Resource {
    list(params: RampAssetListParams, options?: ListOptions): PagedList<unknown>;
}

export interface RampCheckout {
    checkout_url?: string | undefined;
    request_data?: unknown;
    [member: string]: unknown;
}

export interface RampCheckoutParams extends RampSidesParams {
    in_amount?: Decimal | string | undefined;
    affiliate_fee_bps?: string | undefined;
    subdivision?: string | undefined;
    redirect_url?: string | undefined;
    failure_url?: string | undefined;
    external_user_id?: string | undefined;
    external_transaction_id?: string | undefined;
    network?: string | undefined;
    wallet_address?: string | undefined;
    memo?: string | undefined;
    [parameter: string]: unknown;
}

class RampCheckouts extends Resource {
    get(params: RampCheckoutParams, options?: UnkeyedRequestOptions): ApiPromise<RampCheckout>;
}

class RampCountries extends Resource {
    list(params?: RampCountryListParams, options?: ListOptions): PagedList<RampCountry>;
}

export interface RampCountry {
    country: string;
    subdivisions?: string[] | undefined;
}

export interface RampCountryListParams {
    page_size?: number | undefined;
    page_token?: string | undefined;
}

class RampFiatCurrencies extends Resource {
    list(params?: RampFiatCurrencyListParams, options?: ListOptions): PagedList<unknown>;
}

export interface RampFiatCurrencyListParams {
    page_size?: number | undefined;
    page_token?: string | undefined;
    [parameter: string]: unknown;
}

export interface RampLimit {
    limits?: {
        deposit?: RampLimitRange | undefined;
        withdrawal?: RampLimitRange | undefined;
        [member: string]: unknown;
    } | undefined;
    final_combined?: {
        in_asset?: RampLimitRange | undefined;
        out_asset?: RampLimitRange | undefined;
        [member: string]: unknown;
    } | undefined;
    [member: string]: unknown;
}

export interface RampLimitParams extends RampSidesParams {
    in_asset_symbol: string;
    [parameter: string]: unknown;
}

export interface RampLimitRange {
    minimum?: AssetQuantity | undefined;
    maximum?: AssetQuantity | undefined;
    [member: string]: unknown;
}

class RampLimits extends Resource {
    get(params: RampLimitParams, options?: UnkeyedRequestOptions): ApiPromise<RampLimit>;
}

export type RampPaymentMethodListParams = OpenPageParams;

class RampPaymentMethods extends Resource {
    list(params?: RampPaymentMethodListParams, options?: ListOptions): PagedList<unknown>;
}

export interface RampQuote {
    from: RampQuoteSide;
    to: RampQuoteSide;
    unit_price: {
        asset: NamedAsset;
        denomination_asset: NamedAsset;
        unit_price: Decimal;
    };
}

export interface RampQuoteProspectiveParams {
    from_symbol?: string | undefined;
    from_type?: AssetType | undefined;
    from_method?: string | undefined;
    from_amount?: Decimal | string | undefined;
    to_symbol?: string | undefined;
    to_type?: AssetType | undefined;
    to_method?: string | undefined;
    country?: string | undefined;
    subdivision?: string | undefined;
    affiliate_fee_bps?: string | undefined;
}

export interface RampQuoteSide {
    asset: NamedAssetRef;
    total: Decimal | null;
    subtotal: Decimal | null;
    fee: Decimal | null;
    deposit_fee: Decimal | null;
    affiliate_fee: Decimal | null;
    withdrawal_fee: Decimal | null;
}

class RampQuotes extends Resource {
    prospective(params: RampQuoteProspectiveParams, options?: UnkeyedRequestOptions): ApiPromise<RampQuote>;
}

export interface RampSidesParams {
    in_asset_symbol?: string | undefined;
    in_asset_type?: AssetType | undefined;
    in_method?: string | undefined;
    out_asset_symbol?: string | undefined;
    out_asset_type?: AssetType | undefined;
    out_method?: string | undefined;
    country?: string | undefined;
}

export interface RegisteredWebhookSubscription extends UpdatedWebhookSubscription {
    signing_secret: string;
}

export interface RenamedWithdrawalAddress {
    key: string;
}

class Reports extends Resource {
    readonly settlement: SettlementReports;
}

interface RequestDescription<Output = unknown> extends Omit<RequestOptions, 'otp' | 'idempotencyKey'> {
    readonly path: string;
    readonly params?: Readonly<Record<string, string>> | undefined;
    readonly query?: Readonly<Record<string, unknown>> | undefined;
    readonly body?: unknown;
    readonly schema?: StandardSchema<Output> | undefined;
    readonly idempotent?: boolean | undefined;
    readonly otp?: RequestOptions['otp'] | true;
    readonly unwrap?: boolean | undefined;
}

export interface RequestEvent extends AttemptEvent {
    readonly queueTime: number;
    readonly laneTime: number;
}

export interface RequestOptions extends UnkeyedRequestOptions {
    readonly idempotencyKey?: string | undefined;
}

export class RequestValidationError extends PartnerError {
    readonly issues: readonly Issue[];
    constructor(issues: readonly Issue[], facts?: CallFacts);
}

export interface ResidenceDocument {
    document_url: string;
    metadata?: VerificationMetadata | undefined;
    [member: string]: unknown;
}

abstract class Resource {
    #private;
}

export class ResourceExhaustedError extends ApiError {
}

export interface ResponseEvent extends RequestEvent {
    readonly status: number;
    readonly durationMs: number;
    readonly replayed: boolean;
}

export interface ResponseInfo {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly attempts: number;
    readonly idempotencyKey: string | undefined;
    readonly replayed: boolean;
}

type ResponseValidation = 'tolerant' | 'strict' | 'warn';

export class ResponseValidationError extends PartnerError {
    readonly issues: readonly Issue[];
    readonly response: ResponseInfo | undefined;
    readonly notJson: boolean;
    readonly body: string;
    constructor(issues: readonly Issue[], answer: {
        response?: ApiErrorDetails['response'] | undefined;
        body: string;
        notJson?: boolean | undefined;
    }, facts?: CallFacts);
}

export interface RetryEvent extends AttemptEvent {
    readonly reason: AttemptFailure['reason'];
    readonly status: number | undefined;
    readonly code: string | undefined;
    readonly delayMs: number;
}

export type RunEvent = (CallEvent & {
    readonly kind: 'call';
    readonly attempt?: undefined;
}) | (AttemptEvent & {
    readonly kind: 'attempt';
});

const SORTS: readonly [
    "trending_rank",
    "market_cap_rank",
    "market_cap",
    "price",
    "volume.last_24h",
    "price_change_percent.last_1h",
    "price_change_percent.last_24h",
    "price_change_percent.last_7d",
    "price_change_percent.last_30d",
    "price_change_percent.last_1y",
    "symbol",
    "name",
    "listing_date"
];

const STATUSES: readonly [
    "active",
    "completed",
    "cancelled"
];

export interface Selfie {
    center_url: string;
    left_url: string;
    right_url: string;
    [member: string]: unknown;
}

export interface SettleOptions {
    readonly timeout?: number | undefined;
    readonly signal?: Signal | undefined;
}

export interface SettlementReport {
    id: string;
    date?: string | undefined;
    type?: SettlementReportType | undefined;
    size?: number | undefined;
    name?: string | undefined;
}

export interface SettlementReportDownload extends SettlementReport {
    download_url?: string | undefined;
    expires_at?: string | undefined;
}

export interface SettlementReportListParams extends PageParams {
    start_date?: string | undefined;
    end_date?: string | undefined;
    report_type?: readonly SettlementReportType[] | undefined;
}

export type SettlementReportType = 'swaps' | 'price_trigger_swaps' | 'earn_rewards' | (string & {});

class SettlementReports extends Resource {
    list(params?: SettlementReportListParams, options?: ListOptions): PagedList<SettlementReport>;
    get(reportId: string, options?: UnkeyedRequestOptions): ApiPromise<SettlementReportDownload>;
}

export type SettlingOptions = RequestOptions & {
    readonly idempotencyKey: string;
};

export interface SignInput {
    readonly method: string;
    readonly path: string;
    readonly nonce: string;
    readonly body: Uint8Array | undefined;
    readonly apiKey: string;
    readonly apiSecret: string | undefined;
}

type Signal = typeof globalThis extends {
    AbortSignal: {
        prototype: infer Native;
    };
} ? Native : MinimalSignal;

export interface Signer {
    sign(input: SignInput): string | Promise<string>;
}

type SomeOf<T> = {
    [Key in keyof T]?: T[Key] | undefined;
};

type StandardResult<Output> = {
    readonly value: Output;
    readonly issues?: undefined;
} | {
    readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | {
            readonly key: PropertyKey;
        })[] | undefined;
    }[];
};

export interface StandardSchema<Output = unknown> {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
        readonly types?: {
            readonly input: unknown;
            readonly output: Output;
        } | undefined;
    };
}

export interface StartEvent extends CallEvent {
}

type StatusOf<Value> = Value extends {
    readonly status?: infer Status;
} ? Status extends {
    readonly state: infer State;
} ? State : Status : never;

export interface SubmittedVerification {
    verification_id: string;
    [member: string]: unknown;
}

type SupplyFigures = {
    circulating?: Decimal | undefined;
    total?: Decimal | undefined;
    max?: Decimal | undefined;
};

class Swap extends Resource {
    readonly assets: SwapAssets;
}

export interface SwapAsset {
    supported_rails?: unknown[] | undefined;
    [member: string]: unknown;
}

export type SwapAssetListParams = OpenPageParams;

class SwapAssets extends Resource {
    list(params?: SwapAssetListParams, options?: ListOptions): PagedList<SwapAsset>;
}

export interface SymbolAmount {
    symbol: string;
    amount: Decimal;
}

const TERMINAL: readonly [
    "completed",
    "failed"
];

const TERMINAL: readonly [
    "completed",
    "cancelled"
];

const TERMINAL$1: readonly [
    "executed",
    "expired",
    "failed"
];

const TERMINAL$1: readonly [
    "completed",
    "failed",
    "cancelled"
];

const TERMINAL$2: readonly [
    "completed",
    "failed"
];

const TYPES: readonly [
    "simple_order",
    "simple_order_failed",
    "price_trigger_swap",
    "price_trigger_swap_failed",
    "earn_reward",
    "deposit"
];

type TerminalConversionStatus = (typeof TERMINAL$2)[number];

type TerminalOnchainQuoteStatus = (typeof TERMINAL$1)[number];

type TerminalPriceTriggerSwapStatus = (typeof TERMINAL)[number];

export type TerminalQuote = QuoteWithStatus<TerminalQuoteStatus>;

type TerminalQuoteStatus = 'executed' | 'expired' | 'failed';

type TerminalTransferStatus = (typeof TERMINAL$1)[number];

type TerminalVerificationStatus = (typeof TERMINAL)[number];

export class TimeoutError extends PartnerError {
}

export interface TlsOptions {
    readonly ca?: Pem | readonly Pem[] | undefined;
    readonly cert?: Pem | readonly Pem[] | undefined;
    readonly key?: Pem | undefined;
    readonly passphrase?: string | undefined;
}

export type Trade = {
    readonly status: 'executed';
    readonly quote: QuoteWithStatus<'executed'>;
    readonly quotes: number;
} | {
    readonly status: 'declined';
    readonly quote: Quote;
};

type TradeAmount = PartialAssetRef & {
    amount?: Decimal | undefined;
};

export class TradeError extends PartnerError {
    readonly quote: Quote | undefined;
    constructor(message: string, facts: CallFacts, quote: Quote | undefined, options?: {
        cause?: unknown;
    });
}

export interface TradeOptions extends UnkeyedRequestOptions {
    readonly reference: string;
    readonly accept: (quote: Quote) => boolean | Promise<boolean>;
    readonly maxQuotes?: number | undefined;
    readonly timeout?: number | undefined;
}

export interface Transfer {
    id: string;
    status?: TransferStatus | undefined;
    failure_reason?: string | undefined;
    from?: {
        asset?: TransferAsset | undefined;
    } | undefined;
    amount?: Decimal | undefined;
    readonly [member: string]: unknown;
}

type TransferAsset = {
    symbol?: string | undefined;
    type?: AssetType | undefined;
    amount?: Decimal | undefined;
};

export interface TransferCreateBody {
    from?: {
        asset?: (Omit<TransferAsset, 'amount'> & {
            amount?: Decimal | string | undefined;
            readonly [member: string]: unknown;
        }) | undefined;
        readonly [member: string]: unknown;
    } | undefined;
    to: TransferRecipient;
    readonly [member: string]: unknown;
}

export type TransferListParams = OpenPageParams;

export type TransferRecipient = {
    readonly [member: string]: unknown;
} & ({
    account: string;
    tag?: undefined;
    email?: undefined;
} | {
    tag: string;
    account?: undefined;
    email?: undefined;
} | {
    email: string;
    account?: undefined;
    tag?: undefined;
});

export type TransferStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | (string & {});

class Transfers extends Resource {
    get(transferId: string, options?: UnkeyedRequestOptions): ApiPromise<Transfer>;
    cancel(transferId: string, options?: UnkeyedRequestOptions): ApiPromise<unknown>;
    waitFor(transferId: string, options?: WaitOptions<Transfer, never>): ApiPromise<WithStatus<Transfer, TerminalTransferStatus>>;
    waitFor<const Status extends KnownStatus<Transfer>>(transferId: string, options: WaitOptions<Transfer, Status | readonly Status[]>): ApiPromise<WithStatus<Transfer, TerminalTransferStatus | Status>>;
    waitFor(transferId: string, options: WaitOptions<Transfer> | undefined): ApiPromise<Transfer>;
}

export interface Transport {
    readonly name: string;
    readonly brand: 'partner-sdk.transport';
}

export class UnauthenticatedError extends ApiError {
}

export class UnavailableError extends ApiError {
}

interface UndiciDispatcher {
    dispatch(options: object, handler: object): boolean;
}

export interface UndiciTransportOptions {
    readonly dispatcher?: UndiciDispatcher | undefined;
    readonly http2?: boolean | undefined;
    readonly tls?: TlsOptions | undefined;
}

export class UnimplementedError extends ApiError {
}

export interface UnkeyedRequestOptions {
    readonly signal?: Signal | undefined;
    readonly timeout?: number | undefined;
    readonly attemptTimeout?: number | undefined;
    readonly maxRetries?: number | undefined;
    readonly otp?: string | OtpProvider | undefined;
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

export /* type */ enum Unrecognized {
    value = "(unrecognized)"
}

type UnrecognizedEndpoint = {
    type: Unrecognized;
    readonly [member: string]: unknown;
};

export interface UpdatedWebhookSubscription extends WebhookSubscription {
    [member: string]: unknown;
}

export interface User {
    id: string;
    external_reference: string;
    type: 'individual' | (string & {});
    status: {
        state: 'ok' | (string & {});
        required_actions: unknown[];
    };
    created_at: string;
    accounts: UserAccount[];
}

export interface UserAccount {
    id: string;
    name: 'main' | 'secondary' | (string & {});
}

class UserAssets extends Resource {
    list(userId: string, params?: AssetListParams, options?: ListOptions): PagedList<AssetListing, AssetPageMeta>;
}

export interface UserBirth {
    date?: string | undefined;
    city?: string | undefined;
    country?: string | undefined;
    [member: string]: unknown;
}

export interface UserCreateBody {
    email: string;
    external_reference: string;
    full_name: UserFullName;
    residence: UserResidence;
    phone: string;
    nationalities: readonly string[];
    birth?: UserBirth | undefined;
    occupation?: unknown;
    [member: string]: unknown;
}

export interface UserFullName {
    first_name: string;
    last_name: string;
    middle_name?: string | undefined;
    [member: string]: unknown;
}

export interface UserResidence {
    line1: string;
    line2?: string | undefined;
    city: string;
    province?: string | undefined;
    postal_code: string;
    country: string;
    [member: string]: unknown;
}

export interface UserUpdateBody {
    full_name?: SomeOf<UserFullName> | undefined;
    residence?: SomeOf<UserResidence> | undefined;
    phone?: string | null | undefined;
    nationalities?: readonly string[] | null | undefined;
    birth?: UserBirth | undefined;
    [member: string]: unknown;
}

class Users extends Resource {
    readonly verifications: Verifications;
    readonly assets: UserAssets;
    create(body: UserCreateBody, options?: UnkeyedRequestOptions): ApiPromise<CreatedUser>;
    createHeadless(body: HeadlessUserCreateBody, options?: UnkeyedRequestOptions): ApiPromise<CreatedUser>;
    update(userId: string, body: UserUpdateBody, options?: UnkeyedRequestOptions): ApiPromise<void>;
    get(userId: string, options?: UnkeyedRequestOptions): ApiPromise<User>;
    waitFor(userId: string, options?: WaitOptions<User>): ApiPromise<User>;
}

interface Valuation {
    quote_symbol?: string | undefined;
    quote_type?: AssetType | undefined;
}

export interface ValuedAssetQuantity extends AssetQuantity {
    amount_in_quote?: Decimal | undefined;
}

export interface Verification {
    verification_id: string;
    types: ('proof_of_identity' | 'proof_of_address' | 'proof_of_liveness' | (string & {}))[];
    method: 'url' | 'hosted' | (string & {});
    status: 'completed' | 'pending' | 'failed' | (string & {});
    reasons?: {
        code: 'unreadable' | 'wrong_side' | (string & {});
        details?: string[] | undefined;
    }[] | undefined;
    created_at: string;
    updated_at: string;
}

export interface VerificationMetadata {
    identity?: {
        full_name?: unknown;
        birth?: UserBirth | undefined;
        [member: string]: unknown;
    } | undefined;
    document_type?: 'passport' | 'drivers_license' | 'id_card' | 'residence_card' | 'special_permanent_residence_card' | (string & {}) | undefined;
    document_number?: string | undefined;
    issuing_country?: string | undefined;
    verifier?: unknown;
    verified_at?: string | undefined;
    verifier_response?: unknown;
    [member: string]: unknown;
}

export type VerificationUrlBody = VerificationUrlMembers & ({
    proof_of_identity: IdentityDocument;
} | {
    proof_of_address: ResidenceDocument;
} | {
    proof_of_liveness: Selfie;
} | {
    center_url: string;
    left_url: string;
    right_url: string;
} | {
    document_url: string;
} | {
    front_url: string;
});

interface VerificationUrlMembers extends SomeOf<IdentityDocument>, SomeOf<ResidenceDocument>, SomeOf<Selfie> {
    type?: 'identity_document' | (string & {}) | undefined;
    verifier_response_url?: string | undefined;
    proof_of_identity?: IdentityDocument | undefined;
    proof_of_address?: ResidenceDocument | undefined;
    proof_of_liveness?: Selfie | undefined;
    [member: string]: unknown;
}

class Verifications extends Resource {
    list(userId: string, options?: UnkeyedRequestOptions): ApiPromise<Verification[]>;
    submitUrl(userId: string, body: VerificationUrlBody, options?: UnkeyedRequestOptions): ApiPromise<SubmittedVerification>;
    waitFor(userId: string, verificationId: string, options?: ItemWaitOptions<Verification, never>): ApiPromise<WithStatus<Verification, TerminalVerificationStatus>>;
    waitFor<const Status extends KnownStatus<Verification>>(userId: string, verificationId: string, options: ItemWaitOptions<Verification, Status | readonly Status[]>): ApiPromise<WithStatus<Verification, TerminalVerificationStatus | Status>>;
    waitFor(userId: string, verificationId: string, options: ItemWaitOptions<Verification> | undefined): ApiPromise<Verification>;
}

export interface WaitOptions<Value, Until = Condition<Value, KnownStatus<Value>>, Polled = Value> extends UnkeyedRequestOptions {
    readonly until?: Until | undefined;
    readonly timeout?: number | undefined;
    readonly attemptTimeout?: number | undefined;
    readonly signal?: UnkeyedRequestOptions['signal'];
    readonly onPoll?: ((value: Polled, poll: PollInfo) => unknown) | undefined;
}

type WalletEndpoint = EndpointAmount & {
    type: 'wallet';
    wallet: {
        via: string;
        address: string;
        memo?: string | undefined;
        tag?: string | undefined;
    };
};

type WalletRail = 'sepa' | 'fps' | 'fedwire' | 'ach' | 'swift' | 'bitcoin' | 'ethereum' | 'solana' | 'tron' | 'polygon' | 'arbitrum' | (string & {});

export interface WalletWhitelistBody {
    via: WalletRail;
    address: string;
    memo?: string | undefined;
    external_user_id?: string | undefined;
}

class Wallets extends Resource {
    whitelist(accountId: string, body: WalletWhitelistBody, options?: RequestOptions): ApiPromise<WhitelistedWallet>;
}

type Way = 'http2' | 'http1' | 'fetch' | 'dispatcher' | 'memory';

export interface WebhookCreateBody {
    url: string;
    events?: readonly string[] | undefined;
    description?: string | undefined;
    [member: string]: unknown;
}

export interface WebhookListParams extends PageParams {
    page_size?: number | undefined;
}

export interface WebhookSubscription {
    id: string;
    url: string;
    description: string;
    disabled?: boolean | undefined;
    created_at: string;
    updated_at: string;
    events: string[];
}

export interface WebhookTest {
    test_id: string;
    result?: string | undefined;
    http_status?: number | undefined;
    response_body?: string | undefined;
    error_message?: string | null | undefined;
    payload_sent?: string | undefined;
    signature_header?: string | undefined;
}

export interface WebhookUpdateBody {
    events?: readonly string[] | undefined;
    disabled?: boolean | undefined;
    description?: string | undefined;
    [member: string]: unknown;
}

export class WebhookVerificationError extends PartnerError {
    readonly reason: WebhookVerificationReason;
    constructor(reason: WebhookVerificationReason, message: string);
}

export type WebhookVerificationReason = 'missing_header' | 'bad_format' | 'bad_signature' | 'too_old' | 'too_new';

class Webhooks extends Resource {
    list(params?: WebhookListParams, options?: ListOptions): PagedList<WebhookSubscription>;
    create(body: WebhookCreateBody, options?: RequestOptions): ApiPromise<RegisteredWebhookSubscription>;
    update(webhookId: string, body: WebhookUpdateBody, options?: RequestOptions): ApiPromise<UpdatedWebhookSubscription>;
    delete(webhookId: string, options?: UnkeyedRequestOptions): ApiPromise<DeletedWebhook>;
    test(webhookId: string, options?: RequestOptions): ApiPromise<WebhookTest>;
}

export interface WhitelistedWallet {
    account: string;
    id: string;
    via: WalletRail;
    address: string;
    status: 'pending' | 'approved' | 'rejected' | (string & {});
    external_user_id?: string | undefined;
    created_at: string;
}

export interface WithResponse<T> {
    readonly data: T;
    readonly response: ResponseInfo;
}

type WithStatus<Value, Status extends string> = string extends Status ? Value : Status extends unknown ? Value & {
    status: Status;
} : never;

export interface Withdrawal {
    ref_id: string;
    amount?: Decimal | undefined;
    fee?: Decimal | undefined;
    total?: Decimal | undefined;
    fee_token?: string | null | undefined;
}

export interface WithdrawalAddress {
    key: string;
    tag: string | null;
}

export interface WithdrawalAddressEntry {
    key: string;
    asset?: AssetLabel | undefined;
    method?: FundingMethod | undefined;
    address?: string | undefined;
    memo?: string | null | undefined;
    tag?: string | null | undefined;
    created_at?: string | undefined;
}

export interface WithdrawalAddressListParams extends PageParams {
    asset_symbol?: string | undefined;
}

export interface WithdrawalAddressSaveBody extends WithdrawalDestination {
    key: string;
    memo?: string | undefined;
    tag?: string | undefined;
}

export interface WithdrawalAddressUpdateBody {
    new_key: string;
}

export interface WithdrawalAddressValidateBody extends WithdrawalDestination {
    memo?: string | null | undefined;
}

export interface WithdrawalAddressValidity {
    valid: boolean;
}

class WithdrawalAddresses extends Resource {
    validate(body: WithdrawalAddressValidateBody, options?: RequestOptions): ApiPromise<WithdrawalAddressValidity>;
    save(accountId: string, body: WithdrawalAddressSaveBody, options?: RequestOptions): ApiPromise<WithdrawalAddress>;
    update(accountId: string, key: string, body: WithdrawalAddressUpdateBody, options?: RequestOptions): ApiPromise<RenamedWithdrawalAddress>;
    delete(accountId: string, key: string, options?: UnkeyedRequestOptions): ApiPromise<void>;
    list(accountId: string, params?: WithdrawalAddressListParams, options?: ListOptions): PagedList<WithdrawalAddressEntry>;
}

export interface WithdrawalCreateBody {
    asset_symbol: string;
    key: string;
    amount: Decimal | string;
    asset_type?: AssetType | undefined;
    fee_token?: string | undefined;
    preview?: boolean | undefined;
}

interface WithdrawalDestination {
    asset_symbol: string;
    method_id: string;
    address: string;
    asset_type?: AssetType | undefined;
}

export interface WithdrawalMethod {
    method_id?: string | undefined;
    network?: unknown;
    fee?: unknown;
    fee_token?: string | null | undefined;
    minimum?: unknown;
    maximum?: unknown;
    [member: string]: unknown;
}

export type WithdrawalMethodListParams = OpenPageParams;

class WithdrawalMethods extends Resource {
    list(accountId: string, assetSymbol: string, params?: WithdrawalMethodListParams, options?: ListOptions): PagedList<WithdrawalMethod>;
}

class Withdrawals extends Resource {
    create(accountId: string, body: WithdrawalCreateBody, options?: RequestOptions): ApiPromise<Withdrawal>;
    waitFor(accountId: string, refId: string, options?: ItemWaitOptions<FundsTransaction>): ApiPromise<FundsTransaction>;
}

export function fetchTransport(options?: FetchTransportOptions): Transport;

export function idempotencyKeyFor(namespace: string, operation: KeyedWrite, ...ids: readonly [
    string,
    ...string[]
]): string;

export function isApiError(error: unknown, code?: ApiErrorCode): error is ApiError;

export function isPartnerError(error: unknown): error is PartnerError;

export function pinoLogger(logger: FieldsFirstLogger): Logger;

export function undiciTransport(options?: UndiciTransportOptions): Transport;
