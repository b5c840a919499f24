import type { Area } from '../../core/kind/kind.js';
import { historyHandlers } from './history.js';
import { portfolioHandlers } from './portfolio.js';
import { transactionHandlers } from './transactions.js';

/** Balances, history and transactions of accounts, from their ledger. */
export const portfolio: Area = {
  name: 'portfolio',
  operations: [...portfolioHandlers, ...transactionHandlers, ...historyHandlers],
  choices: {
    'accounts.portfolio.summary': 'Withholds nothing: what quotes and conversions under way hold is in `open_orders`.',
    'accounts.portfolio.transactions.list':
      'Lists the newest first, with the status `successful` or `failed` and values in US dollars at the price of the moment. An on-demand conversion is a `simple_order`. A failed order has the amount 0 on both sides, as nothing has moved. Parameters of unknown names change nothing.',
    'accounts.portfolio.history':
      'Shows 30 days until now by default, with at most 100 even distances and then the last moment. Before the sandbox began, the balances are those of its beginning.',
  },
};
