import type { Operation } from '../schema/operation.js';
import { createExpectedDeposit } from './accounts/deposits.js';
import { listOnDemandConversions } from './accounts/on-demand-conversions.js';
import { createOnchainQuote, getOnchainQuote, listOnchainQuotes } from './accounts/onchain-quotes.js';
import { getPortfolioHistory, getPortfolioSummary, listPortfolioDetails } from './accounts/portfolio.js';
import { listPortfolioTransactions } from './accounts/portfolio-transactions.js';
import {
  cancelPriceTriggerSwap,
  createPriceTriggerSwap,
  getPriceTriggerSwap,
  listPriceTriggerSwaps,
} from './accounts/price-trigger-swaps.js';
import { createQuote, executeQuote, getQuote } from './accounts/quote.js';
import { whitelistWallet } from './accounts/wallets.js';
import { getAsset, listAssetRates, listAssets } from './assets/assets.js';
import { createConversion, createConversionRule, getConversion, listConversions } from './conversions.js';
import {
  getAccountEarn,
  listAccountEarnAssets,
  listEarnAllocations,
  listEarnAssets,
  listEarnRewards,
  updateAccountEarn,
} from './earn.js';
import {
  deleteFundingAddress,
  deleteWithdrawalAddress,
  listWithdrawalAddresses,
  saveWithdrawalAddress,
  updateWithdrawalAddress,
  validateWithdrawalAddress,
} from './funds/addresses.js';
import { getBankLink } from './funds/bank-links.js';
import { createDepositAddress, listDepositAddresses, listDepositLimits, listDepositMethods } from './funds/deposits.js';
import { listFundsTransactions } from './funds/transactions.js';
import { createWithdrawal, listWithdrawalMethods } from './funds/withdrawals.js';
import {
  getRampCheckout,
  getRampLimits,
  listRampAssets,
  listRampCountries,
  listRampFiatCurrencies,
  listRampPaymentMethods,
} from './ramp.js';
import { getRampProspectiveQuote } from './ramp-quotes.js';
import { getSettlementReport, listSettlementReports } from './reports.js';
import { listSwapAssets } from './swap.js';
import { cancelTransfer, createTransfer, getTransfer, listTransfers } from './transfers.js';
import { createHeadlessUser, createUser, updateUser } from './users/create.js';
import { getUser, listUserAssets } from './users/users.js';
import { listVerifications, submitVerificationUrl } from './users/verifications.js';
import { createWebhook, deleteWebhook, listWebhooks, testWebhook, updateWebhook } from './webhooks.js';

/** Every operation, in the order of the resource tree. Sandbox and documents are made of them. */
export const operations: readonly Operation[] = [
  getUser,
  createUser,
  createHeadlessUser,
  updateUser,
  listVerifications,
  submitVerificationUrl,
  listUserAssets,
  listAssets,
  getAsset,
  listAssetRates,
  listSwapAssets,
  createConversionRule,
  createConversion,
  listConversions,
  createExpectedDeposit,
  createTransfer,
  listTransfers,
  listOnDemandConversions,
  getQuote,
  createQuote,
  executeQuote,
  createPriceTriggerSwap,
  getPriceTriggerSwap,
  listPriceTriggerSwaps,
  cancelPriceTriggerSwap,
  createOnchainQuote,
  getOnchainQuote,
  listOnchainQuotes,
  listPortfolioDetails,
  getPortfolioSummary,
  listPortfolioTransactions,
  getPortfolioHistory,
  whitelistWallet,
  getAccountEarn,
  updateAccountEarn,
  listAccountEarnAssets,
  listEarnAllocations,
  listEarnRewards,
  saveWithdrawalAddress,
  validateWithdrawalAddress,
  updateWithdrawalAddress,
  deleteWithdrawalAddress,
  listWithdrawalAddresses,
  listWithdrawalMethods,
  deleteFundingAddress,
  getBankLink,
  listDepositLimits,
  listDepositMethods,
  createDepositAddress,
  listDepositAddresses,
  createWithdrawal,
  listFundsTransactions,
  getConversion,
  getTransfer,
  cancelTransfer,
  listEarnAssets,
  listRampCountries,
  listRampFiatCurrencies,
  listRampPaymentMethods,
  listRampAssets,
  getRampLimits,
  getRampCheckout,
  getRampProspectiveQuote,
  listSettlementReports,
  getSettlementReport,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
];
