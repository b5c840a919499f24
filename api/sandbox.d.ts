// partner-sdk/sandbox

export interface AccountHolding {
    readonly asset: string;
    readonly total: string;
    readonly available: string;
    readonly held: string;
    readonly heldBy: readonly HoldingOrder[];
}

export interface AccountInput {
    readonly name?: string | undefined;
    readonly balances?: Readonly<Record<string, string>> | undefined;
}

interface AccountLink {
    account_link_id: string;
    account_last4: string;
    status: 'active' | (string & {});
    eligibility_status: BankEligibility;
    eligible_rails?: ('ach' | 'rtp' | (string & {}))[] | undefined;
    ineligibility_reasons?: ('name_mismatch' | (string & {}))[] | undefined;
}

export interface AddressDepositInput {
    readonly address: string;
    readonly amount: string;
    readonly tag?: string | undefined;
    readonly memo?: string | undefined;
}

export interface AdvanceOptions {
    readonly deliver?: boolean | undefined;
}

export interface AgendaEntry {
    readonly at: number;
    readonly what: string;
    readonly task: string;
    readonly id: string;
    readonly account?: string | undefined;
    readonly resource?: string | undefined;
}

export interface AgendaFilter {
    readonly accountId?: string | undefined;
    readonly until?: number | undefined;
    readonly limit?: number | undefined;
}

export type ApiKeyScope = (typeof SCOPES)[number];

export interface Arrival {
    readonly conversion?: Wire<Conversion> | undefined;
    readonly deposit?: Wire<ExpectedDeposit> | undefined;
}

interface AssetAmount extends NamedAssetRef {
    amount: Decimal;
}

interface AssetLabel extends AssetRef {
    name?: string | undefined;
}

interface AssetListing {
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

export interface AssetOptions {
    readonly asset_type?: string | undefined;
    readonly uses?: readonly AssetUse[] | undefined;
    readonly against?: NamedAsset | undefined;
}

interface AssetQuantity extends AssetLabel {
    amount: Decimal;
}

interface AssetRef {
    symbol: string;
    type: AssetType;
}

type AssetStatus = Wire<AssetListing>['status'];

export interface AssetSum {
    readonly asset: string;
    readonly accounts: string;
    readonly books: string;
    readonly change: string;
}

type AssetType = 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | (string & {});

export type AssetUse = (typeof USES)[number];

const BOOK_NAMES: readonly [
    "exchange",
    "fees",
    "outside"
];

type BalanceEndpoint = EndpointAmount & {
    type: 'balance';
};

export interface BalanceInput extends NamedAsset {
    readonly total?: string | undefined;
    readonly available?: string | undefined;
}

type BankEligibility = 'eligible' | 'ineligible' | 'unknown' | (string & {});

type BankEndpoint = {
    type: 'bank';
};

interface BankLink {
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

export type BankLinkEligibility = (typeof ELIGIBILITIES)[number];

export interface BankLinkOptions {
    readonly eligibility?: 'eligible' | 'ineligible' | undefined;
    readonly unknownMs?: number | undefined;
    readonly missingIdentity?: boolean | undefined;
}

type BookName = (typeof BOOK_NAMES)[number];

export interface BooksCheck {
    readonly isBalanced: boolean;
    readonly assets: readonly AssetSum[];
    readonly negative: readonly {
        readonly account: string;
        readonly asset: string;
    }[];
    readonly unexplained: readonly {
        readonly account: string;
        readonly asset: string;
    }[];
}

export interface Cause {
    readonly field: string;
    readonly message: string;
}

export interface ChangeEntry extends EntryHead {
    readonly kind: 'change';
    readonly resource: string;
    readonly id: string;
    readonly account?: string | undefined;
    readonly from?: string | undefined;
    readonly to: string;
}

export interface CheckEvidence {
    readonly text: string;
    readonly count?: number | undefined;
    readonly seq?: number | undefined;
    readonly resource?: {
        readonly kind: string;
        readonly id: string;
    } | undefined;
}

export type CheckStatus = 'passed' | 'failed' | 'unseen';

export interface ClockEntry extends EntryHead {
    readonly kind: 'clock';
    readonly what: 'advanced' | 'stopped' | 'started' | 'reset' | 'restored';
    readonly ms?: number | undefined;
}

export interface ClockStatus {
    readonly now: number;
    readonly isRunning: boolean;
    readonly aheadMs: number;
    readonly next: AgendaEntry | undefined;
    readonly planned: number;
}

export interface ControlCall {
    readonly method: string;
    readonly at: number;
    readonly status: number;
    readonly problem: string | undefined;
}

export interface ControlEntry extends EntryHead {
    readonly kind: 'control';
    readonly method: string;
    readonly args: readonly unknown[];
    readonly status: number;
    readonly problem?: string | undefined;
}

interface Conversion {
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

interface ConversionAsset extends AssetLabel {
    amount?: Decimal | undefined;
}

interface ConversionDestination {
    type?: string | undefined;
    wallet_id?: string | undefined;
    user_id?: string | undefined;
}

type ConversionEndpoint = BalanceEndpoint | WalletEndpoint | BankEndpoint | UnrecognizedEndpoint;

export interface ConversionInput {
    readonly from: NamedAsset & {
        readonly type: 'balance' | 'bank';
        readonly amount: string;
    };
    readonly to: NamedAsset & {
        readonly type: 'balance' | 'bank' | 'wallet';
        readonly wallet_id?: string | undefined;
    };
    readonly fails?: boolean | undefined;
}

interface ConversionRule {
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

type ConversionRuleStatus = 'active' | 'paused' | (string & {});

interface ConversionSource {
    type?: 'balance' | 'external_wallet' | (string & {}) | undefined;
    via?: string | undefined;
    [member: string]: unknown;
}

type ConversionStatus = 'pending_deposit' | 'converting' | 'settling' | 'completed' | 'failed' | (string & {});

export interface CredentialOptions {
    readonly scopes?: readonly ApiKeyScope[] | undefined;
    readonly quota?: RequestQuota | undefined;
    readonly nonceWindow?: number | undefined;
    readonly label?: string | undefined;
}

const Decimal: Decimal$1.Constructor;

type Decimal = Decimal$1;

export interface Delay {
    readonly delayMs: number | readonly [
        least: number,
        most: number
    ];
}

export type Deliver = (request: PlatformRequest) => PlatformResponse | PromiseLike<PlatformResponse>;

export interface Delivery {
    readonly id: string;
    readonly webhookId: string;
    readonly eventId: string;
    readonly type: string;
    readonly at: number;
    readonly body: string;
    readonly status: 'pending' | 'delivered' | 'failed';
    readonly reason: string | undefined;
    readonly attempts: readonly DeliveryAttempt[];
    readonly nextAttemptAt: number | undefined;
    readonly cause?: number | undefined;
}

export interface DeliveryAttempt {
    readonly at: number;
    readonly url: string;
    readonly status: number | undefined;
    readonly error: string | undefined;
    readonly ms: number;
    readonly redelivery: boolean;
    readonly fault?: string | undefined;
    readonly copy?: boolean | undefined;
    readonly lost?: boolean | undefined;
    readonly request?: DeliveryExchange['request'] | undefined;
    readonly answer?: DeliveryExchange['answer'] | undefined;
}

export interface DeliveryEffects {
    readonly drop?: boolean | undefined;
    readonly delayMs?: number | undefined;
    readonly duplicate?: number | undefined;
    readonly reorder?: boolean | undefined;
    readonly signature?: 'wrong' | 'missing' | 'other_secret' | 'malformed' | undefined;
    readonly timestamp?: 'stale' | 'future' | number | undefined;
    readonly body?: 'changed' | 'reserialized' | 'truncated' | undefined;
    readonly contentType?: string | undefined;
    readonly sentAs?: string | undefined;
}

export interface DeliveryEntry extends EntryHead {
    readonly kind: 'delivery';
    readonly delivery: Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'status' | 'reason' | 'nextAttemptAt'>;
    readonly attempt: DeliveryAttempt;
    readonly about?: string | undefined;
}

export interface DeliveryExchange {
    readonly request: {
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
        readonly real: number;
    };
    readonly answer?: {
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
    };
}

export interface DeliveryFilter {
    readonly status?: Delivery['status'] | undefined;
    readonly kind?: string | undefined;
    readonly webhookId?: string | undefined;
    readonly eventId?: string | undefined;
    readonly q?: string | undefined;
    readonly after?: string | undefined;
    readonly limit?: number | undefined;
}

export type DeliveryForm = 'enveloped' | 'flat';

export interface DeliveryManner {
    readonly form?: DeliveryForm | undefined;
    readonly scheme?: DeliveryScheme | undefined;
}

export type DeliveryScheme = 'timestamped' | 'body' | 'standard';

export interface DeliverySummary extends Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'at' | 'status' | 'reason' | 'nextAttemptAt'> {
    readonly about?: string | undefined;
    readonly attempts: number;
    readonly last?: DeliveryAttempt | undefined;
}

export interface DepositInput extends NamedAsset {
    readonly amount: string;
    readonly method_id?: string | undefined;
}

interface DepositLimit {
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

const ELIGIBILITIES: readonly [
    "eligible",
    "ineligible",
    "unknown"
];

const EXECUTION_STEPS: readonly [
    "quote.finish",
    "wallet.screen",
    "conversion.settle",
    "conversion.complete",
    "onchain_quote.offer",
    "onchain_quote.finish",
    "price_trigger_swap.retry",
    "deposit.receive",
    "deposit.credit",
    "withdrawal.finish",
    "earn.settle",
    "verification.finish",
    "conversion.pay_in",
    "conversion.pay_out",
    "expected_deposit.credit",
    "transfer.process",
    "transfer.finish"
];

type EndpointAmount = SymbolAmount & {
    status: 'settled' | (string & {});
};

export interface EntryHead {
    readonly seq: number;
    readonly at: number;
    readonly real: number;
    readonly cause?: number | undefined;
}

export type EntryKind = TimelineEntry['kind'];

export interface EventsOptions {
    readonly after?: number | undefined;
    readonly kinds?: readonly EntryKind[] | undefined;
}

export type ExecutionTimes = {
    readonly [Step in (typeof EXECUTION_STEPS)[number]]?: number | undefined;
};

export interface ExpectOptions {
    readonly times?: number | undefined;
    readonly withinMs?: number | undefined;
    readonly after?: number | undefined;
}

interface ExpectedDeposit {
    id: string;
    status?: 'pending' | 'received' | 'credited' | 'expired' | (string & {}) | undefined;
    account?: string | undefined;
    asset?: AssetQuantity | undefined;
    reference?: string | undefined;
    inbound?: Inbound | undefined;
    created_at?: string | undefined;
}

const FAULTS: {
    readonly reset: NamedFault;
    readonly timeout: NamedFault;
    readonly html: NamedFault;
    readonly truncate: NamedFault;
    readonly empty: NamedFault;
    readonly garbage: NamedFault;
    readonly content_type: NamedFault;
    readonly slow: NamedFault;
};

export interface FailOptions extends Fault, TroubleTimes {
    readonly operation?: string | undefined;
    readonly match?: Omit<TroubleMatch, 'operation' | 'event' | 'eventId'> | undefined;
}

export interface Fault {
    readonly fault: FaultKind;
    readonly code?: string | undefined;
    readonly type?: string | undefined;
    readonly causes?: readonly Cause[] | undefined;
    readonly docUrl?: string | undefined;
    readonly retryAfterSeconds?: number | 'left' | undefined;
    readonly bytesPerSecond?: number | undefined;
}

export type FaultKind = number | FaultName;

type FaultName = keyof typeof FAULTS;

export interface GapEntry {
    readonly kind: 'gap';
    readonly after: number;
    readonly next: number;
}

export interface HoldingOrder {
    readonly resource: string;
    readonly id: string;
    readonly amount: string;
}

export interface IdempotencyFilter {
    readonly limit?: number | undefined;
    readonly after?: string | undefined;
}

export type IdempotencyScope = 'partner' | 'apiKey';

interface Inbound {
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

interface InboundRouting {
    iban?: string | undefined;
    bic?: string | undefined;
    routing_number?: string | undefined;
    account_number?: string | undefined;
    beneficiary_name?: string | undefined;
    readonly [member: string]: unknown;
}

export interface InboxAnswer {
    readonly name?: string | undefined;
    readonly status?: number | undefined;
    readonly delayMs?: number | undefined;
    readonly body?: string | undefined;
    readonly strict?: boolean | undefined;
    readonly times?: number | 'always' | undefined;
}

export interface InboxAnswering {
    readonly name?: string | undefined;
    readonly status: number;
    readonly delayMs: number;
    readonly body: string;
    readonly strict: boolean;
    readonly left: number | 'always';
}

export interface InboxFilter {
    readonly name?: string | undefined;
    readonly after?: number | undefined;
    readonly limit?: number | undefined;
}

export interface InboxMessage {
    readonly id: string;
    readonly seq: number;
    readonly name: string;
    readonly at: number;
    readonly real: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly verification: WebhookVerdict;
    readonly status: number;
}

export interface JournalEntry extends EntryHead {
    readonly kind: 'request';
    readonly instance: string | undefined;
    readonly apiKey: string | undefined;
    readonly account: string | undefined;
    readonly operation: string | undefined;
    readonly subject: string | undefined;
    readonly callId: string;
    readonly method: string;
    readonly path: string;
    readonly nonce: string | undefined;
    readonly key: string | undefined;
    readonly verdict: string;
    readonly isReplay?: boolean | undefined;
    readonly reason: string | undefined;
    readonly causes: readonly Cause[];
    readonly warnings?: readonly Cause[] | undefined;
    readonly likely?: string | undefined;
    readonly conflict?: KeyConflict | undefined;
    readonly fault: FaultKind | undefined;
    readonly faultId: string | undefined;
    readonly status: number | undefined;
    readonly ms: number;
    readonly latency: number;
    readonly isOwn?: boolean | undefined;
}

export interface JournalFilter extends RequestSelection {
    readonly instance?: string | undefined;
    readonly q?: string | undefined;
    readonly after?: number | undefined;
    readonly before?: number | undefined;
    readonly limit?: number | undefined;
}

export interface KeyConflict {
    readonly first: number | undefined;
    readonly differs: readonly string[];
}

export interface KeyUse {
    readonly at: number;
    readonly real: number;
}

export interface KeyedRequest {
    readonly operation: string;
    readonly account?: string | undefined;
    readonly method: string;
    readonly path: string;
    readonly at: number;
}

interface KindControls {
    readonly users: SandboxUsers;
    readonly accounts: SandboxAccounts;
    readonly quotes: SandboxQuotes;
    readonly onchainQuotes: SandboxOnchainQuotes;
    readonly priceTriggerSwaps: SandboxPriceTriggerSwaps;
    readonly prices: SandboxPrices;
    readonly otp: SandboxOtp;
    readonly fees: SandboxFees;
    readonly withdrawals: SandboxWithdrawals;
    readonly assets: SandboxAssets;
    readonly onDemandConversions: SandboxOnDemandConversions;
    readonly conversions: SandboxConversions;
    readonly conversionRules: SandboxConversionRules;
    readonly deposits: SandboxDeposits;
    readonly transfers: SandboxTransfers;
    readonly bankLinks: SandboxBankLinks;
    readonly withdrawalAddresses: SandboxWithdrawalAddresses;
    readonly earn: SandboxEarn;
    readonly limits: SandboxLimits;
    readonly wallets: SandboxWallets;
}

export interface KnownOutcome {
    readonly operation: string;
    readonly outcome: string;
    readonly summary: string;
    readonly takes: readonly string[];
}

export interface LastNonce {
    readonly nonce: string;
    readonly time: NonceTime | undefined;
}

export interface LimitInput extends NamedAsset {
    readonly method_id?: string | undefined;
    readonly period?: string | undefined;
    readonly remaining?: string | undefined;
    readonly maximum?: string | undefined;
    readonly maximum_amount?: string | undefined;
}

export interface ListenOptions {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
    readonly allowedHosts?: readonly string[] | undefined;
    readonly tls?: TlsIdentity | undefined;
    readonly inspector?: boolean | undefined;
}

export interface ListeningAddress {
    readonly url: string;
    readonly port: number;
}

export interface MaskedSecret {
    readonly masked: string;
    readonly until?: number | undefined;
}

export interface MessageBody {
    readonly text?: string | undefined;
    readonly base64?: string | undefined;
    readonly bytes: number;
    readonly isCut: boolean;
}

interface NamedAsset {
    readonly symbol: string;
    readonly asset_type?: string | undefined;
}

interface NamedAssetRef extends AssetRef {
    name: string;
}

interface NamedFault {
    readonly label: string;
    readonly when: When;
}

export interface NonceTime {
    readonly unit: (typeof UNITS)[number]['unit'];
    readonly at: number;
}

const OF_THE_SANDBOX: readonly [
    "baseUrl",
    "apiKey",
    "apiSecret",
    "credentials",
    "transport"
];

interface OnDemandConversion {
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

interface OnchainExecutionDetails {
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

interface OnchainQuote {
    id: string;
    status: OnchainQuoteStatus;
    expires_at: string;
    from: AssetAmount;
    to: AssetAmount;
    execution_details?: OnchainExecutionDetails | undefined;
}

type OnchainQuoteStatus = 'pending' | 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});

type OnchainTransfer = {
    from: string;
    to: string;
    token: string;
    amount: string;
};

export interface Outcome {
    readonly outcome: string;
    readonly afterMs?: number | undefined;
    readonly reason?: string | undefined;
}

type PartialAssetRef = {
    symbol?: string | undefined;
    type?: AssetType | undefined;
    name?: string | undefined;
};

type PlatformRequest = typeof globalThis extends {
    Request: {
        prototype: infer Native;
    };
} ? Native : unknown;

type PlatformResponse = typeof globalThis extends {
    Response: {
        prototype: infer Native;
    };
} ? Native : unknown;

export interface PostingEntry extends EntryHead {
    readonly kind: 'posting';
    readonly from: string;
    readonly to: string;
    readonly asset: string;
    readonly amount: string;
    readonly reference: string;
    readonly fromBalance: string;
    readonly toBalance: string;
}

export interface PostingFilter {
    readonly accountId?: string | undefined;
    readonly asset?: string | undefined;
    readonly cause?: number | undefined;
    readonly reference?: string | undefined;
    readonly after?: number | undefined;
    readonly limit?: number | undefined;
}

type PriceTriggerCondition = {
    base?: PartialAssetRef | undefined;
    quote?: PartialAssetRef | undefined;
    drops_to?: Decimal | undefined;
    rises_to?: Decimal | undefined;
};

interface PriceTriggerSwap {
    id: string;
    external_reference?: string | undefined;
    trade?: PriceTriggerTrade | undefined;
    when?: PriceTriggerCondition | undefined;
    status?: PriceTriggerSwapStatus | undefined;
    cancelled_reason?: {
        code?: 'system' | 'user_request' | (string & {}) | undefined;
    } | undefined;
}

type PriceTriggerSwapStatus = (typeof STATUSES)[number] | (string & {});

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

type Profile = Readonly<Record<string, unknown>>;

type QueryValue = string | number | boolean;

export interface QuotaLevel extends RequestQuota {
    readonly used: number;
    readonly left: number;
    readonly endsInMs: number | undefined;
}

interface Quote {
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

type QuoteStatus = 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});

export interface RegisteredWebhook extends WebhookSubscription {
    signing_secret: string;
}

export interface ReplayOptions {
    readonly key?: 'same' | 'new' | undefined;
}

export interface RequestDetails extends JournalEntry {
    readonly request?: SentRequest | undefined;
    readonly response?: SentAnswer | undefined;
    readonly signing?: SigningCheck | undefined;
    readonly replays: readonly JournalEntry[];
    readonly effects: readonly TimelineEntry[];
}

export interface RequestMatcher extends RequestSelection {
    readonly path?: string | undefined;
    readonly body?: Readonly<Record<string, unknown>> | undefined;
}

export interface RequestQuota {
    readonly requests: number;
    readonly perMs: number;
}

export interface RequestSelection {
    readonly operation?: string | undefined;
    readonly accountId?: string | undefined;
    readonly key?: string | undefined;
    readonly apiKey?: string | undefined;
    readonly verdict?: string | undefined;
    readonly status?: number | undefined;
}

export type ResourceChange = Pick<ChangeEntry, 'seq' | 'at' | 'real' | 'cause' | 'from' | 'to'>;

export interface ResourceDetails extends SandboxResource {
    readonly history: readonly ResourceChange[];
}

export interface ResourceFilter {
    readonly accountId?: string | undefined;
    readonly status?: string | undefined;
    readonly q?: string | undefined;
    readonly limit?: number | undefined;
    readonly after?: string | undefined;
}

export interface ResourceKindInfo {
    readonly kind: string;
    readonly count: number;
    readonly states?: readonly string[] | undefined;
}

export interface ResourceMove {
    readonly name: string;
    readonly method: string;
    readonly args: readonly unknown[];
}

interface RotationOptions {
    readonly overlapMs?: number | undefined;
}

const SCOPES: readonly [
    "read",
    "trade",
    "funds",
    "users",
    "webhooks"
];

const STATUSES: readonly [
    "active",
    "completed",
    "cancelled"
];

export interface Sandbox extends SandboxControls {
    readonly credentials: SandboxCredentials;
    readonly fixtures: SandboxFixtures;
    readonly journal: readonly JournalEntry[];
    fail(options: FailOptions): () => void;
    advance(ms: number): void;
    snapshot(): SandboxSnapshot;
    reset(): void;
    restore(snapshot: SandboxSnapshot): void;
    listen(options?: ListenOptions): Promise<ListeningAddress>;
    fetch(request: PlatformRequest): Promise<PlatformResponse>;
    transport(): Transport;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

interface SandboxAccounts {
    add(userId: string, input?: AccountInput): Wire<UserAccount>;
    setBalance(accountId: string, balance: BalanceInput): SandboxBalance;
    empty(accountId: string): SandboxBalance[];
    convert(accountId: string, input: ConversionInput): Wire<OnDemandConversion>;
    deposit(accountId: string, input: DepositInput): Wire<DepositLimit>;
    deposit(accountId: string, input: AddressDepositInput): SandboxDeposit;
    readonly books: Readonly<Record<BookName, Readonly<Record<string, string>>>>;
}

export interface SandboxAsset {
    readonly symbol: string;
    readonly type: string;
    readonly name: string;
    readonly status: AssetStatus;
}

interface SandboxAssets {
    list(): SandboxAsset[];
    disable(symbol: string, options?: AssetOptions): SandboxAsset;
    enable(symbol: string, options?: AssetOptions): SandboxAsset;
    readonly tradeLimits: readonly SandboxTradeLimits[];
    setTradeLimits(symbol: string, limits: TradeLimitInput): void;
}

export interface SandboxBalance {
    readonly symbol: string;
    readonly type: string;
    readonly total: string;
    readonly available: string;
    readonly open_orders: string;
}

export interface SandboxBankLink extends Wire<BankLink> {
    readonly account: string;
}

interface SandboxBankLinks {
    list(): SandboxBankLink[];
    add(accountId: string, options?: BankLinkOptions): SandboxBankLink;
    setEligibility(bankLinkId: string, eligibility: BankLinkEligibility): SandboxBankLink;
    remove(bankLinkId: string): void;
}

interface SandboxBooks {
    check(): BooksCheck;
    holdings(accountId: string): AccountHolding[];
}

export interface SandboxCheck {
    readonly id: string;
    readonly title: string;
    readonly meaning: string;
    readonly status: CheckStatus;
    readonly failure?: string | undefined;
    readonly found: number;
    readonly evidence: readonly CheckEvidence[];
}

interface SandboxChecks {
    run(): SandboxCheck[];
}

interface SandboxClock {
    now(): number;
    status(): ClockStatus;
    advance(ms: number): void;
    advance(ms: number, options: AdvanceOptions): Promise<void>;
    set(time: number | string): void;
    next(): AgendaEntry | undefined;
    stop(): void;
    start(): void;
    agenda(filter?: AgendaFilter): AgendaEntry[];
}

interface SandboxControls extends SandboxWatching, KindControls {
    readonly requests: SandboxRequests;
    readonly checks: SandboxChecks;
    readonly keys: SandboxKeys;
    readonly idempotency: SandboxIdempotency;
    readonly resources: SandboxResources;
    readonly postings: SandboxPostings;
    readonly books: SandboxBooks;
    readonly clock: SandboxClock;
    readonly troubles: SandboxTroubles;
    readonly settings: SandboxSettings;
    readonly webhooks: SandboxWebhooks;
    readonly inbox: SandboxInbox;
}

interface SandboxConversionRules {
    list(): Wire<ConversionRule>[];
    setStatus(ruleId: string, status: 'active' | 'paused'): Wire<ConversionRule>;
}

interface SandboxConversions {
    settle(conversionId: string): Wire<Conversion>;
    complete(conversionId: string): Wire<Conversion>;
    fail(conversionId: string): void;
}

export interface SandboxCredentials {
    readonly apiKey: string;
    readonly apiSecret: string;
}

export interface SandboxDeposit {
    readonly ref_id: string;
    readonly account: string;
    readonly status: string;
    readonly method_id: string;
    readonly address?: string;
    readonly asset: WireAssetRef & {
        readonly amount: string;
    };
    readonly fee: string;
    readonly created_at: string;
}

interface SandboxDeposits {
    arrive(inboundId: string, amount?: string): Arrival;
    receive(refId: string): SandboxDeposit;
    credit(depositId: string): SandboxDeposit | Wire<ExpectedDeposit>;
    expire(depositId: string): Wire<ExpectedDeposit>;
    list(): Wire<ExpectedDeposit>[];
}

interface SandboxEarn {
    enable(accountId: string): void;
    disable(accountId: string): void;
    creditRewards(accountId: string): SandboxReward[];
}

interface SandboxExpecting {
    expect(matcher: RequestMatcher, options?: ExpectOptions): Promise<JournalEntry[]>;
    waitFor(matcher: RequestMatcher, options?: WaitOptions): Promise<JournalEntry[]>;
}

interface SandboxFees {
    list(): TradeFees;
    set(fees: Partial<TradeFees>): TradeFees;
}

export interface SandboxFixtures {
    readonly userId: string;
    readonly spacedUserId: string;
    readonly accountId: string;
    readonly secondaryAccountId: string;
    readonly foreignAccountId: string;
    readonly quoteId: string;
    readonly conversionId: string;
    readonly bankLinkId: string;
    readonly unlinkedBankLinkId: string;
    readonly methodId: string;
    readonly addressId: string;
    readonly webhookId: string;
    readonly assetSymbol: string;
    readonly withdrawalAddressKey: string;
    readonly rejectedWalletAddress: string;
    readonly otp: string;
}

export interface SandboxHealth {
    readonly version: string;
    readonly seed: number;
    readonly now: number;
    readonly uptime_ms: number;
    readonly inspect: boolean;
    readonly timeline_limit: number;
}

interface SandboxIdempotency {
    list(filter?: IdempotencyFilter): SandboxIdempotencyKey[];
    remove(key: string): void;
}

export interface SandboxIdempotencyKey {
    readonly key: string;
    readonly request: KeyedRequest;
    readonly status: number;
    readonly age: number;
    readonly expiresAt: number;
    readonly first: number | undefined;
}

interface SandboxInbox {
    url(name?: string): string;
    list(filter?: InboxFilter): InboxMessage[];
    answer(options: InboxAnswer): void;
    answers(): InboxAnswering[];
    clear(): void;
}

export interface SandboxKey {
    readonly apiKey: string;
    readonly label: string | undefined;
    readonly createdAt: number;
    readonly scopes: readonly ApiKeyScope[] | undefined;
    readonly quota: QuotaLevel | undefined;
    readonly nonceWindow: number;
    readonly lastNonce: LastNonce | undefined;
    readonly lastUse: KeyUse | undefined;
    readonly requests: number;
    readonly races: number;
    readonly revoked: boolean;
}

interface SandboxKeys {
    list(): SandboxKey[];
    issue(options?: CredentialOptions): SandboxCredentials;
    revoke(apiKey: string): void;
    reinstate(apiKey: string): void;
    setScopes(apiKey: string, scopes: readonly ApiKeyScope[] | null): void;
    setQuota(apiKey: string, quota: RequestQuota | null): void;
    setNonceWindow(apiKey: string, nonceWindow: number): void;
    rotateSecret(apiKey: string): SandboxCredentials;
}

interface SandboxLimits {
    set(accountId: string, limits: LimitInput): WireDepositLimit[];
}

interface SandboxOnDemandConversions {
    settle(conversionId: string): Wire<OnDemandConversion>;
    complete(conversionId: string): Wire<OnDemandConversion>;
    fail(conversionId: string): void;
}

interface SandboxOnchainQuotes {
    offer(quoteId: string): Wire<OnchainQuote>;
    submit(quoteId: string): void;
    settle(quoteId: string): Wire<OnchainQuote>;
    expire(quoteId: string): Wire<OnchainQuote>;
    fail(quoteId: string): void;
    setPendingTime(pendingMs: number): void;
}

export interface SandboxOptions {
    readonly seed?: number | undefined;
    readonly realTime?: boolean | undefined;
    readonly journalLimit?: number | undefined;
    readonly troubles?: readonly TroubleOptions[] | undefined;
    readonly settings?: SettingsInput | undefined;
    readonly otp?: string | undefined;
    readonly enforceUserStatus?: boolean | undefined;
    readonly scopes?: readonly ApiKeyScope[] | undefined;
    readonly idempotencyKeys?: IdempotencyScope | undefined;
    readonly webhookBackoff?: readonly number[] | undefined;
    readonly users?: readonly SandboxUserInput[] | undefined;
    readonly inspect?: boolean | undefined;
    readonly explain?: boolean | undefined;
    readonly snapshot?: SandboxSnapshot | undefined;
    readonly onRequest?: ((entry: JournalEntry) => void) | undefined;
    readonly deliver?: Deliver | undefined;
    readonly onDelivery?: ((delivery: Delivery, attempt: DeliveryAttempt) => void) | undefined;
    readonly onControl?: ((call: ControlCall) => void) | undefined;
}

interface SandboxOtp {
    get(): string | null;
    set(otp: string | null): void;
}

interface SandboxPostings {
    list(filter?: PostingFilter): PostingEntry[];
    readonly gone: number;
}

export interface SandboxPrice {
    readonly symbol: string;
    readonly type: string;
    readonly usd: string;
}

interface SandboxPriceTriggerSwaps {
    trigger(swapId: string): Wire<PriceTriggerSwap>;
    cancel(swapId: string): Wire<PriceTriggerSwap>;
    fail(swapId: string): Wire<PriceTriggerSwap>;
}

interface SandboxPrices {
    list(): SandboxPrice[];
    set(symbol: string, usd: string, assetType?: string): SandboxPrice;
}

interface SandboxQuotes {
    expire(quoteId: string): Wire<Quote>;
    settle(quoteId: string): Wire<Quote>;
    fail(quoteId: string): void;
}

interface SandboxRequests extends SandboxExpecting {
    list(filter?: JournalFilter): JournalEntry[];
    get(seq: number): RequestDetails | undefined;
    clear(): void;
    replay(seq: number, options?: ReplayOptions): Promise<RequestDetails>;
    send(options: SendOptions): Promise<SendResult>;
}

export interface SandboxResource {
    readonly id: string;
    readonly kind: string;
    readonly account?: string | undefined;
    readonly user?: string | undefined;
    readonly status?: string | undefined;
    readonly next?: AgendaEntry | undefined;
    readonly moves: readonly ResourceMove[];
    readonly record: unknown;
    readonly holdings?: readonly AccountHolding[] | undefined;
}

interface SandboxResources {
    kinds(): ResourceKindInfo[];
    list(kind: string, filter?: ResourceFilter): SandboxResource[];
    get(kind: string, id: string): ResourceDetails | undefined;
}

export interface SandboxReward extends WireAssetRef {
    readonly amount: string;
}

interface SandboxSettings {
    get(): Settings;
    update(settings: SettingsInput): Settings;
}

export interface SandboxSnapshot {
    readonly format: 'partner-sandbox';
    readonly version: 1;
    readonly seed: number;
    readonly [member: string]: unknown;
}

export interface SandboxTradeLimits extends TradeLimits {
    readonly from: string;
    readonly to?: string | undefined;
}

interface SandboxTransfers {
    process(transferId: string): Wire<Transfer>;
    complete(transferId: string): Wire<Transfer>;
    fail(transferId: string, reason?: string): void;
}

interface SandboxTroubles {
    readonly outcomes: readonly KnownOutcome[];
    add(options: TroubleOptions): Trouble;
    list(): Trouble[];
    remove(id: string): void;
    clear(): void;
}

export interface SandboxUser extends Wire<User> {
    readonly profile: Profile;
}

export interface SandboxUserInput {
    readonly external_reference: string;
    readonly balances?: Readonly<Record<string, string>> | undefined;
}

interface SandboxUsers {
    add(input: SandboxUserInput): Wire<User>;
    list(): User[];
    get(userId: string): SandboxUser;
    setStatus(userId: string, status: Partial<User['status']>): User;
    setVerification(verificationId: string, status: 'pending' | 'completed' | 'failed', reasons?: NonNullable<Verification['reasons']>): Wire<Verification>;
}

interface SandboxWallets {
    list(): WhitelistedWallet[];
    approve(walletId: string): Wire<WhitelistedWallet>;
    reject(walletId: string): Wire<WhitelistedWallet>;
    keepPending(walletId: string): Wire<WhitelistedWallet>;
    readonly rejectedAddresses: readonly string[];
    rejectAddress(address: string): void;
    unrejectAddress(address: string): void;
}

interface SandboxWatching {
    health(): SandboxHealth;
    events(options?: EventsOptions): AsyncIterableIterator<TimelineEntry | GapEntry>;
}

interface SandboxWebhooks {
    register(input: WebhookInput): RegisteredWebhook;
    update(webhookId: string, change: WebhookChange): WebhookSubscription;
    rotateSecret(webhookId: string, options?: RotationOptions): RegisteredWebhook;
    remove(webhookId: string): void;
    redeliver(deliveryId: string): Promise<Delivery>;
    retryFailed(): Promise<Delivery[]>;
    idle(): Promise<void>;
    list(): WebhookOverview[];
    listDeliveries(filter?: DeliveryFilter): Delivery[];
    deliverySummaries(filter?: DeliveryFilter): DeliverySummary[];
    secrets(webhookId: string): SigningSecret[] | undefined;
    samples(): WebhookSample[];
    trigger(kind: string, overrides?: object, options?: TriggerOptions): Promise<Delivery[]>;
    verify(input: WebhookVerifyInput): WebhookVerdict;
    verifyDelivery(deliveryId: string): (WebhookVerdict | null)[] | undefined;
}

export interface SandboxWithdrawal {
    readonly ref_id: string;
    readonly account: string;
    readonly status: string;
    readonly key?: string;
    readonly asset: WireAssetRef & {
        readonly amount: string;
    };
    readonly fee: string;
    readonly total: string;
    readonly created_at: string;
}

export interface SandboxWithdrawalAddress {
    readonly account: string;
    readonly key: string;
    readonly address: string;
    readonly tag: string | null;
    readonly memo: string | null;
    readonly asset?: string | undefined;
}

interface SandboxWithdrawalAddresses {
    list(): SandboxWithdrawalAddress[];
    remove(accountId: string, key: string): void;
}

interface SandboxWithdrawals {
    hold(refId: string): SandboxWithdrawal;
    complete(refId: string): SandboxWithdrawal;
    fail(refId: string): void;
}

export interface SendOptions {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, QueryValue | readonly (QueryValue | Readonly<Record<string, QueryValue>>)[]>> | undefined;
    readonly body?: unknown;
    readonly apiKey?: string | undefined;
    readonly key?: string | null | undefined;
    readonly otp?: string | null | undefined;
}

export interface SendResult {
    readonly seq: number;
    readonly status: number | undefined;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

export interface SentAnswer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: MessageBody;
    readonly sent: 'whole' | 'half' | 'slowly';
}

export interface SentRequest {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: MessageBody | undefined;
}

export interface Settings {
    readonly quota: RequestQuota | null;
    readonly executionTimes: ExecutionTimes;
}

export interface SettingsInput {
    readonly quota?: RequestQuota | null | undefined;
    readonly executionTimes?: ExecutionTimes | null | undefined;
}

export interface SigningCheck {
    readonly path: string;
    readonly nonce: string;
    readonly bodyBytes: number;
    readonly sha256: string;
    readonly expected: string;
    readonly received: string;
    readonly probable?: {
        readonly path: string;
        readonly sha256: string;
    } | undefined;
}

export interface SigningSecret {
    readonly secret: string;
    readonly until?: number | undefined;
}

export interface SpoiltDelivery {
    readonly delivery: DeliveryEffects;
}

type SupplyFigures = {
    circulating?: Decimal | undefined;
    total?: Decimal | undefined;
    max?: Decimal | undefined;
};

interface SymbolAmount {
    symbol: string;
    amount: Decimal;
}

export interface TestClient {
    readonly client: PartnerClient;
    readonly sandbox: Sandbox;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface TestClientOptions extends SandboxOptions {
    readonly client?: Omit<ClientOptions, (typeof OF_THE_SANDBOX)[number]> | undefined;
}

export type TimelineEntry = JournalEntry | ChangeEntry | PostingEntry | TimerEntry | DeliveryEntry | ControlEntry | TroubleEntry | ClockEntry;

export interface TimerEntry extends EntryHead {
    readonly kind: 'timer';
    readonly task: string;
    readonly id: string;
    readonly account?: string | undefined;
}

type Times = number | 'always';

export interface TlsIdentity {
    readonly key: string;
    readonly cert: string;
}

type TradeAmount = PartialAssetRef & {
    amount?: Decimal | undefined;
};

export interface TradeFees {
    readonly quotes: number;
    readonly conversions: number;
}

export interface TradeLimitInput extends TradeLimits {
    readonly asset_type?: string | undefined;
    readonly to?: NamedAsset | undefined;
}

export interface TradeLimits {
    readonly minimum?: string | undefined;
    readonly maximum?: string | undefined;
}

interface Transfer {
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

type TransferStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | (string & {});

interface Transport {
    readonly name: string;
    readonly brand: 'partner-sdk.transport';
}

export interface TriggerOptions {
    readonly webhookId?: string | undefined;
    readonly eventId?: string | undefined;
    readonly allowUnknown?: boolean | undefined;
    readonly delivery?: DeliveryEffects | undefined;
}

export interface Trouble extends TroubleOptions {
    readonly id: string;
    readonly times: Times;
    readonly at: number;
    readonly real: number;
    readonly from?: number | undefined;
    readonly until?: number | undefined;
    readonly applied: number;
    readonly left: Times;
}

export interface TroubleEntry extends EntryHead {
    readonly kind: 'trouble';
    readonly id: string;
    readonly what: 'added' | 'applied' | 'ended';
    readonly fault?: FaultKind | undefined;
}

export interface TroubleMatch {
    readonly operation?: string | undefined;
    readonly accountId?: string | undefined;
    readonly userId?: string | undefined;
    readonly webhookId?: string | undefined;
    readonly apiKey?: string | undefined;
    readonly idempotencyKey?: string | undefined;
    readonly path?: string | undefined;
    readonly event?: string | undefined;
    readonly eventId?: string | undefined;
    readonly nth?: number | undefined;
}

export interface TroubleOptions extends TroubleTimes {
    readonly match?: TroubleMatch | undefined;
    readonly does: FaultKind | 'chaos' | Fault | Delay | Outcome | SpoiltDelivery;
}

interface TroubleTimes {
    readonly when?: When | undefined;
    readonly times?: Times | undefined;
    readonly forMs?: number | undefined;
    readonly afterMs?: number | undefined;
    readonly probability?: number | undefined;
}

const UNITS: readonly [
    {
        readonly unit: "seconds";
        readonly digits: 10;
        readonly perMs: 0.001;
    },
    {
        readonly unit: "milliseconds";
        readonly digits: 13;
        readonly perMs: 1;
    },
    {
        readonly unit: "microseconds";
        readonly digits: 16;
        readonly perMs: 1000;
    },
    {
        readonly unit: "nanoseconds";
        readonly digits: 19;
        readonly perMs: 1000000;
    }
];

const USES: readonly [
    "swap_trading",
    "withdraw",
    "deposit"
];

export /* type */ enum Unrecognized {
    value = "(unrecognized)"
}

type UnrecognizedEndpoint = {
    type: Unrecognized;
    readonly [member: string]: unknown;
};

interface User {
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

interface UserAccount {
    id: string;
    name: 'main' | 'secondary' | (string & {});
}

interface Verification {
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

export interface VerifiedSignature {
    readonly v1: string;
    readonly matchesSecret: boolean;
    readonly webhookId?: string | undefined;
    readonly masked?: string | undefined;
}

export interface WaitOptions {
    readonly times?: number | undefined;
    readonly timeoutMs?: number | undefined;
    readonly after?: number | undefined;
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

export interface WebhookChange extends DeliveryManner {
    readonly url?: string | undefined;
    readonly events?: readonly string[] | undefined;
    readonly description?: string | undefined;
    readonly disabled?: boolean | undefined;
}

export interface WebhookInput extends DeliveryManner {
    readonly url: string;
    readonly events?: readonly string[] | undefined;
    readonly description?: string | undefined;
}

export interface WebhookOverview {
    readonly id: string;
    readonly url: string;
    readonly description?: string | undefined;
    readonly events: readonly string[];
    readonly disabled: boolean;
    readonly form: DeliveryForm;
    readonly scheme: DeliveryScheme;
    readonly receives: boolean;
    readonly secrets: readonly MaskedSecret[];
    readonly created_at: string;
    readonly updated_at: string;
    readonly ageMs: number;
    readonly deliveries: Readonly<Record<Delivery['status'], number>>;
    readonly failing: number;
    readonly attempts: number;
    readonly successShare?: number | undefined;
}

export interface WebhookSample {
    readonly kind: string;
    readonly data: object;
}

interface WebhookSubscription {
    id: string;
    url: string;
    description: string;
    disabled?: boolean | undefined;
    created_at: string;
    updated_at: string;
    events: string[];
}

export interface WebhookVerdict {
    readonly valid: boolean;
    readonly scheme?: DeliveryScheme | undefined;
    readonly timestamp?: number | undefined;
    readonly ageSeconds?: number | undefined;
    readonly signatures: readonly VerifiedSignature[];
    readonly problem?: string | undefined;
}

export interface WebhookVerifyInput {
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly signature?: string | undefined;
    readonly secret?: string | undefined;
    readonly webhookId?: string | undefined;
    readonly scheme?: DeliveryScheme | undefined;
    readonly toleranceSeconds?: number | undefined;
    readonly real?: number | undefined;
}

type When = 'before' | 'after';

interface WhitelistedWallet {
    account: string;
    id: string;
    via: WalletRail;
    address: string;
    status: 'pending' | 'approved' | 'rejected' | (string & {});
    external_user_id?: string | undefined;
    created_at: string;
}

type Wire<T> = T extends Decimal ? string : T extends string ? T : T extends readonly (infer Item)[] ? Wire<Item>[] : T extends object ? {
    [Key in keyof T]: Wire<T[Key]>;
} : T;

interface WireAssetRef {
    symbol: string;
    type: string;
    name: string;
}

type WireDepositLimit = Wire<DepositLimit>;

export function createSandbox(options?: SandboxOptions): Sandbox;

export function createTestClient({ client: clientOptions, ...options }?: TestClientOptions): TestClient;
