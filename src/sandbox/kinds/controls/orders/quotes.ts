import type { Quote } from '../../../../resources/accounts/quote.js';
import type { Wire } from '../../../../schema/types.js';
import { betweenTasks, checked, text } from '../../../core/input.js';
import type { AccountState, QuoteRecord, State } from '../../../core/records/state.js';
import { expireNow, findQuote, finishNow } from '../../lifecycles/quotes.js';
import { checkMove } from '../moves.js';

/** `sandbox.quotes`: moves quotes on. */
export interface SandboxQuotes {
  /**
   * Lets an offered quote expire now: `expires_at` becomes the present moment.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, and for one that is
   * not `offered`.
   */
  expire(quoteId: string): Wire<Quote>;
  /**
   * Ends the execution now: `executed`, or `failed` if less than its amount was available or after
   * `fail`. Money moves and webhooks go out as they do by time.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, for one that is not
   * `executing`, and for one that a conversion executes.
   */
  settle(quoteId: string): Wire<Quote>;
  /**
   * Makes the executor reject an offered or executing quote: once executed, it ends in `failed`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, and for one that has
   * ended.
   */
  fail(quoteId: string): void;
}

export function quoteControls(state: State): SandboxQuotes {
  return {
    expire: (quoteId) =>
      betweenTasks(state, () => {
        const { record } = quoteToMove(state, 'quotes.expire', quoteId);
        return expireNow(state, record);
      }),
    settle: (quoteId) =>
      betweenTasks(state, () => {
        const { account, record } = quoteToMove(state, 'quotes.settle', quoteId);
        const { conversion, quote } = record;
        if (conversion !== undefined) {
          throw new Error(`quotes.settle: the conversion ${conversion} executes the quote: conversions.settle`);
        }
        finishNow(state, account, record);
        return quote;
      }),
    fail: (quoteId) =>
      betweenTasks(state, () => {
        quoteToMove(state, 'quotes.fail', quoteId).record.fails = true;
      }),
  };
}

function quoteToMove(state: State, method: string, given: string): { account: AccountState; record: QuoteRecord } {
  const id = checked(method, text, given);
  const account = [...state.accounts.values()].find(({ quotes }) => quotes.has(id));
  if (account === undefined) throw new Error(`${method}: there is no quote ${id}`);
  const record = findQuote(state, account, id);
  checkMove('quotes', method, id, record.quote.status);
  return { account, record };
}
