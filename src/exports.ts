export type { ApiPromise, WithResponse } from './call/api-promise.js';
export type { PagedList } from './call/list.js';
export type { Page } from './call/page.js';
export type { ItemWaitOptions, KnownStatus, PollInfo, WaitOptions } from './call/wait/poll-options.js';
export type { SettleOptions, SettlingOptions } from './call/wait/settle.js';
export { PartnerClient } from './client.js';
export type { ClientOptions } from './client-options.js';
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
  type ResponseInfo,
  ResponseValidationError,
  TimeoutError,
  UnauthenticatedError,
  UnavailableError,
  UnimplementedError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './errors.js';
export type {
  AppliedEvent,
  AttemptEndEvent,
  AttemptEvent,
  ClientEvent,
  EndEvent,
  ErrorEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  RunEvent,
  StartEvent,
} from './events.js';
export { type FieldsFirstLogger, type Logger, pinoLogger } from './logger.js';
export type { CustomList, CustomRequest } from './request/custom-request.js';
export { idempotencyKeyFor, type KeyedWrite } from './request/idempotency-key.js';
export type { AppInfo, ListOptions, OtpProvider, RequestOptions, UnkeyedRequestOptions } from './request/options.js';
export type {
  ExpectedDeposit,
  ExpectedDepositCreateBody,
  Inbound,
  InboundRouting,
} from './resources/accounts/deposits.js';
export type {
  ConversionEndpoint,
  OnDemandConversion,
  OnDemandConversionListParams,
} from './resources/accounts/on-demand-conversions.js';
export type {
  OnchainExecutionDetails,
  OnchainQuote,
  OnchainQuoteCreateBody,
  OnchainQuoteListParams,
  OnchainQuoteStatus,
} from './resources/accounts/onchain-quotes.js';
export type {
  PortfolioDetails,
  PortfolioDetailsParams,
  PortfolioEntry,
  PortfolioHistory,
  PortfolioHistoryParams,
  PortfolioHistoryPoint,
  PortfolioSummary,
  PortfolioSummaryParams,
} from './resources/accounts/portfolio.js';
export type {
  AssetFilter,
  PortfolioTransaction,
  PortfolioTransactionListParams,
  PortfolioTransactionSide,
  PortfolioTransactionType,
  ValuedAssetQuantity,
} from './resources/accounts/portfolio-transactions.js';
export type {
  CreatedPriceTriggerSwap,
  PriceTriggerSwap,
  PriceTriggerSwapCreateBody,
  PriceTriggerSwapListParams,
  PriceTriggerSwapStatus,
} from './resources/accounts/price-trigger-swaps.js';
export type {
  Quote,
  QuoteCreateBody,
  QuoteExecution,
  QuoteStatus,
  QuoteWithStatus,
  TerminalQuote,
} from './resources/accounts/quote.js';
export { type Trade, TradeError, type TradeOptions } from './resources/accounts/trade.js';
export type { WalletWhitelistBody, WhitelistedWallet } from './resources/accounts/wallets.js';
export type {
  AssetGetParams,
  AssetRate,
  AssetRateInterval,
  AssetRateListParams,
  AssetRatePageMeta,
} from './resources/assets/assets.js';
export type { AssetListing, AssetListParams, AssetPageMeta, AssetSort } from './resources/assets/listing.js';
export type {
  AssetAmount,
  AssetInput,
  AssetLabel,
  AssetQuantity,
  AssetRef,
  AssetType,
  ComputedQuoteSide,
  FixedQuoteSide,
  FundingMethod,
  NamedAsset,
  NamedAssetRef,
  SymbolAmount,
} from './resources/common.js';
export type {
  Conversion,
  ConversionAsset,
  ConversionCreateBody,
  ConversionDestination,
  ConversionListParams,
  ConversionRule,
  ConversionRuleCreateBody,
  ConversionRuleStatus,
  ConversionSource,
  ConversionStatus,
} from './resources/conversions.js';
export type {
  EarnAllocation,
  EarnAllocationPageMeta,
  EarnAsset,
  EarnAssetListParams,
  EarnListParams,
  EarnReward,
  EarnRewardPageMeta,
  EarnSettings,
  EarnStatus,
  EarnUpdateBody,
} from './resources/earn.js';
export type {
  RenamedWithdrawalAddress,
  WithdrawalAddress,
  WithdrawalAddressEntry,
  WithdrawalAddressListParams,
  WithdrawalAddressSaveBody,
  WithdrawalAddressUpdateBody,
  WithdrawalAddressValidateBody,
  WithdrawalAddressValidity,
} from './resources/funds/addresses.js';
export type { AccountLink, BankLink } from './resources/funds/bank-links.js';
export type {
  DepositAddress,
  DepositAddressCreateBody,
  DepositAddressEntry,
  DepositAddressListParams,
  DepositLimit,
  DepositLimitListParams,
  DepositMethod,
  DepositMethodListParams,
} from './resources/funds/deposits.js';
export type {
  FundsTransaction,
  FundsTransactionListParams,
  FundsTransactionStatus,
} from './resources/funds/transactions.js';
export type {
  Withdrawal,
  WithdrawalCreateBody,
  WithdrawalMethod,
  WithdrawalMethodListParams,
} from './resources/funds/withdrawals.js';
export type {
  RampAssetListParams,
  RampCheckout,
  RampCheckoutParams,
  RampCountry,
  RampCountryListParams,
  RampFiatCurrencyListParams,
  RampLimit,
  RampLimitParams,
  RampLimitRange,
  RampPaymentMethodListParams,
  RampSidesParams,
} from './resources/ramp.js';
export type { RampQuote, RampQuoteProspectiveParams, RampQuoteSide } from './resources/ramp-quotes.js';
export type {
  SettlementReport,
  SettlementReportDownload,
  SettlementReportListParams,
  SettlementReportType,
} from './resources/reports.js';
export type { SwapAsset, SwapAssetListParams } from './resources/swap.js';
export type {
  Transfer,
  TransferCreateBody,
  TransferListParams,
  TransferRecipient,
  TransferStatus,
} from './resources/transfers.js';
export type {
  CreatedUser,
  HeadlessUserCreateBody,
  UserAccount,
  UserBirth,
  UserCreateBody,
  UserFullName,
  UserResidence,
  UserUpdateBody,
} from './resources/users/create.js';
export type { User } from './resources/users/users.js';
export type {
  IdentityDocument,
  ResidenceDocument,
  Selfie,
  SubmittedVerification,
  Verification,
  VerificationMetadata,
  VerificationUrlBody,
} from './resources/users/verifications.js';
export type {
  DeletedWebhook,
  RegisteredWebhookSubscription,
  UpdatedWebhookSubscription,
  WebhookCreateBody,
  WebhookListParams,
  WebhookSubscription,
  WebhookTest,
  WebhookUpdateBody,
} from './resources/webhooks.js';
export { Decimal } from './schema/decimal.js';
export type { PageMeta } from './schema/operation.js';
export type { StandardSchema } from './schema/standard-schema.js';
export type { Unrecognized } from './schema/types.js';
export type { NonceSource } from './signing/nonce.js';
export type { Signer, SignInput } from './signing/signer.js';
export type { ClientStats, LaneStats } from './stats.js';
export { type FetchTransportOptions, fetchTransport } from './transport/fetch.js';
export type { Transport } from './transport/transport.js';
