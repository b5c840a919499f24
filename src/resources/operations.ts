import type { Operation } from '../schema/operation.js';
import { createConversionRule } from './accounts/conversion-rules.js';
import { createConversion, listConversions } from './accounts/conversions.js';
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
import { createTransfer, listTransfers } from './accounts/transfers.js';
import { whitelistWallet } from './accounts/wallets.js';
import { getAsset, listAssets } from './assets/assets.js';
import { listAssetRates } from './assets/rates.js';
import { getConversion } from './conversions.js';
import { getAccountEarn, updateAccountEarn } from './earn/account-earn.js';
import { listEarnAllocations } from './earn/allocations.js';
import { listAccountEarnAssets, listEarnAssets } from './earn/assets.js';
import { listEarnRewards } from './earn/rewards.js';
import { deleteFundingAddress } from './funds/addresses.js';
import { getBankLink } from './funds/bank-links.js';
import { createDepositAddress, listDepositAddresses } from './funds/deposit-addresses.js';
import { listDepositLimits } from './funds/deposit-limits.js';
import { listDepositMethods } from './funds/deposit-methods.js';
import { listFundsTransactions } from './funds/transactions.js';
import {
  deleteWithdrawalAddress,
  listWithdrawalAddresses,
  saveWithdrawalAddress,
  updateWithdrawalAddress,
  validateWithdrawalAddress,
} from './funds/withdrawal-addresses.js';
import { listWithdrawalMethods } from './funds/withdrawal-methods.js';
import { createWithdrawal } from './funds/withdrawals.js';
import { listRampAssets } from './ramp/assets.js';
import { getRampCheckout } from './ramp/checkout.js';
import { listRampCountries } from './ramp/countries.js';
import { listRampFiatCurrencies } from './ramp/fiat-currencies.js';
import { getRampLimits } from './ramp/limits.js';
import { listRampPaymentMethods } from './ramp/payment-methods.js';
import { getRampProspectiveQuote } from './ramp-quotes.js';
import { getSettlementReport, listSettlementReports } from './reports.js';
import { listSwapAssets } from './swap.js';
import { cancelTransfer, getTransfer } from './transfers.js';
import { listUserAssets } from './users/assets.js';
import { createHeadlessUser, createUser, updateUser } from './users/create.js';
import { getUser } from './users/users.js';
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
