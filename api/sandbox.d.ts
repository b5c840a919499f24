// partner-sdk/sandbox

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

interface AssetQuantity extends AssetLabel {
    amount: Decimal;
}

interface AssetRef {
    symbol: string;
    type: AssetType;
}

type AssetType = 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | (string & {});

const BOOK_NAMES: readonly [
    "exchange",
    "fees",
    "outside"
];

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

export interface BankLinkOptions {
    readonly eligibility?: 'eligible' | 'ineligible' | undefined;
    readonly unknownFor?: number | undefined;
}

type BookName = (typeof BOOK_NAMES)[number];

export interface Cause {
    readonly field: string;
    readonly message: string;
}

export interface ControlCall {
    readonly method: string;
    readonly at: number;
    readonly status: number;
    readonly problem: string | undefined;
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
    swap_quote?: unknown;
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
    type: string;
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
    type: string;
    via?: string | undefined;
}

type ConversionStatus = 'pending_deposit' | 'converting' | 'settling' | 'completed' | 'failed' | (string & {});

export interface CredentialOptions {
    readonly scopes?: readonly ApiKeyScope[] | undefined;
}

const Decimal: Decimal$1.Constructor;

type Decimal = Decimal$1;

export type Deliver = (request: PlatformRequest) => PlatformResponse | PromiseLike<PlatformResponse>;

export interface Delivery {
    readonly id: string;
    readonly webhookId: string;
    readonly eventId: string;
    readonly type: string;
    readonly body: string;
    readonly status: 'pending' | 'delivered' | 'failed';
    readonly reason: string | undefined;
    readonly attempts: readonly DeliveryAttempt[];
    readonly nextAttemptAt: number | undefined;
}

export interface DeliveryAttempt {
    readonly at: number;
    readonly url: string;
    readonly status: number | undefined;
    readonly error: string | undefined;
    readonly ms: number;
    readonly redelivery: boolean;
}

export type DeliveryScheme = 'timestamped' | 'body';

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

const EXECUTION_STEPS: readonly [
    "quote.finish",
    "wallet.screen",
    "conversion.settle",
    "conversion.complete",
    "onchain_quote.offer",
    "onchain_quote.finish",
    "deposit.receive",
    "deposit.credit",
    "withdrawal.send",
    "withdrawal.finish",
    "earn.settle",
    "verification.finish",
    "conversion.pay_in",
    "conversion.pay_out",
    "expected_deposit.credit",
    "transfer.process",
    "transfer.finish"
];

export type ExecutionTimes = {
    readonly [Step in (typeof EXECUTION_STEPS)[number]]?: number | undefined;
};

interface ExpectedDeposit {
    id: string;
    status?: 'pending' | 'received' | 'credited' | 'expired' | (string & {}) | undefined;
    account?: string | undefined;
    asset?: AssetQuantity | undefined;
    reference?: string | undefined;
    inbound?: Inbound | undefined;
    created_at?: string | undefined;
}

export interface Fault extends Omit<FaultOptions, 'fault' | 'times' | 'retryAfter'> {
    readonly id: string;
    readonly fault: FaultKind | 'chaos';
    readonly struck: number;
    readonly left: number;
}

export type FaultKind = number | FaultName;

type FaultName = 'reset' | 'timeout' | 'html' | 'truncate' | 'garbage' | 'content_type' | 'slow';

export interface FaultOptions {
    readonly operation?: string | undefined;
    readonly fault: FaultKind;
    readonly code?: string | undefined;
    readonly when?: When | undefined;
    readonly times?: number | undefined;
    readonly probability?: number | undefined;
    readonly retryAfterSeconds?: number | undefined;
    readonly retryAfter?: number | undefined;
    readonly bytesPerSecond?: number | undefined;
}

interface Inbound {
    id: string;
    via?: string | undefined;
    status?: string | undefined;
    lifecycle?: string | undefined;
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

export interface JournalEntry {
    readonly operation: string | undefined;
    readonly method: string;
    readonly path: string;
    readonly nonce: string | undefined;
    readonly key: string | undefined;
    readonly verdict: string;
    readonly causes: readonly Cause[];
    readonly fault: FaultKind | undefined;
    readonly status: number | undefined;
    readonly at: number;
    readonly ms: number;
}

export type Latency = number | readonly [
    least: number,
    most: number
];

export interface ListenOptions {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
}

interface NamedAsset {
    readonly symbol: string;
    readonly asset_type?: string | undefined;
}

interface NamedAssetRef extends AssetRef {
    name: string;
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

type Profile = Readonly<Record<string, unknown>>;

export interface RegisteredWebhook extends WebhookSubscription {
    signing_secret: string;
}

export interface RequestQuota {
    readonly requests: number;
    readonly per: number;
}

interface RotationOptions {
    readonly overlap?: number | undefined;
}

const SCOPES: readonly [
    "read",
    "trade",
    "funds",
    "users",
    "webhooks"
];

export interface Sandbox {
    readonly credentials: SandboxCredentials;
    readonly fixtures: SandboxFixtures;
    readonly journal: readonly JournalEntry[];
    readonly keys: SandboxKeys;
    readonly clock: SandboxClock;
    readonly faults: SandboxFaults;
    readonly webhooks: SandboxWebhooks;
    readonly accounts: SandboxAccounts;
    readonly users: SandboxUsers;
    readonly quotes: SandboxQuotes;
    readonly onchainQuotes: SandboxOnchainQuotes;
    readonly prices: SandboxPrices;
    readonly wallets: SandboxWallets;
    readonly withdrawals: SandboxWithdrawals;
    readonly deposits: SandboxDeposits;
    readonly conversions: SandboxConversions;
    readonly conversionRules: SandboxConversionRules;
    readonly transfers: SandboxTransfers;
    issueCredentials(options?: CredentialOptions): SandboxCredentials;
    fail(options: FaultOptions): () => void;
    advance(ms: number): void;
    snapshot(): SandboxSnapshot;
    listen(options?: ListenOptions): Promise<{
        readonly url: string;
        readonly port: number;
    }>;
    fetch(request: PlatformRequest): Promise<PlatformResponse>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

interface SandboxAccounts {
    convert(accountId: string, input: ConversionInput): Wire<OnDemandConversion>;
    deposit(accountId: string, input: DepositInput): Wire<DepositLimit>;
    deposit(accountId: string, input: AddressDepositInput): SandboxDeposit;
    linkBank(accountId: string, options?: BankLinkOptions): BankLink;
    unlinkBank(bankLinkId: string): void;
    readonly books: Readonly<Record<BookName, Readonly<Record<string, string>>>>;
}

interface SandboxClock {
    now(): number;
    advance(ms: number): void;
}

interface SandboxConversionRules {
    list(): Wire<ConversionRule>[];
    setStatus(ruleId: string, status: 'active' | 'paused'): Wire<ConversionRule>;
}

interface SandboxConversions {
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
    list(): Wire<ExpectedDeposit>[];
}

interface SandboxFaults {
    add(options: FaultOptions): Fault;
    chaos(probability: number): Fault;
    list(): Fault[];
    remove(id: string): void;
    clear(): void;
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

export interface SandboxKey {
    readonly apiKey: string;
    readonly scopes: readonly ApiKeyScope[] | undefined;
    readonly revoked: boolean;
}

interface SandboxKeys {
    list(): SandboxKey[];
    revoke(apiKey: string): void;
}

interface SandboxOnchainQuotes {
    submit(quoteId: string): void;
    fail(quoteId: string): void;
    setPendingTime(ms: number): void;
}

export interface SandboxOptions {
    readonly seed?: number | undefined;
    readonly realTime?: boolean | undefined;
    readonly journalLimit?: number | undefined;
    readonly latency?: Latency | undefined;
    readonly otp?: string | undefined;
    readonly enforceUserStatus?: boolean | undefined;
    readonly movingPrices?: boolean | undefined;
    readonly scopes?: readonly ApiKeyScope[] | undefined;
    readonly quota?: RequestQuota | undefined;
    readonly readLag?: number | undefined;
    readonly executionTimes?: ExecutionTimes | undefined;
    readonly users?: readonly SandboxUserInput[] | undefined;
    readonly onRequest?: ((entry: JournalEntry) => void) | undefined;
    readonly snapshot?: SandboxSnapshot | undefined;
    readonly deliver?: Deliver | undefined;
    readonly onDelivery?: ((delivery: Delivery, attempt: DeliveryAttempt) => void) | undefined;
    readonly onControl?: ((call: ControlCall) => void) | undefined;
}

export interface SandboxPrice {
    readonly symbol: string;
    readonly type: string;
    readonly usd: string;
}

interface SandboxPrices {
    list(): SandboxPrice[];
    set(symbol: string, usd: string, assetType?: string): SandboxPrice;
}

interface SandboxQuotes {
    fail(quoteId: string): void;
}

export interface SandboxSnapshot {
    readonly format: 'partner-sandbox';
    readonly version: 1;
    readonly seed: number;
    readonly [member: string]: unknown;
}

interface SandboxTransfers {
    fail(transferId: string, reason?: string): void;
}

export interface SandboxUserInput {
    readonly external_reference: string;
    readonly balances?: Readonly<Record<string, string>> | undefined;
}

interface SandboxUsers {
    list(): User[];
    profile(userId: string): Profile;
    setStatus(userId: string, status: Partial<User['status']>): User;
    approveVerification(verificationId: string): void;
    rejectVerification(verificationId: string, reasons?: NonNullable<Verification['reasons']>): void;
}

interface SandboxWallets {
    list(): WhitelistedWallet[];
    rejectAddress(address: string): void;
}

interface SandboxWebhooks {
    register(input: WebhookInput): RegisteredWebhook;
    update(webhookId: string, change: WebhookChange): WebhookSubscription;
    rotateSecret(webhookId: string, options?: RotationOptions): RegisteredWebhook;
    remove(webhookId: string): void;
    readonly deliveries: readonly Delivery[];
    redeliver(deliveryId: string): Promise<Delivery>;
    idle(): Promise<void>;
}

interface SandboxWithdrawals {
    fail(refId: string): void;
}

interface SymbolAmount {
    symbol: string;
    amount: Decimal;
}

export /* type */ enum Unrecognized {
    value = "(unrecognized)"
}

type UnrecognizedEndpoint = {
    type: Unrecognized;
    readonly [member: string]: unknown;
};

interface User {
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

export interface WebhookChange {
    readonly url?: string | undefined;
    readonly events?: readonly string[] | undefined;
    readonly description?: string | undefined;
    readonly disabled?: boolean | undefined;
}

export interface WebhookInput {
    readonly url: string;
    readonly events?: readonly string[] | undefined;
    readonly description?: string | undefined;
    readonly scheme?: DeliveryScheme | undefined;
}

interface WebhookSubscription {
    id: string;
    url: string;
    description?: string | undefined;
    disabled?: boolean | undefined;
    created_at: string;
    updated_at: string;
    events: string[];
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

export function createSandbox(options?: SandboxOptions): Sandbox;
