import type { Area } from '../../core/kind/kind.js';
import { historyHandlers } from './history.js';
import { portfolioHandlers } from './portfolio.js';
import { transactionHandlers } from './transactions.js';

/** Balances, history and transactions of accounts, from their ledger. */
export const portfolio: Area = {
  name: 'portfolio',
  operations: [...portfolioHandlers, ...transactionHandlers, ...historyHandlers],
  choices: {
    'accounts.portfolio.summary': 'Withholds nothing. `open_orders` has what open quotes and conversions hold.',
    'accounts.portfolio.transactions.list':
      'Lists the newest transaction first, with the status `successful` or `failed` and values in US dollars at the price of that moment. An on-demand conversion is a `simple_order`. A failed order has the amount 0 on both sides, because nothing has moved. Unknown parameters are ignored.',
    'accounts.portfolio.history':
      'Covers the 30 days until now by default, with at most 100 evenly spaced points and then the last moment. For times before the sandbox started, the balances are those of its start.',
  },
};
