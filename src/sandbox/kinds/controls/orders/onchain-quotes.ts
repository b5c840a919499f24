import * as z from 'zod/mini';
import type { OnchainQuote } from '../../../../resources/accounts/onchain-quotes.js';
import type { Wire } from '../../../../schema/types.js';
import { betweenTasks, checked, text } from '../../../core/input.js';
import type { AccountState, State } from '../../../core/records/state.js';
import {
  expireOnchain,
  findOnchainQuote,
  type OnchainQuoteRecord,
  onchainPricing,
  onchainQuotes,
  submitOnchain,
} from '../../lifecycles/onchain-quotes.js';
import { checkMove, runNow } from '../moves.js';

/** `sandbox.onchainQuotes`: what happens to on-chain quotes outside the API. */
export interface SandboxOnchainQuotes {
  /**
   * Offers a pending quote now; `failed` after `fail`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, and for one that is
   * not `pending`.
   */
  offer(quoteId: string): Wire<OnchainQuote>;
  /**
   * The application has submitted an offered quote on the chain: it is `executing`, and 15 s later
   * `executed`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, and for one that is
   * not `offered`.
   */
  submit(quoteId: string): void;
  /**
   * Ends the execution now: `executed`, or `failed` after `fail`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, and for one that is
   * not `executing`.
   */
  settle(quoteId: string): Wire<OnchainQuote>;
  /**
   * Lets an offered quote expire now: `expires_at` becomes the present moment.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, and for one that is
   * not `offered`.
   */
  expire(quoteId: string): Wire<OnchainQuote>;
  /**
   * Makes a quote fail: a pending one is not offered, an offered or executing one is not executed.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, and for one that has
   * ended.
   */
  fail(quoteId: string): void;
  /**
   * Sets for how many milliseconds a new quote is `pending` before it is `offered`. Default 0.
   *
   * @throws TypeError for a number that is not possible.
   */
  setPendingTime(ms: number): void;
}

const pendingTime = z.number().check(z.nonnegative(), z.maximum(86_400_000));

export function onchainQuoteControls(state: State): SandboxOnchainQuotes {
  const move = <T>(method: string, id: string, run: (record: OnchainQuoteRecord, account: AccountState) => T): T =>
    betweenTasks(state, () => {
      const { account, record } = quoteToMove(state, method, id);
      return run(record, account);
    });
  const runStep = (method: string, id: string, step: string): Wire<OnchainQuote> =>
    move(method, id, ({ quote }, account) => {
      runNow(state, step, quote.id, account.id);
      return quote;
    });
  return {
    offer: (quoteId) => runStep('onchainQuotes.offer', quoteId, 'onchain_quote.offer'),
    submit: (quoteId) =>
      move('onchainQuotes.submit', quoteId, (record, account) => submitOnchain(state, account, record)),
    settle: (quoteId) => runStep('onchainQuotes.settle', quoteId, 'onchain_quote.finish'),
    expire: (quoteId) => move('onchainQuotes.expire', quoteId, (record) => expireOnchain(state, record)),
    fail: (quoteId) =>
      move('onchainQuotes.fail', quoteId, (record) => {
        record.fails = true;
      }),
    setPendingTime: (ms) =>
      betweenTasks(state, () => {
        state.records.of(onchainPricing).set('all', { ms: checked('onchainQuotes.setPendingTime', pendingTime, ms) });
      }),
  };
}

function quoteToMove(state: State, method: string, given: string) {
  const id = checked(method, text, given);
  const account = [...state.accounts.values()].find(({ records }) => records.of(onchainQuotes).has(id));
  if (account === undefined) throw new Error(`${method}: there is no on-chain quote ${id}`);
  const record = findOnchainQuote(state, account, id);
  checkMove('onchainQuotes', method, id, record.quote.status);
  return { account, record };
}
