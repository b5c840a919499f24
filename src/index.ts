export { PartnerClient } from './client.js';
export type { ClientStats } from './core/api-caller.js';
export type { ApiPromise, ResponseInfo, WithResponse } from './core/api-promise.js';
export type { CallOptions, ListOptions, OtpProvider } from './core/call-options.js';
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
export type { LaneStats, NonceOrder } from './core/lane.js';
export type { Page, PagedList } from './core/list.js';
export type { NonceSource } from './core/nonce.js';
export type { CallEvent, ErrorEvent, Hooks, Logger, RequestEvent, ResponseEvent, RetryEvent } from './core/observe.js';
export type { PageMeta } from './core/operation.js';
export type { ApiSecret, ClientOptions } from './core/options.js';
export type { RequestOptions, StandardSchema } from './core/request.js';
export type { Signer, SignInput } from './core/signer.js';
export type {
  BalanceEndpoint,
  BankEndpoint,
  ConversionEndpoint,
  ConversionFees,
  ConversionTransactionReferences,
  OnDemandConversion,
  OnDemandConversionListParams,
  UnrecognizedEndpoint,
  WalletEndpoint,
} from './resources/accounts/on-demand-conversions.js';
export type {
  OnchainExecutionDetails,
  OnchainQuote,
  OnchainQuoteCreateBody,
  OnchainTransfer,
} from './resources/accounts/onchain-quotes.js';
export type {
  PortfolioDetails,
  PortfolioDetailsParams,
  PortfolioEntry,
  PortfolioPnl,
} from './resources/accounts/portfolio.js';
export type { Quote, QuoteCreateBody, QuoteExecution, QuoteStatus } from './resources/accounts/quotes.js';
export type { WalletRail, WalletWhitelistBody, WhitelistedWallet } from './resources/accounts/wallets.js';
export type {
  AssetAmount,
  AssetRef,
  AssetType,
  NamedAssetRef,
  QuoteSideInput,
  SymbolAmount,
} from './resources/common.js';
export type { AccountLink, BankEligibility, BankLink, NotLinkedAccount } from './resources/funds/bank-links.js';
export type { DepositLimit, DepositLimitListParams, DepositPeriodLimit } from './resources/funds/deposit-limits.js';
export type {
  RenamedWithdrawalAddress,
  WithdrawalAddress,
  WithdrawalAddressSaveBody,
  WithdrawalAddressUpdateBody,
} from './resources/funds/withdrawal-addresses.js';
export type { RampQuote, RampQuoteParams, RampQuoteSide } from './resources/ramp-quotes.js';
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
} from './resources/users/assets.js';
export type { User, UserAccount } from './resources/users/users.js';
export type { Verification, VerificationReason } from './resources/users/verifications.js';
export type { WebhookListParams, WebhookSubscription } from './resources/webhooks.js';
export { type FetchTransportOptions, fetchTransport } from './transport/fetch.js';
export type {
  Connection,
  ConnectOptions,
  Exchange,
  ExchangeListener,
  Loss,
  Transport,
  TransportRequest,
} from './transport/transport.js';
export { type UndiciDispatcher, type UndiciTransportOptions, undiciTransport } from './transport/undici.js';
