import { type Issue, RequestValidationError } from '../errors.js';
import { membersOf } from '../request/input-members.js';
import { type ListOptions, OPTION_NAMES } from '../request/options.js';
import type { Operation, OperationInput, PageBody, PageMeta } from '../schema/operation.js';
import { INSPECT } from '../util/inspection.js';
import { Bare, copyMembers, ownMember, readMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import type { Signal } from '../util/platform.js';
import type { ApiPromise, ResponseInfo } from './api-promise.js';
import { PagePosition } from './page-position.js';

/** One page of a list. */
export interface Page<Item, Meta = PageMeta> {
  readonly items: Item[];
  /** Where the next page begins; undefined on the last. May be stored: `list(…, { page_token })` goes on from there. */
  readonly nextPageToken: string | undefined;
  /** True while there is a `nextPageToken`; a page may be empty and still have one. */
  readonly hasNextPage: boolean;
  /** What the service sent beside the items, for instance the valuation asset of an asset list. */
  readonly meta: Meta;
  /** Status, headers and attempts of this page's call. */
  readonly response: ResponseInfo;
  /**
   * Fetches the next page with the same filters, again at each call.
   *
   * @throws RequestValidationError when there is none; ResponseValidationError for a list that would never end, as in a
   * loop; and the errors of every call.
   */
  nextPage(): Promise<Page<Item, Meta>>;
}

/**
 * A cursor-paginated list. It sends nothing until it is used: iterate it (items), `await` it (first page), or call a
 * method. Each iteration begins afresh. Awaiting twice gives the same first page; after a first page that failed,
 * `await` asks again.
 *
 * A list that would never end is a `ResponseValidationError`: a page whose token an earlier page had (or the page
 * itself), and 100 pages in a row without an item. Both hold for loops, `toArray` and pages fetched with `nextPage()`.
 */
export interface PagedList<Item, Meta = PageMeta> extends AsyncIterable<Item>, PromiseLike<Page<Item, Meta>> {
  /** The first page alone; further `then`s share its one call, unless it has failed. */
  then<Fulfilled = Page<Item, Meta>, Rejected = never>(
    onfulfilled?: ((page: Page<Item, Meta>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected>;
  catch<Rejected = never>(
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<Item, Meta> | Rejected>;
  finally(onfinally?: (() => void) | null): Promise<Page<Item, Meta>>;
  /** Every item, page after page. Leaving the loop abandons what is in flight. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Item>;
  /** Every page. */
  pages(): AsyncIterableIterator<Page<Item, Meta>>;
  /** The first `limit` items as an array; no page is fetched beyond them. `limit`: a positive integer, required. */
  toArray(options: { limit: number }): Promise<Item[]>;
}

/** Calls for one page. */
type CallPage<Item, Meta> = (describe: () => PageRequest<Item, Meta>) => ApiPromise<PageBody<Item, Meta>>;

/** What one page is asked for with. */
export interface PageRequest<Item, Meta> {
  readonly input: OperationInput;
  readonly options: ListOptions;
  /** Ends the call when nobody wants its page any more. */
  readonly abandon: Signal | undefined;
  readonly refuse: (page: PageBody<Item, Meta>) => readonly Issue[];
}

/**
 * The list of what `input` asks for. What the caller does to input or options later does not change the pages to come.
 */
export function listOf<Item, Meta>(
  call: CallPage<Item, Meta>,
  operation: Operation,
  input: OperationInput,
  options: ListOptions,
): PagedList<Item, Meta> {
  const query = snapshot(ownMember(input, 'query') ?? {}, operation.query && membersOf(operation.query)?.parts);
  const params = ownMember(input, 'params');
  const source = new PageSource(call, { params, query }, snapshot(options, OPTION_NAMES));
  return new LazyList(
    operation.name,
    source,
    isRecord(query) ? (query['page_token'] as string | undefined) : undefined,
  );
}

/** Fetches pages of one list: its operation, filters and options. */
class PageSource<Item, Meta> {
  readonly #call: CallPage<Item, Meta>;
  readonly #input: OperationInput;
  readonly #options: ListOptions;

  constructor(call: CallPage<Item, Meta>, input: OperationInput, options: ListOptions) {
    this.#call = call;
    this.#input = input;
    this.#options = options;
  }

  get prefetch(): boolean {
    return this.#options?.prefetch === true;
  }

  async page(position: PagePosition, abandon?: Signal): Promise<Page<Item, Meta>> {
    const call = this.#call(() => this.#describe(position, abandon));
    return new FetchedPage(this, position, await call, call);
  }

  #describe(position: PagePosition, abandon: Signal | undefined): PageRequest<Item, Meta> {
    const { params, query } = this.#input;
    const input = { params, query: withToken(query, position.token) };
    return { input, options: this.#options, abandon, refuse: (page) => position.refuse(page) };
  }
}

/** The query of the page that begins there. What is no object is left for the operation's rules to refuse. */
function withToken(query: unknown, token: string | undefined): unknown {
  if (!isRecord(query) || query['page_token'] === token) return query;
  // Not a spread with a member behind it: V8 takes five times as long.
  return Object.assign(new Bare(), query, { page_token: token });
}

/**
 * A copy of an object with its arrays and plain objects copied as well (filters, extra headers); anything else as it
 * is.
 */
function snapshot<T>(value: T, names?: { has(name: string): boolean }): T {
  if (!isRecord(value)) return value;
  try {
    const copy = copyMembers(value, names);
    for (const name of Object.keys(copy)) copy[name] = copyMember(copy[name]);
    return copy as T;
  } catch {
    // What cannot be read is refused where a promise can carry it: when the page is called for.
    return value;
  }
}

function copyMember(member: unknown): unknown {
  if (Array.isArray(member)) return [...member];
  return isRecord(member) && Object.getPrototypeOf(member) === Object.prototype ? copyMembers(member) : member;
}

class FetchedPage<Item, Meta> implements Page<Item, Meta> {
  readonly items: Item[];
  readonly nextPageToken: string | undefined;
  readonly hasNextPage: boolean;
  readonly meta: Meta;
  readonly #source: PageSource<Item, Meta>;
  readonly #next: PagePosition | undefined;
  readonly #call: ApiPromise<unknown>;
  #response: ResponseInfo | undefined;

  constructor(
    source: PageSource<Item, Meta>,
    position: PagePosition,
    body: PageBody<Item, Meta>,
    call: ApiPromise<unknown>,
  ) {
    this.items = body.items;
    this.nextPageToken = body.token;
    this.hasNextPage = body.token !== undefined;
    this.meta = body.meta;
    this.#source = source;
    this.#next = position.after(body);
    this.#call = call;
  }

  /** Described when it is asked for: few callers look. */
  get response(): ResponseInfo {
    this.#response ??= this.#call.response();
    return this.#response;
  }

  async nextPage(): Promise<Page<Item, Meta>> {
    if (this.#next === undefined) {
      throw new RequestValidationError([
        { path: 'page_token', message: 'this is the last page: check hasNextPage first' },
      ]);
    }
    return this.#source.page(this.#next);
  }
}

class LazyList<Item, Meta> implements PagedList<Item, Meta> {
  readonly #operation: string;
  readonly #source: PageSource<Item, Meta>;
  readonly #firstToken: string | undefined;
  #first: Promise<Page<Item, Meta>> | undefined;

  constructor(operation: string, source: PageSource<Item, Meta>, firstToken: string | undefined) {
    this.#operation = operation;
    this.#source = source;
    this.#firstToken = firstToken;
  }

  then<Fulfilled = Page<Item, Meta>, Rejected = never>(
    onfulfilled?: ((page: Page<Item, Meta>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#first ??= this.#fetchFirst();
    return this.#first.then(onfulfilled, onrejected);
  }

  /** A failure is not kept: a loop that awaits the list until it succeeds must be able to succeed. */
  #fetchFirst(): Promise<Page<Item, Meta>> {
    const first = this.#source.page(PagePosition.first(this.#firstToken));
    first.catch(() => {
      this.#first = undefined;
    });
    return first;
  }

  catch<Rejected = never>(
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<Item, Meta> | Rejected> {
    return this.then(undefined, onrejected);
  }

  finally(onfinally?: (() => void) | null): Promise<Page<Item, Meta>> {
    return this.then().finally(onfinally);
  }

  pages(): AsyncIterableIterator<Page<Item, Meta>> {
    return abandonable((abandon) => walkPages(this.#source, this.#firstToken, abandon));
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Item> {
    return abandonable((abandon) => itemsOf(walkPages(this.#source, this.#firstToken, abandon)));
  }

  [INSPECT](): string {
    return `PagedList of ${this.#operation} { for await (const item of list), await list (first page), pages(), toArray() }`;
  }

  async toArray(options: { limit: number }): Promise<Item[]> {
    const limit = isRecord(options) ? readMember(options, 'limit') : undefined;
    if (!Number.isSafeInteger(limit) || (limit as number) < 1) {
      const message = 'must be a positive integer: the most items to hold in memory';
      throw new RequestValidationError([{ path: 'limit', message }]);
    }
    const items: Item[] = [];
    for await (const item of this) {
      items.push(item);
      if (items.length === limit) break;
    }
    return items;
  }
}

async function* walkPages<Item, Meta>(
  source: PageSource<Item, Meta>,
  firstToken: string | undefined,
  abandon: Signal,
): AsyncGenerator<Page<Item, Meta>, void, undefined> {
  let position: PagePosition | undefined = PagePosition.first(firstToken);
  let ahead: Promise<Page<Item, Meta>> | undefined;
  while (position !== undefined) {
    const page: Page<Item, Meta> = await (ahead ?? source.page(position, abandon));
    position = position.after({ items: page.items, token: page.nextPageToken });
    ahead = undefined;
    if (source.prefetch && position !== undefined) {
      ahead = source.page(position, abandon);
      // Its failure surfaces when the page is reached; until then nobody listens.
      ahead.catch(() => {});
    }
    yield page;
  }
}

async function* itemsOf<Item, Meta>(
  pages: AsyncGenerator<Page<Item, Meta>, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.items;
}

/** An iterator whose `return()` (leaving the loop) ends the page call in flight, also one that a `next()` waits for. */
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
