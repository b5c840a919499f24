import { type Issue, RequestValidationError } from '../errors.js';
import { type ListOptions, OPTION_NAMES } from '../request/options.js';
import { membersOf } from '../schema/input-members.js';
import type { Operation, OperationInput, PageBody, PageMeta } from '../schema/operation.js';
import { INSPECT } from '../util/inspection.js';
import { copyMembers, ownMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import type { Signal } from '../util/platform.js';
import { type CallSite, callSite, isOfAwait, withCallers } from './call-site.js';
import type { CallResult } from './execute.js';
import { Page, PagePosition, type PageSource } from './page.js';

export type CallPage<Item, Meta> = (
  input: OperationInput,
  options: ListOptions,
  limits: {
    /** Ends the call when the loop over the list is left. */
    readonly abandon: Signal | undefined;
    /** Issues of a page that must not be returned. */
    readonly validate: (page: PageBody<Item, Meta>) => readonly Issue[];
  },
) => Promise<CallResult<PageBody<Item, Meta>>>;

/**
 * A cursor-paginated list. It sends nothing until you use it: iterate over it (items), `await` it
 * (first page), or call a method. Each iteration begins again at the first page. Awaiting twice
 * returns the same page; if it failed, the next `await` fetches it again.
 *
 * @example
 * const conversions = client.accounts.conversions.list(accountId, { status: 'completed' });
 * for await (const { id } of conversions) console.log(id); // every item, page after page
 * const { items } = await conversions; // the first page
 *
 * @throws ResponseValidationError for a list that would never end: a token that this page or an
 *   earlier one had, or 100 pages in a row without an item. This applies to `nextPage()`, too.
 */
export class PagedList<Item, Meta = PageMeta> implements AsyncIterable<Item>, PromiseLike<Page<Item, Meta>> {
  readonly #operation: string;
  readonly #firstToken: string | undefined;
  readonly #prefetch: boolean;
  readonly #source: PageSource<Item, Meta>;
  #first: Promise<Page<Item, Meta>> | undefined;

  /**
   * Copies input and options, so that changing them later does not change the pages to come.
   *
   * @internal
   */
  constructor(operation: Operation, input: OperationInput, given: ListOptions, call: CallPage<Item, Meta>) {
    const params = ownMember(input, 'params');
    const query = snapshot(ownMember(input, 'query') ?? {}, operation.query && membersOf(operation.query)?.parts);
    const options = snapshot(given, OPTION_NAMES);
    this.#operation = operation.name;
    this.#firstToken = memberOf(query, cursorOf(operation)) as string | undefined;
    this.#prefetch = memberOf(options, 'prefetch') === true;
    this.#source = new CallSource(call, cursorOf(operation), { params, query }, options);
  }

  /** Returns the first page. All `then`s share one call for it, unless that call has failed. */
  then<Fulfilled = Page<Item, Meta>, Rejected = never>(
    onfulfilled?: ((page: Page<Item, Meta>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#first ??= this.#fetchFirst();
    if (isOfAwait(onfulfilled) && isOfAwait(onrejected)) return this.#first.then(onfulfilled, onrejected);
    return this.#then(callSite(this.then), onfulfilled, onrejected);
  }

  catch<Rejected = never>(
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<Item, Meta> | Rejected> {
    return this.#then(callSite(this.catch), undefined, onrejected);
  }

  finally(onfinally?: (() => void) | null): Promise<Page<Item, Meta>> {
    return this.#then(callSite(this.finally)).finally(onfinally);
  }

  /**
   * Returns every item, page after page. If you leave the loop, the client aborts the request for a
   * page that is in flight.
   *
   * @example
   * for await (const { id, status } of client.accounts.transfers.list(accountId)) {
   *   if (status === 'failed') break; // fetches no further page
   * }
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Item> {
    return abandonable((abandon) => itemsOf(this.#walk(abandon)));
  }

  /**
   * Every page.
   *
   * @example
   * for await (const page of client.accounts.conversions.list(accountId).pages()) {
   *   console.log(page.items.length, page.nextPageToken); // a stored token works after a restart
   * }
   */
  pages(): AsyncIterableIterator<Page<Item, Meta>> {
    return abandonable((abandon) => this.#walk(abandon));
  }

  /**
   * The first `limit` items (1 or more, required). Fetches no page beyond them.
   *
   * @example
   * const newest = await client.accounts.conversions.list(accountId).toArray({ limit: 50 });
   *
   * @throws RequestValidationError for a `limit` that is not a whole number above 0, and the errors
   *   of every list.
   */
  async toArray(options: { limit: number }): Promise<Item[]> {
    const limit = isRecord(options) ? options.limit : undefined;
    if (!Number.isSafeInteger(limit) || (limit as number) < 1) {
      const message = 'must be a positive integer: the most items to hold in memory';
      throw new RequestValidationError([{ path: 'limit', message }]);
    }
    const items: Item[] = [];
    for await (const page of this.pages()) {
      for (const item of page.items) {
        if (items.push(item) === limit) return items;
      }
    }
    return items;
  }

  /** @internal */
  [INSPECT](): string {
    return `PagedList of ${this.#operation} { for await (const item of list), await list (first page), pages(), toArray() }`;
  }

  #then<Fulfilled = Page<Item, Meta>, Rejected = never>(
    site: CallSite,
    onfulfilled?: ((page: Page<Item, Meta>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#first ??= this.#fetchFirst();
    return this.#first.then(onfulfilled, withCallers(site, onrejected));
  }

  /** A failure is not stored: the next `await` fetches the page again. */
  async #fetchFirst(): Promise<Page<Item, Meta>> {
    try {
      return await this.#source.fetch(PagePosition.first(this.#firstToken));
    } catch (error) {
      this.#first = undefined;
      throw error;
    }
  }

  async *#walk(abandon: Signal): AsyncGenerator<Page<Item, Meta>, void, undefined> {
    let position: PagePosition | undefined = PagePosition.first(this.#firstToken);
    let ahead: Promise<() => Page<Item, Meta>> | undefined;
    while (position !== undefined) {
      const page: Page<Item, Meta> = ahead ? (await ahead)() : await this.#source.fetch(position, abandon);
      position = position.after({ items: page.items, token: page.nextPageToken });
      ahead = this.#prefetch && position !== undefined ? held(this.#source.fetch(position, abandon)) : undefined;
      yield page;
    }
  }
}

/** Stops untyped programs. The type lacks it, so `for (const item of list)` does not compile. */
Object.defineProperty(PagedList.prototype, Symbol.iterator, {
  value: () => {
    throw new TypeError(
      'a list comes page by page: use for await (const item of list), or await list.toArray({ limit })',
    );
  },
});

/**
 * Makes the calls for the pages of one list. It is not part of the list, because a page that holds
 * the list that holds the page stays until V8 collects the whole heap: 1.3 times the CPU of a page
 * (`npm run bench -- --cells page:1`).
 */
class CallSource<Item, Meta> implements PageSource<Item, Meta> {
  readonly #call: CallPage<Item, Meta>;
  readonly #cursor: string;
  readonly #input: OperationInput;
  readonly #options: ListOptions;

  constructor(call: CallPage<Item, Meta>, cursor: string, input: OperationInput, options: ListOptions) {
    this.#call = call;
    this.#cursor = cursor;
    this.#input = input;
    this.#options = options;
  }

  async fetch(position: PagePosition, abandon?: Signal): Promise<Page<Item, Meta>> {
    const { params, query } = this.#input;
    const asked = position.isFirst ? query : { ...(query as object), [this.#cursor]: position.token };
    const limits = { abandon, validate: (page: PageBody<Item, Meta>) => position.validate(page) };
    return new Page(this, position, await this.#call({ params, query: asked }, this.#options, limits));
  }
}

/** Settles when the page has arrived or failed. A failure is thrown when its page is taken. */
function held<T>(page: Promise<T>): Promise<() => T> {
  return page.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );
}

/** Returns the query parameter that selects a page. */
export const cursorOf = ({ cursor }: Operation): string => cursor ?? 'page_token';

async function* itemsOf<Item, Meta>(
  pages: AsyncGenerator<Page<Item, Meta>, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) {
    for (const item of page.items) yield item;
  }
}

/** An iterator whose `return()` (leaving the loop) ends the call in flight. */
function abandonable<T>(walk: (abandon: Signal) => AsyncGenerator<T, void, undefined>): AsyncIterableIterator<T> {
  const controller = new AbortController();
  const generator = walk(controller.signal as Signal);
  return {
    next: async () => {
      try {
        return await generator.next();
      } catch (error) {
        if (controller.signal.aborted) return { done: true, value: undefined };
        throw error;
      }
    },
    return: async () => {
      controller.abort();
      return generator.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A copy; its arrays and plain objects (filters, extra headers) are copied as well. */
function snapshot<T>(value: T, names?: { has(name: string): boolean }): T {
  if (!isRecord(value)) return value;
  try {
    const copy = copyMembers(value, names);
    for (const name of Object.keys(copy)) copy[name] = copyMember(copy[name]);
    return copy as T;
  } catch {
    // A member that throws is read again for the first page, whose promise can carry the error.
    return value;
  }
}

/** Undefined for a member that throws, too. */
function memberOf(object: unknown, name: string): unknown {
  try {
    return isRecord(object) ? object[name] : undefined;
  } catch {
    return undefined;
  }
}

function copyMember(member: unknown): unknown {
  if (Array.isArray(member)) return [...member];
  return isRecord(member) && Object.getPrototypeOf(member) === Object.prototype ? copyMembers(member) : member;
}
