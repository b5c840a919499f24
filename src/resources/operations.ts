import type { Operation } from '../schema/operation.js';
import { listOnDemandConversions } from './accounts/on-demand-conversions.js';
import { createOnchainQuote } from './accounts/onchain-quotes.js';
import { listPortfolioDetails } from './accounts/portfolio.js';
import { createQuote, executeQuote, getQuote } from './accounts/quote.js';
import { whitelistWallet } from './accounts/wallets.js';
import { deleteFundingAddress } from './funds/addresses.js';
import { getBankLink } from './funds/bank-links.js';
import { createDepositAddress, listDepositAddresses } from './funds/deposit-addresses.js';
import { listDepositLimits } from './funds/deposit-limits.js';
import { listDepositMethods } from './funds/deposit-methods.js';
import { listFundsTransactions } from './funds/transactions.js';
import {
  listWithdrawalAddresses,
  saveWithdrawalAddress,
  updateWithdrawalAddress,
} from './funds/withdrawal-addresses.js';
import { createWithdrawal } from './funds/withdrawals.js';
import { getRampProspectiveQuote } from './ramp-quotes.js';
import { listUserAssets } from './users/assets.js';
import { getUser } from './users/users.js';
import { listVerifications } from './users/verifications.js';
import { listWebhooks } from './webhooks.js';

/** Every operation, in the order of the resource tree. Sandbox and documents are made of them. */
export const operations: readonly Operation[] = [
  getUser,
  listVerifications,
  listUserAssets,
  listOnDemandConversions,
  getQuote,
  createQuote,
  executeQuote,
  createOnchainQuote,
  listPortfolioDetails,
  whitelistWallet,
  saveWithdrawalAddress,
  updateWithdrawalAddress,
  listWithdrawalAddresses,
  deleteFundingAddress,
  getBankLink,
  listDepositLimits,
  listDepositMethods,
  createDepositAddress,
  listDepositAddresses,
  createWithdrawal,
  listFundsTransactions,
  getRampProspectiveQuote,
  listWebhooks,
];
