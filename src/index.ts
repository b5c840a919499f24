import './core/supported-node.js';

export { PartnerClient } from './client.js';
export type { ClientStats } from './core/api-caller.js';
export type { ApiPromise, ResponseInfo, WithResponse } from './core/api-promise.js';
export type { CallOptions, ListOptions, OtpProvider, UnkeyedCallOptions } from './core/call-options.js';
export { Decimal } from './core/decimal.js';
export {
  AbortedError,
  ApiError,
  type ApiErrorCause,
  type ApiErrorCode,
  type AttemptFailure,
  type Attempts,
  BadRequestError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  DeadlineExceededError,
  ForbiddenError,
  GoneError,
  InternalError,
  type Issue,
  isApiError,
  isPartnerError,
  NotFoundError,
  type Outcome,
  PartnerError,
  ProviderError,
  RequestValidationError,
  ResourceExhaustedError,
  ResponseValidationError,
  TimeoutError,
  UnauthenticatedError,
  UnavailableError,
  UnimplementedError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './core/errors.js';
export { idempotencyKeyFor } from './core/idempotency.js';
export type { Page, PagedList } from './core/list.js';
export { type FieldsFirstLogger, type Logger, pinoLogger } from './core/logger.js';
export type { NonceSource } from './core/nonce.js';
export type {
  AttemptEvent,
  CallEvent,
  EndEvent,
  ErrorEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  RunEvent,
  StartEvent,
} from './core/observe.js';
export type { PageMeta } from './core/operation.js';
export type { ApiSecret, ClientOptions } from './core/options.js';
export type { RequestOptions, StandardSchema } from './core/request.js';
export type { Signer, SignInput } from './core/signer.js';
export type { Unrecognized } from './core/unrecognized.js';
export type { PollInfo, WaitOptions, WaitUntil } from './core/wait-options.js';
export type { LaneStats } from './lane/lane.js';
export type { NonceOrder } from './lane/lane-members.js';
export type { Accounts } from './resources/accounts/accounts.js';
export type {
  BalanceEndpoint,
  BankEndpoint,
  ConversionEndpoint,
  ConversionFees,
  ConversionTransactionReferences,
  OnDemandConversion,
  OnDemandConversionListParams,
  OnDemandConversions,
  UnrecognizedEndpoint,
  WalletEndpoint,
} from './resources/accounts/on-demand-conversions.js';
export type {
  OnchainExecutionDetails,
  OnchainQuote,
  OnchainQuoteCreateBody,
  OnchainQuoteOfFromAmount,
  OnchainQuoteOfToAmount,
  OnchainQuotes,
  OnchainTransfer,
} from './resources/accounts/onchain-quotes.js';
export type {
  Portfolio,
  PortfolioDetails,
  PortfolioDetailsParams,
  PortfolioEntry,
  PortfolioPnl,
} from './resources/accounts/portfolio.js';
export type {
  Quote,
  QuoteCreateBody,
  QuoteExecution,
  QuoteOfFromAmount,
  QuoteOfToAmount,
  QuoteStatus,
  Quotes,
  QuoteUntil,
  QuoteWaitOptions,
  QuoteWithStatus,
  TerminalQuote,
  TerminalQuoteStatus,
} from './resources/accounts/quotes.js';
export type { WalletRail, Wallets, WalletWhitelistBody, WhitelistedWallet } from './resources/accounts/wallets.js';
export type {
  AssetAmount,
  AssetRef,
  AssetType,
  ComputedQuoteSide,
  FixedQuoteSide,
  NamedAssetRef,
  QuoteSideInput,
  SymbolAmount,
} from './resources/common.js';
export type { FundingAddresses } from './resources/funds/addresses.js';
export type {
  AccountLink,
  BankEligibility,
  BankLink,
  BankLinks,
  NotLinkedAccount,
} from './resources/funds/bank-links.js';
export type {
  DepositLimit,
  DepositLimitListParams,
  DepositLimits,
  DepositPeriodLimit,
} from './resources/funds/deposit-limits.js';
export type { Funds } from './resources/funds/funds.js';
export type {
  RenamedWithdrawalAddress,
  WithdrawalAddress,
  WithdrawalAddresses,
  WithdrawalAddressSaveBody,
  WithdrawalAddressUpdateBody,
} from './resources/funds/withdrawal-addresses.js';
export type {
  RampQuote,
  RampQuoteParams,
  RampQuoteSide,
  RampQuotes,
  UnitPriceAsset,
  UnitPriceAssetRef,
} from './resources/ramp-quotes.js';
export type {
  AssetListing,
  AssetListParams,
  AssetLogo,
  AssetPageMeta,
  AssetSort,
  AssetSupply,
  DisabledAgainst,
  PriceChangePercent,
  SupplyFigures,
  UserAssets,
} from './resources/users/assets.js';
export type { User, UserAccount, Users, UserUntil, UserWaitOptions } from './resources/users/users.js';
export type { Verification, VerificationReason, Verifications } from './resources/users/verifications.js';
export type { WebhookListParams, WebhookSubscription, Webhooks } from './resources/webhooks.js';
export { type FetchTransportOptions, fetchTransport } from './transport/fetch.js';
export type { Pem, TlsOptions } from './transport/tls.js';
export type {
  Connections,
  ConnectOptions,
  Exchange,
  ExchangeListener,
  Loss,
  Slot,
  Transport,
  TransportRequest,
  Way,
} from './transport/transport.js';
export { type UndiciDispatcher, type UndiciTransportOptions, undiciTransport } from './transport/undici.js';
