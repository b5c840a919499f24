import * as z from 'zod/mini';
import { findOnchainQuote, onchainPricing, onchainQuotes, submitOnchain } from '../../lifecycles/onchain-quotes.js';
import type { State } from '../../state/state.js';
import { change, checked, text } from '../input.js';

/** `sandbox.onchainQuotes`: what happens to on-chain quotes outside the API. */
export interface SandboxOnchainQuotes {
  /**
   * The application has submitted an offered quote on the chain: it is `executing`, and 15 s later
   * `executed`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, and for one that is
   * not offered.
   */
  submit(quoteId: string): void;
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
  return {
    submit: (quoteId) =>
      change(state, () => {
        const { account, record } = quoteNamed(state, 'onchainQuotes.submit', quoteId, ['offered']);
        submitOnchain(state, account, record);
      }),
    fail: (quoteId) =>
      change(state, () => {
        const may = ['pending', 'offered', 'executing'];
        quoteNamed(state, 'onchainQuotes.fail', quoteId, may).record.fails = true;
      }),
    setPendingTime: (ms) =>
      change(state, () => {
        state.records.of(onchainPricing).set('all', { ms: checked('onchainQuotes.setPendingTime', pendingTime, ms) });
      }),
  };
}

function quoteNamed(state: State, method: string, given: string, statuses: readonly string[]) {
  const id = checked(method, text, given);
  const account = [...state.accounts.values()].find(({ records }) => records.of(onchainQuotes).has(id));
  if (account === undefined) throw new Error(`${method}: there is no on-chain quote ${id}`);
  const record = findOnchainQuote(state, account, id);
  const { status } = record.quote;
  if (!statuses.includes(status)) throw new Error(`${method}: the quote ${id} is ${status}`);
  return { account, record };
}
