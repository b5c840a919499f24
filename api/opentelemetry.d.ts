// partner-sdk/opentelemetry

interface AppliedEvent extends CallEvent {
    readonly ids: readonly string[];
}

interface AssetAmount extends NamedAssetRef {
    amount: Decimal;
}

interface AssetLabel extends AssetRef {
    name?: string | undefined;
}

interface AssetRef {
    symbol: string;
    type: AssetType;
}

type AssetType = 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | (string & {});

interface AttemptEndEvent extends AttemptEvent {
    readonly sent: boolean;
    readonly status: number | undefined;
    readonly reason: AttemptFailure['reason'] | undefined;
    readonly queueTime: number;
    readonly laneTime: number;
    readonly durationMs: number;
}

interface AttemptEvent extends CallEvent {
    readonly attempt: number;
}

interface AttemptFailure {
    readonly reason: 'status' | 'race' | 'not_sent' | 'lost' | 'too_slow' | 'provider' | 'unreadable' | 'ended';
    readonly status?: number | undefined;
    readonly code?: string | undefined;
}

interface Attempts {
    readonly count: number;
    readonly failures: readonly AttemptFailure[];
}

type BalanceEndpoint = EndpointAmount & {
    type: 'balance';
};

type BankEndpoint = {
    type: 'bank';
};

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

interface ClientEvent {
    stats(): ClientStats | undefined;
}

interface ClientStats {
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

export class ConfigurationError extends PartnerError {
}

type ConversionEndpoint = BalanceEndpoint | WalletEndpoint | BankEndpoint | UnrecognizedEndpoint;

const Decimal: Decimal$1.Constructor;

type Decimal = Decimal$1;

interface EndEvent extends CallEvent {
    readonly outcome: Outcome;
    readonly attempts: number;
    readonly queueTime: number;
    readonly durationMs: number;
    readonly error: PartnerError | undefined;
}

type EndpointAmount = SymbolAmount & {
    status: 'settled' | (string & {});
};

interface ErrorEvent extends CallEvent {
    readonly error: PartnerError;
    readonly outcome: Outcome;
    readonly attempts: number;
    readonly durationMs: number;
}

interface FundsTransaction {
    type?: 'withdrawal' | 'deposit' | (string & {}) | undefined;
    timestamp?: string | undefined;
    asset?: AssetLabel | undefined;
    amount?: Decimal | undefined;
    status?: FundsTransactionStatus | undefined;
    ref_id: string;
}

type FundsTransactionStatus = 'pending' | 'held' | 'success' | 'settled' | 'failure' | 'failed' | 'completed' | (string & {});

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

type KnownWebhookEventType = keyof WebhookEventData;

interface LaneStats {
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

interface NamedAssetRef extends AssetRef {
    name: string;
}

type NonceOrder = 'adaptive' | 'strict' | 'unordered';

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

export interface OpentelemetryHooksOptions {
    readonly tracerProvider?: TracerProvider | undefined;
    readonly meterProvider?: MeterProvider | undefined;
    readonly propagate?: boolean | undefined;
}

export interface OpentelemetryWebhooksOptions {
    readonly tracerProvider?: TracerProvider | undefined;
    readonly causeOf?: ((event: WebhookEvent) => SpanContext | undefined | Promise<SpanContext | undefined>) | undefined;
}

type Outcome = 'not_applied' | 'applied' | 'unknown';

type PartialAssetRef = {
    symbol?: string | undefined;
    type?: AssetType | undefined;
    name?: string | undefined;
};

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

type RampTransactionUpdate = WebhookResource<{
    status: 'new' | 'paid' | 'pending' | 'completed' | 'failed' | 'canceled' | (string & {});
    payload: {
        transaction_id: string;
        transaction_hash: string;
        timestamp: unknown;
    };
}>;

interface RequestEvent extends AttemptEvent {
    readonly queueTime: number;
    readonly laneTime: number;
}

interface ResponseEvent extends RequestEvent {
    readonly status: number;
    readonly durationMs: number;
    readonly replayed: boolean;
}

interface RetryEvent extends AttemptEvent {
    readonly reason: AttemptFailure['reason'];
    readonly status: number | undefined;
    readonly code: string | undefined;
    readonly delayMs: number;
}

type RunEvent = (CallEvent & {
    readonly kind: 'call';
    readonly attempt?: undefined;
}) | (AttemptEvent & {
    readonly kind: 'attempt';
});

const STATUSES: readonly [
    "active",
    "completed",
    "cancelled"
];

interface StartEvent extends CallEvent {
}

interface SymbolAmount {
    symbol: string;
    amount: Decimal;
}

export type TracedHandler = <Event extends WebhookEvent>(handle: (event: Event) => unknown) => (event: Event) => Promise<unknown>;

type TradeAmount = PartialAssetRef & {
    amount?: Decimal | undefined;
};

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

type Unpromised<T> = T extends string ? T : T extends readonly (infer Item)[] ? readonly Unpromised<Item>[] : T extends object ? {
    readonly [Key in keyof T]?: Unpromised<T[Key]> | undefined;
} & WebhookObject : T;

enum Unrecognized {
    value = "(unrecognized)"
}

type UnrecognizedEndpoint = {
    type: Unrecognized;
    readonly [member: string]: unknown;
};

interface UnrecognizedWebhookEvent extends WebhookEventBase {
    readonly type: Unrecognized;
    readonly data: WebhookObject;
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

type Way = 'http2' | 'http1' | 'fetch' | 'dispatcher' | 'memory';

type WebhookEvent = WebhookEventOf<KnownWebhookEventType> | UnrecognizedWebhookEvent;

interface WebhookEventBase {
    readonly id?: string | undefined;
    readonly deliveryId: string;
    readonly webhookId?: string | undefined;
    readonly body: string;
    readonly raw: WebhookObject;
    readonly timestamp?: number | undefined;
    readonly secretIndex: number;
}

interface WebhookEventData {
    'quote.executed': WebhookResource<Quote>;
    'quote.execution_failed': WebhookResource<Quote>;
    'quote.cancelled': WebhookResource<Quote>;
    'conversion.withdrawal_completed': WebhookResource<OnDemandConversion>;
    'conversion.quote_execution_failed': WebhookResource<OnDemandConversion>;
    'price_trigger_swap.executed': WebhookResource<PriceTriggerSwap>;
    'price_trigger_swap.execution_failed': WebhookResource<PriceTriggerSwap>;
    'price_trigger_swap.cancelled': WebhookResource<PriceTriggerSwap>;
    'wallet.whitelisted': WebhookResource<WhitelistedWallet>;
    'deposit.status_updated': WebhookResource<FundsTransaction>;
    'deposit.completed': WebhookResource<FundsTransaction>;
    'withdrawal.status_updated': WebhookResource<FundsTransaction & Withdrawal>;
    'withdrawal.completed': WebhookResource<FundsTransaction & Withdrawal>;
    'withdrawal.failed': WebhookResource<FundsTransaction & Withdrawal>;
    'transfer.completed': WebhookResource<Transfer>;
    'transfer.failed': WebhookResource<Transfer>;
    'swap.completed': WebhookObject;
    'swap.failed': WebhookObject;
    'custom_order.executed': WebhookObject;
    'custom_order.execution_failed': WebhookObject;
    'custom_order.cancelled': WebhookObject;
    'reward.paid': WebhookObject;
    'user.verified': WebhookObject;
    'user.closed': WebhookObject;
    'user.disabled': WebhookObject;
    'ramp.transaction_updated': RampTransactionUpdate;
    'webhook.test': {
        readonly message?: string | undefined;
    } & WebhookObject;
}

type WebhookEventOf<Type extends KnownWebhookEventType> = Type extends KnownWebhookEventType ? WebhookEventBase & {
    readonly type: Type;
    readonly data: WebhookEventData[Type];
} : never;

interface WebhookObject {
    readonly [member: string]: unknown;
}

type WebhookResource<T> = Unpromised<Wire<T>>;

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

interface Withdrawal {
    ref_id: string;
    amount?: Decimal | undefined;
    fee?: Decimal | undefined;
    total?: Decimal | undefined;
    fee_token?: string | null | undefined;
}

export function isPartnerError(error: unknown): error is PartnerError;

export function opentelemetryHooks(options?: OpentelemetryHooksOptions): Hooks;

export function opentelemetryWebhooks(options?: OpentelemetryWebhooksOptions): TracedHandler;
