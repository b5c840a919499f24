import type { State, Task } from '../state/state.js';
import { completeConversion, settleConversion } from './conversions.js';
import { restoreLimit } from './deposits.js';
import { finishQuote } from './quotes.js';
import { screenWallet } from './wallets.js';

/** Does what has become due. */
export function runTask(state: State, task: Task): void {
  switch (task.kind) {
    case 'quote.finish':
      finishQuote(state, task);
      break;
    case 'wallet.screen':
      screenWallet(state, task);
      break;
    case 'conversion.settle':
      settleConversion(state, task);
      break;
    case 'conversion.complete':
      completeConversion(state, task);
      break;
    case 'limit.restore':
      restoreLimit(state, task);
      break;
    case 'webhook.attempt':
      state.webhooks.attempt(task.delivery);
      break;
  }
}
