import type { Operation, PageBody } from '../../schema/operation.js';
import type { CallResult } from '../execute.js';
import type { Polling } from './poll.js';

/** The most pages that one poll reads. */
const MAX_PAGES = 5;

/** A wait for a change of one item of a list. It goes on while the list lacks the item. */
export interface ItemPolling<T, Body> extends Polling<T, Body> {
  /** Returns the item, if the list or page has it. */
  readonly find: (body: Body) => T | undefined;
}

/** Calls for a list: for its first page without a token, or all of it if it has no pages. */
export type CallForList<Body> = (token: string | undefined) => Promise<CallResult<Body>>;

/**
 * The search for one item, over all polls of a wait. A poll reads the first page and then goes on
 * where the poll before it stopped: so it finds the item in a list of any order and length.
 */
export class ItemSearch<T, Body> {
  readonly #polling: ItemPolling<T, Body>;
  /** Token of the page that the next poll reads after the first. Undefined: the second page. */
  #resumeAt: string | undefined;

  constructor(polling: ItemPolling<T, Body>) {
    this.#polling = polling;
  }

  async poll(call: CallForList<Body>): Promise<CallResult<T | undefined>> {
    let token: string | undefined;
    for (let pages = 1; ; pages++) {
      const result = await call(token);
      const body = result.data;
      const data = this.#polling.find(body);
      if (data !== undefined) return { ...result, data };
      const following = nextTokenOf(this.#polling.operation, body);
      if (pages > 1) this.#resumeAt = following;
      if (following === undefined || pages === MAX_PAGES) return { ...result, data };
      token = pages === 1 ? (this.#resumeAt ?? following) : following;
      this.#resumeAt = token;
    }
  }
}

function nextTokenOf<Body>({ cursor }: Operation<Body>, body: Body): string | undefined {
  return cursor === undefined ? undefined : (body as PageBody<unknown>).token;
}
