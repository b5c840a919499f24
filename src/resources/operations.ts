import type { Operation } from '../schema/operation.js';
import * as expectedDeposits from './accounts/deposits.js';
import * as onDemandConversions from './accounts/on-demand-conversions.js';
import * as onchainQuotes from './accounts/onchain-quotes.js';
import * as portfolio from './accounts/portfolio.js';
import * as portfolioTransactions from './accounts/portfolio-transactions.js';
import * as priceTriggerSwaps from './accounts/price-trigger-swaps.js';
import * as quote from './accounts/quote.js';
import * as wallets from './accounts/wallets.js';
import * as assets from './assets/assets.js';
import * as conversions from './conversions.js';
import * as earn from './earn.js';
import * as addresses from './funds/addresses.js';
import * as bankLinks from './funds/bank-links.js';
import * as deposits from './funds/deposits.js';
import * as transactions from './funds/transactions.js';
import * as withdrawals from './funds/withdrawals.js';
import * as ramp from './ramp.js';
import * as rampQuotes from './ramp-quotes.js';
import * as reports from './reports.js';
import * as swap from './swap.js';
import * as transfers from './transfers.js';
import * as userData from './users/create.js';
import * as users from './users/users.js';
import * as verifications from './users/verifications.js';
import * as webhooks from './webhooks.js';

/** All operations in the order of the resource tree. Sandbox and documents are built from them. */
export const operations: readonly Operation[] = [
  users.getUser,
  userData.createUser,
  userData.createHeadlessUser,
  userData.updateUser,
  verifications.listVerifications,
  verifications.submitVerificationUrl,
  users.listUserAssets,
  assets.listAssets,
  assets.getAsset,
  assets.listAssetRates,
  swap.listSwapAssets,
  conversions.createConversionRule,
  conversions.createConversion,
  conversions.listConversions,
  expectedDeposits.createExpectedDeposit,
  transfers.createTransfer,
  transfers.listTransfers,
  onDemandConversions.listOnDemandConversions,
  quote.getQuote,
  quote.createQuote,
  quote.executeQuote,
  priceTriggerSwaps.createPriceTriggerSwap,
  priceTriggerSwaps.getPriceTriggerSwap,
  priceTriggerSwaps.listPriceTriggerSwaps,
  priceTriggerSwaps.cancelPriceTriggerSwap,
  onchainQuotes.createOnchainQuote,
  onchainQuotes.getOnchainQuote,
  onchainQuotes.listOnchainQuotes,
  portfolio.listPortfolioDetails,
  portfolio.getPortfolioSummary,
  portfolioTransactions.listPortfolioTransactions,
  portfolio.getPortfolioHistory,
  wallets.whitelistWallet,
  earn.getAccountEarn,
  earn.updateAccountEarn,
  earn.listAccountEarnAssets,
  earn.listEarnAllocations,
  earn.listEarnRewards,
  addresses.saveWithdrawalAddress,
  addresses.validateWithdrawalAddress,
  addresses.updateWithdrawalAddress,
  addresses.deleteWithdrawalAddress,
  addresses.listWithdrawalAddresses,
  withdrawals.listWithdrawalMethods,
  addresses.deleteFundingAddress,
  bankLinks.getBankLink,
  deposits.listDepositLimits,
  deposits.listDepositMethods,
  deposits.createDepositAddress,
  deposits.listDepositAddresses,
  withdrawals.createWithdrawal,
  transactions.listFundsTransactions,
  conversions.getConversion,
  transfers.getTransfer,
  transfers.cancelTransfer,
  earn.listEarnAssets,
  ramp.listRampCountries,
  ramp.listRampFiatCurrencies,
  ramp.listRampPaymentMethods,
  ramp.listRampAssets,
  ramp.getRampLimits,
  ramp.getRampCheckout,
  rampQuotes.getRampProspectiveQuote,
  reports.listSettlementReports,
  reports.getSettlementReport,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.testWebhook,
];
