// partner-sdk/webhooks

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

interface CallFacts {
    readonly outcome: Outcome;
    readonly operation: string | undefined;
    readonly attempts: Attempts;
    readonly idempotencyKey: string | undefined;
}

export class ConfigurationError extends PartnerError {
}

type ConversionEndpoint = BalanceEndpoint | WalletEndpoint | BankEndpoint | UnrecognizedEndpoint;

const Decimal: Decimal$1.Constructor;

type Decimal = Decimal$1;

type EndpointAmount = SymbolAmount & {
    status: 'settled' | (string & {});
};

export type FetchWebhookHandler = (request: PlatformRequest) => Promise<PlatformResponse>;

interface FundsTransaction {
    type?: 'withdrawal' | 'deposit' | (string & {}) | undefined;
    timestamp?: string | undefined;
    asset?: AssetLabel | undefined;
    amount?: Decimal | undefined;
    status?: FundsTransactionStatus | undefined;
    ref_id: string;
}

type FundsTransactionStatus = 'pending' | 'held' | 'success' | 'settled' | 'failure' | 'failed' | 'completed' | (string & {});

export type KnownWebhookEventType = keyof WebhookEventData;

type MemoryGuard = ReplayGuard & Required<Pick<ReplayGuard, 'forget'>>;

export interface MemoryReplayGuardOptions {
    readonly limit?: number | undefined;
    readonly ttl?: number | undefined;
}

interface NamedAssetRef extends AssetRef {
    name: string;
}

export type NodeWebhookHandler = (request: NodeWebhookRequest, response: NodeWebhookResponse) => Promise<void>;

export interface NodeWebhookRequest {
    readonly method?: string | undefined;
    readonly headers: {
        readonly [name: string]: string | readonly string[] | undefined;
    };
    readonly httpVersionMajor?: number | undefined;
    readonly rawBody?: unknown;
    readonly body?: unknown;
    readonly destroyed?: boolean | undefined;
    readonly readableDidRead?: boolean | undefined;
    readonly complete?: boolean | undefined;
    readonly socket?: {
        end(): unknown;
    } | undefined;
    resume?(): unknown;
    on?(event: string, listener: (...values: unknown[]) => void): unknown;
    off?(event: string, listener: (...values: unknown[]) => void): unknown;
}

export interface NodeWebhookResponse {
    readonly headersSent: boolean;
    readonly destroyed: boolean;
    writeHead(status: number, headers: Record<string, string>): unknown;
    write?(text: string, written: () => void): unknown;
    end(text: string): unknown;
}

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

export type RampTransactionUpdate = WebhookResource<{
    status: 'new' | 'paid' | 'pending' | 'completed' | 'failed' | 'canceled' | (string & {});
    payload: {
        transaction_id: string;
        transaction_hash: string;
        timestamp: unknown;
    };
}>;

export interface ReplayGuard {
    seen(id: string): boolean | 'handling' | Promise<boolean | 'handling'>;
    handled?(id: string): unknown;
    forget?(id: string): unknown;
}

const STATUSES: readonly [
    "active",
    "completed",
    "cancelled"
];

export interface SignWebhookOptions {
    readonly body: WebhookBody;
    readonly secret: string;
    readonly timestampSeconds?: number | undefined;
    readonly scheme?: WebhookScheme | undefined;
    readonly id?: string | undefined;
}

export type SignedWebhookHeaders = {
    'X-Signature': string;
};

export type StandardWebhookHeaders = {
    'webhook-id': string;
    'webhook-timestamp': string;
    'webhook-signature': string;
};

interface SymbolAmount {
    symbol: string;
    amount: Decimal;
}

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

export /* type */ enum Unrecognized {
    value = "(unrecognized)"
}

type UnrecognizedEndpoint = {
    type: Unrecognized;
    readonly [member: string]: unknown;
};

export interface UnrecognizedWebhookEvent extends WebhookEventBase {
    readonly type: Unrecognized;
    readonly data: WebhookObject;
}

export type VerifyWebhookOptions = WebhookSecrets & WebhookVerification & {
    readonly body: WebhookBody;
    readonly headers: WebhookHeaders;
};

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

export type WebhookBody = string | Uint8Array | ArrayBuffer;

export type WebhookEvent = WebhookEventOf<KnownWebhookEventType> | UnrecognizedWebhookEvent;

interface WebhookEventBase {
    readonly id?: string | undefined;
    readonly deliveryId: string;
    readonly webhookId?: string | undefined;
    readonly body: string;
    readonly raw: WebhookObject;
    readonly timestamp?: number | undefined;
    readonly secretIndex: number;
}

export interface WebhookEventData {
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

export type WebhookEventHandlers = {
    readonly [Type in KnownWebhookEventType]?: ((event: WebhookEventOf<Type>) => unknown) | undefined;
};

export type WebhookEventOf<Type extends KnownWebhookEventType> = Type extends KnownWebhookEventType ? WebhookEventBase & {
    readonly type: Type;
    readonly data: WebhookEventData[Type];
} : never;

export type WebhookEventType = KnownWebhookEventType | (string & {});

export interface WebhookHandlerHooks {
    readonly onRejected?: ((rejection: WebhookRejection) => unknown) | undefined;
    readonly onError?: ((error: unknown, event: WebhookEvent | undefined) => unknown) | undefined;
}

export type WebhookHandlerOptions = WebhookSecrets & WebhookVerification & WebhookHandlerHooks & WebhookHandling;

export interface WebhookHandling {
    readonly on?: WebhookEventHandlers | undefined;
    readonly onEvent?: ((event: WebhookEvent) => unknown) | undefined;
    readonly guard?: ReplayGuard | undefined;
    readonly maxBodyBytes?: number | undefined;
    readonly bodyTimeout?: number | undefined;
}

export type WebhookHeaders = WebhookHeadersReader | {
    readonly [name: string]: string | readonly string[] | undefined;
};

export interface WebhookHeadersReader {
    get(name: string): string | null | undefined;
}

export interface WebhookObject {
    readonly [member: string]: unknown;
}

export interface WebhookRejection {
    readonly status: 400 | 405 | 408 | 413;
    readonly reason: WebhookVerificationReason | 'incomplete' | 'method_not_allowed' | 'too_slow' | 'too_large';
    readonly message: string;
}

export type WebhookResource<T> = Unpromised<Wire<T>>;

export type WebhookScheme = 'timestamped' | 'body' | 'standard';

export type WebhookSecrets = {
    readonly secrets: readonly string[];
    readonly secret?: undefined;
} | {
    readonly secret: string;
    readonly secrets?: undefined;
};

export interface WebhookVerification {
    readonly toleranceSeconds?: number | undefined;
    readonly scheme?: WebhookScheme | undefined;
}

export class WebhookVerificationError extends PartnerError {
    readonly reason: WebhookVerificationReason;
    constructor(reason: WebhookVerificationReason, message: string);
}

export type WebhookVerificationReason = 'missing_header' | 'bad_format' | 'bad_signature' | 'too_old' | 'too_new';

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

export function isWebhookEvent<Type extends KnownWebhookEventType>(event: WebhookEvent, type: Type): event is WebhookEventOf<Type>;

export function isWebhookEvent(event: WebhookEvent, type: WebhookEventType): boolean;

export function memoryReplayGuard(options?: MemoryReplayGuardOptions): MemoryGuard;

export function nodeWebhookHandler(options: WebhookHandlerOptions): NodeWebhookHandler;

export function signWebhook(options: SignWebhookOptions & {
    readonly scheme: 'standard';
}): StandardWebhookHeaders;

export function signWebhook(options: SignWebhookOptions & {
    readonly scheme?: 'timestamped' | 'body' | undefined;
}): SignedWebhookHeaders;

export function signWebhook(options: SignWebhookOptions): SignedWebhookHeaders | StandardWebhookHeaders;

export function verifyWebhook(options: VerifyWebhookOptions): WebhookEvent;

export function webhookHandler(options: WebhookHandlerOptions): FetchWebhookHandler;
