import { findQuote } from '../../lifecycles/quotes.js';
import type { State } from '../../state/state.js';
import { change, checked, text } from '../input.js';

export interface SandboxQuotes {
  /**
   * Makes the executor reject an offered or executing quote: once executed, it ends in `failed`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown quote, and for one that has
   * ended.
   */
  fail(quoteId: string): void;
}

export function quoteControls(state: State): SandboxQuotes {
  return { fail: (quoteId) => change(state, () => failQuote(state, quoteId)) };
}

function failQuote(state: State, quoteId: string): void {
  const id = checked('quotes.fail', text, quoteId);
  const owner = [...state.accounts.values()].find(({ quotes }) => quotes.has(id));
  if (owner === undefined) throw new Error(`quotes.fail: there is no quote ${id}`);
  const record = findQuote(state, owner, id);
  const { status } = record.quote;
  if (status !== 'offered' && status !== 'executing')
    throw new Error(`quotes.fail: the quote ${id} is ${status} already`);
  record.fails = true;
}
