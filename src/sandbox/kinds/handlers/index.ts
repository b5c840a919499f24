import type { Handler } from '../../core/request/handler.js';
import { KINDS } from '../index.js';
import { assetHandlers } from './assets/assets.js';
import { conversionHandlers } from './conversions.js';
import { earnHandlers } from './earn.js';
import { depositHandlers } from './funds/deposits.js';
import { fundsHandlers } from './funds/funds.js';
import { withdrawalAddressHandlers } from './funds/withdrawal-addresses.js';
import { withdrawalHandlers } from './funds/withdrawals.js';
import { inboundHandlers } from './inbound/conversions.js';
import { historyHandlers } from './portfolio/history.js';
import { portfolioHandlers } from './portfolio/portfolio.js';
import { transactionHandlers } from './portfolio/transactions.js';
import { rampCheckoutHandlers } from './ramp/checkout.js';
import { rampDiscoveryHandlers } from './ramp/discovery.js';
import { rampLimitHandlers } from './ramp/limits.js';
import { rampQuoteHandlers } from './ramp/quotes.js';
import { reportHandlers } from './reports.js';
import { userHandlers } from './users.js';
import { walletHandlers } from './wallets.js';

/** The operations of the resources. */
export const handlers: readonly Handler[] = [
  ...userHandlers,
  ...assetHandlers,
  ...conversionHandlers,
  ...inboundHandlers,
  ...KINDS.flatMap(({ operations = [] }) => operations),
  ...portfolioHandlers,
  ...transactionHandlers,
  ...historyHandlers,
  ...walletHandlers,
  ...withdrawalAddressHandlers,
  ...fundsHandlers,
  ...depositHandlers,
  ...withdrawalHandlers,
  ...earnHandlers,
  ...rampDiscoveryHandlers,
  ...rampLimitHandlers,
  ...rampCheckoutHandlers,
  ...rampQuoteHandlers,
  ...reportHandlers,
];
