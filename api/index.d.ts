// partner-sdk

export class AbortedError extends PartnerError {
}

export interface AccountLink {
    account_link_id: string;
    account_last4: string;
    status: 'active' | (string & {});
    eligibility_status: BankEligibility;
    eligible_rails?: ('ach' | 'rtp' | (string & {}))[] | undefined;
    ineligibility_reasons?: ('name_mismatch' | (string & {}))[] | undefined;
}

class Accounts extends Resource {
    readonly onDemandConversions: OnDemandConversions;
    readonly quotes: Quotes;
    readonly onchainQuotes: OnchainQuotes;
    readonly portfolio: Portfolio;
    readonly wallets: Wallets;
}

export class ApiError extends PartnerError {
    readonly status: number;
    readonly type: string;
    readonly code: ApiErrorCode;
    readonly instance: string;
    readonly docUrl: string | undefined;
    readonly causes: readonly ApiErrorCause[];
    readonly retryAfter: number | undefined;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
    constructor(details: ApiErrorDetails, facts?: CallFacts);
}

export interface ApiErrorCause {
    readonly field?: string | undefined;
    readonly message?: string | undefined;
    readonly [member: string]: unknown;
}

export type ApiErrorCode = 'bad_request' | 'unauthenticated' | 'forbidden' | 'gateway' | 'not_found' | 'user_not_found' | 'bank_link_not_found' | 'conflict' | 'resource_exhausted' | 'internal' | 'unimplemented' | 'unavailable' | 'deadline_exceeded' | '' | (string & {});

interface ApiErrorDetails extends Pick<ApiError, 'status' | 'type' | 'code' | 'instance' | 'docUrl' | 'causes' | 'retryAfter' | 'headers' | 'body'> {
    readonly advice?: string | undefined;
}

export /* type */ class ApiPromise<T> extends Promise<T> {
    #private;
    static get [Symbol.species](): PromiseConstructor;
    withResponse(): Promise<WithResponse<T>>;
}

type ApiSecret = string | (() => string | Promise<string>);

export interface AssetAmount extends NamedAssetRef {
    amount: Decimal;
}

export interface AssetListParams {
    type?: readonly AssetType[] | undefined;
    swap_trading?: boolean | undefined;
    withdraw?: boolean | undefined;
    deposit?: boolean | undefined;
    sort?: AssetSort | undefined;
    sort_direction?: 'asc' | 'desc' | undefined;
    page_size?: number | undefined;
    page_token?: string | undefined;
    quote_symbol?: string | undefined;
    quote_type?: 'fiat' | (string & {}) | undefined;
}

export interface AssetListing {
    symbol: string;
    type: AssetType;
    name: string;
    status: {
        swap_trading: {
            enabled: boolean;
            disabled_against: (AssetRef & {
                name?: string | undefined;
            })[];
        };
        withdraw: {
            enabled: boolean;
        };
        deposit: {
            enabled: boolean;
        };
    };
    logo?: {
        width: number;
        height: number;
        href: string;
        type: string;
    } | undefined;
    decimals: {
        funding: number;
        swap: number;
    };
    listing_date?: string | undefined;
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
    sort: AssetSort;
    sort_direction: 'asc' | 'desc' | (string & {});
    type?: AssetType[] | undefined;
    swap_trading?: boolean | undefined;
    withdraw?: boolean | undefined;
    deposit?: boolean | undefined;
}

export interface AssetRef {
    symbol: string;
    type: AssetType;
}

export type AssetSort = (typeof SORTS)[number] | (string & {});

export type AssetType = 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | (string & {});

interface AttemptEvent extends CallEvent {
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

type BalanceEndpoint = {
    type: 'balance';
    symbol: string;
    amount: Decimal;
    status: 'settled' | (string & {});
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
}

interface CallEvent {
    readonly callId: string;
    readonly operation: string;
    readonly method: string;
    readonly path: string;
    readonly idempotencyKey: string | undefined;
}

interface CallFacts {
    readonly outcome: Outcome;
    readonly operation: string | undefined;
    readonly attempts: Attempts;
    readonly idempotencyKey: string | undefined;
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
    readonly nonceOrder?: NonceOrder | undefined;
    readonly nonceRefusals?: number | undefined;
    readonly signer?: Signer | Signer['sign'] | undefined;
    readonly otp?: string | OtpProvider | undefined;
    readonly transport?: Transport | undefined;
    readonly maxResponseBytes?: number | undefined;
    readonly allowInsecureHttp?: boolean | undefined;
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
    readonly responseValidation?: ResponseValidation | undefined;
    readonly logger?: Logger | undefined;
    readonly hooks?: Hooks | undefined;
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

export type ConversionEndpoint = BalanceEndpoint | WalletEndpoint | BankEndpoint | UnrecognizedEndpoint;

export type CustomRequest<Output = unknown> = RequestDescription<Output> & MethodAndKey;

export class DeadlineExceededError extends ApiError {
}

export const Decimal: Decimal$1.Constructor;

export type Decimal = Decimal$1;

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

export interface DepositLimitListParams {
    page_size?: number | undefined;
    page_token?: string | undefined;
}

class DepositLimits extends Resource {
    list(accountId: string, assetSymbol: string, params?: DepositLimitListParams, options?: ListOptions): PagedList<DepositLimit>;
}

export interface EndEvent extends CallEvent {
    readonly outcome: Outcome;
    readonly attempts: number;
    readonly queueTime: number;
    readonly durationMs: number;
    readonly error: PartnerError | undefined;
}

export interface ErrorEvent extends CallEvent {
    readonly error: PartnerError;
    readonly outcome: Outcome;
    readonly attempts: number;
    readonly durationMs: number;
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

class Funds extends Resource {
    readonly withdrawalAddresses: WithdrawalAddresses;
    readonly addresses: FundingAddresses;
    readonly bankLinks: BankLinks;
    readonly depositLimits: DepositLimits;
}

export class GoneError extends ApiError {
}

export interface Hooks {
    readonly onStart?: ((event: StartEvent) => unknown) | undefined;
    readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
    readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
    readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
    readonly onError?: ((event: ErrorEvent) => unknown) | undefined;
    readonly onEnd?: ((event: EndEvent) => unknown) | undefined;
    readonly run?: ((event: RunEvent, next: () => Promise<void>) => unknown) | undefined;
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export class InternalError extends ApiError {
}

export interface Issue {
    readonly path: string;
    readonly message: string;
}

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

export interface OnDemandConversionListParams {
    page_size?: number | undefined;
    page_token?: string | undefined;
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
    status: 'pending' | 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});
    expires_at: string;
    from: AssetAmount;
    to: AssetAmount;
    execution_details: OnchainExecutionDetails;
}

export type OnchainQuoteCreateBody = {
    from: FixedQuoteSide & FromWallet;
    to: ComputedQuoteSide;
} | {
    from: ComputedQuoteSide & FromWallet;
    to: FixedQuoteSide;
};

class OnchainQuotes extends Resource {
    create(accountId: string, body: OnchainQuoteCreateBody, options?: UnkeyedRequestOptions): ApiPromise<OnchainQuote>;
}

type OnchainTransfer = {
    from: string;
    to: string;
    token: string;
    amount: string;
};

export type OtpProvider = (operation: string) => string | undefined | Promise<string | undefined>;

export type Outcome = 'not_applied' | 'applied' | 'unknown';

export /* type */ class Page<Item, Meta = PageMeta> {
    #private;
    readonly items: Item[];
    readonly nextPageToken: string | undefined;
    readonly hasNextPage: boolean;
    readonly meta: Meta;
    get response(): ResponseInfo;
    nextPage(): Promise<Page<Item, Meta>>;
}

export type PageMeta = Readonly<Record<string, unknown>>;

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

export class PartnerClient {
    #private;
    readonly users: Users;
    readonly accounts: Accounts;
    readonly funds: Funds;
    readonly rampQuotes: RampQuotes;
    readonly webhooks: Webhooks;
    constructor(options?: ClientOptions);
    request<Output = unknown>(options: CustomRequest<Output>): ApiPromise<Output>;
    withOptions(options: ClientOptions): PartnerClient;
    stats(): ClientStats;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    toJSON(): Record<string, unknown>;
}

export namespace PartnerClient {
    export type { Accounts, BankLinks, DepositLimits, FundingAddresses, Funds, OnchainQuotes, OnDemandConversions, Portfolio, Quotes, RampQuotes, UserAssets, Users, Verifications, Wallets, Webhooks, WithdrawalAddresses, };
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

type Pem = string | Uint8Array;

export interface PollInfo {
    readonly polls: number;
    readonly elapsed: number;
    readonly nextDelay?: number | undefined;
}

class Portfolio extends Resource {
    details(accountId: string, params?: PortfolioDetailsParams, options?: UnkeyedRequestOptions): ApiPromise<PortfolioDetails>;
}

export interface PortfolioDetails {
    items: PortfolioEntry[];
    quote_symbol: string;
    quote_type: AssetType;
}

export interface PortfolioDetailsParams {
    quote_symbol?: string | undefined;
    quote_type?: 'fiat' | 'stablecoin' | (string & {}) | undefined;
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

export type QuoteCreateBody = QuoteTerms & ({
    from: FixedQuoteSide;
    to: ComputedQuoteSide;
} | {
    from: ComputedQuoteSide;
    to: FixedQuoteSide;
});

export interface QuoteExecution {
    id: string;
    status?: QuoteStatus | undefined;
    executed_at?: string | undefined;
}

export type QuoteStatus = 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});

type QuoteTerms = {
    fee?: {
        bps: number;
    } | undefined;
};

export type QuoteWithStatus<Status extends QuoteStatus> = string extends Status ? Quote : Status extends unknown ? Quote & {
    status: Status;
} : never;

class Quotes extends Resource {
    get(accountId: string, quoteId: string, options?: UnkeyedRequestOptions): ApiPromise<Quote>;
    create(accountId: string, body: QuoteCreateBody, options?: RequestOptions): ApiPromise<Quote>;
    execute(accountId: string, quoteId: string, options?: RequestOptions): ApiPromise<QuoteExecution>;
    waitFor(accountId: string, quoteId: string, options?: WaitOptions<Quote, never>): ApiPromise<TerminalQuote>;
    waitFor<const Status extends QuoteStatus>(accountId: string, quoteId: string, options: WaitOptions<Quote, Status | readonly Status[]>): ApiPromise<QuoteWithStatus<TerminalQuoteStatus | Status>>;
    waitFor(accountId: string, quoteId: string, options: WaitOptions<Quote> | undefined): ApiPromise<Quote>;
}

export interface RampQuote {
    from: RampQuoteSide;
    to: RampQuoteSide;
    unit_price: {
        asset: UnitPriceAsset;
        denomination_asset: UnitPriceAsset;
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

export interface RenamedWithdrawalAddress {
    key: string;
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
}

export interface RequestOptions extends UnkeyedRequestOptions {
    readonly idempotencyKey?: string | undefined;
}

export class RequestValidationError extends PartnerError {
    readonly issues: readonly Issue[];
    constructor(issues: readonly Issue[], facts?: CallFacts);
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
    readonly status: number | undefined;
    readonly body: string;
    constructor(issues: readonly Issue[], answer: {
        status?: number | undefined;
        body: string;
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

type SupplyFigures = {
    circulating?: Decimal | undefined;
    total?: Decimal | undefined;
    max?: Decimal | undefined;
};

export interface SymbolAmount {
    symbol: string;
    amount: Decimal;
}

export type TerminalQuote = QuoteWithStatus<TerminalQuoteStatus>;

type TerminalQuoteStatus = 'executed' | 'expired' | 'failed';

export class TimeoutError extends PartnerError {
}

export interface TlsOptions {
    readonly ca?: Pem | readonly Pem[] | undefined;
    readonly cert?: Pem | readonly Pem[] | undefined;
    readonly key?: Pem | undefined;
    readonly passphrase?: string | undefined;
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
    readonly tls?: TlsOptions | undefined;
}

export class UnimplementedError extends ApiError {
}

type UnitPriceAsset = string | UnitPriceAssetRef;

type UnitPriceAssetRef = {
    symbol?: string | undefined;
    type?: AssetType | undefined;
    name?: string | undefined;
};

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

export interface User {
    id: string;
    external_reference?: string | undefined;
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

class Users extends Resource {
    readonly verifications: Verifications;
    readonly assets: UserAssets;
    get(userId: string, options?: UnkeyedRequestOptions): ApiPromise<User>;
    waitFor(userId: string, options?: WaitOptions<User>): ApiPromise<User>;
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

class Verifications extends Resource {
    list(userId: string, options?: UnkeyedRequestOptions): ApiPromise<Verification[]>;
}

export interface WaitOptions<Value, Until = string | readonly string[] | ((value: Value) => boolean)> extends UnkeyedRequestOptions {
    readonly until?: Until | undefined;
    readonly timeout?: number | undefined;
    readonly signal?: UnkeyedRequestOptions['signal'];
    readonly onPoll?: ((value: Value, poll: PollInfo) => unknown) | undefined;
}

type WalletEndpoint = {
    type: 'wallet';
    symbol: string;
    amount: Decimal;
    status: 'settled' | (string & {});
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

type Way = 'http2' | 'http1' | 'fetch' | 'dispatcher';

export interface WebhookListParams {
    page_size?: number | undefined;
    page_token?: string | undefined;
}

export interface WebhookSubscription {
    id: string;
    url: string;
    description?: string | undefined;
    disabled?: boolean | undefined;
    created_at: string;
    updated_at: string;
    events: string[];
}

export class WebhookVerificationError extends PartnerError {
    readonly reason: WebhookVerificationReason;
    constructor(reason: WebhookVerificationReason, message: string);
}

export type WebhookVerificationReason = 'missing_header' | 'bad_format' | 'bad_signature' | 'too_old' | 'too_new';

class Webhooks extends Resource {
    list(params?: WebhookListParams, options?: ListOptions): PagedList<WebhookSubscription>;
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

export interface WithdrawalAddress {
    key: string;
    tag: string | null;
}

export interface WithdrawalAddressSaveBody {
    asset_symbol: string;
    method_id: string;
    key: string;
    address: string;
    asset_type?: AssetType | undefined;
    memo?: string | undefined;
    tag?: string | undefined;
}

export interface WithdrawalAddressUpdateBody {
    new_key: string;
}

class WithdrawalAddresses extends Resource {
    save(accountId: string, body: WithdrawalAddressSaveBody, options?: RequestOptions): ApiPromise<WithdrawalAddress>;
    update(accountId: string, key: string, body: WithdrawalAddressUpdateBody, options?: RequestOptions): ApiPromise<RenamedWithdrawalAddress>;
}

export function fetchTransport(options?: FetchTransportOptions): Transport;

export function idempotencyKeyFor(namespace: string, ...parts: string[]): string;

export function isApiError(error: unknown, code?: ApiErrorCode): error is ApiError;

export function isPartnerError(error: unknown): error is PartnerError;

export function pinoLogger(logger: FieldsFirstLogger): Logger;

export function undiciTransport(options?: UndiciTransportOptions): Transport;
