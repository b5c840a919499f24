import { type Issue, RequestValidationError, type ResponseInfo } from '../errors.js';
import type { PageBody, PageMeta } from '../schema/operation.js';
import type { Signal } from '../util/platform.js';
import { type CallResult, responseOf } from './execute.js';

/** Maximum number of page tokens that a list remembers at a time. */
const MAX_REMEMBERED_TOKENS = 1_000;

/** Maximum number of pages in a row without an item. After more, the list throws an error. */
const MAX_EMPTY_PAGES = 100;

/** Fetches the pages of one list. */
export interface PageSource<Item, Meta> {
  /** @param abandon Ends the call. */
  fetch(position: PagePosition, abandon?: Signal): Promise<Page<Item, Meta>>;
}

/**
 * One page of a list. It iterates over its own items: `for (const item of page)`, `[...page]`.
 *
 * @example
 * const { nextPageToken } = await client.accounts.conversions.list(accountId);
 * // Later, perhaps in another process:
 * const params = { page_token: nextPageToken };
 * for await (const { id } of client.accounts.conversions.list(accountId, params)) console.log(id);
 */
export class Page<Item, Meta = PageMeta> implements Iterable<Item> {
  readonly items: Item[];
  /**
   * Undefined on the last page. You may store it: `list(..., { page_token })` continues from there.
   * The ledger (`funds.transactions`) calls that parameter `cursor`.
   */
  readonly nextPageToken: string | undefined;
  /** True while there is a `nextPageToken`; a page may be empty and still have one. */
  readonly hasNextPage: boolean;
  /** Other members of the response, for example the valuation asset of an asset list. */
  readonly meta: Meta;
  readonly #source: PageSource<Item, Meta>;
  readonly #next: PagePosition | undefined;
  readonly #result: CallResult<unknown>;
  #response: ResponseInfo | undefined;

  /** @internal */
  constructor(source: PageSource<Item, Meta>, position: PagePosition, result: CallResult<PageBody<Item, Meta>>) {
    const { items, token, meta } = result.data;
    this.items = items;
    this.nextPageToken = token;
    this.hasNextPage = token !== undefined;
    this.meta = meta;
    this.#source = source;
    this.#next = position.after({ items, token });
    this.#result = result;
  }

  /** The items of this page. `for await (const item of list)` continues with the next page. */
  [Symbol.iterator](): IterableIterator<Item> {
    return this.items[Symbol.iterator]();
  }

  /** Status, headers and attempts of this page's call. */
  get response(): ResponseInfo {
    this.#response ??= responseOf(this.#result);
    return this.#response;
  }

  /**
   * Fetches the next page with the same filters, anew at each call.
   *
   * @example
   * let page = await client.reports.settlement.list();
   * while (page.hasNextPage) page = await page.nextPage();
   *
   * @throws RequestValidationError on the last page; ResponseValidationError for a list that would
   *   never end; and the errors of every call.
   */
  async nextPage(): Promise<Page<Item, Meta>> {
    if (this.#next === undefined) {
      throw new RequestValidationError([
        { path: 'page_token', message: 'this is the last page: check hasNextPage first' },
      ]);
    }
    return this.#source.fetch(this.#next);
  }
}

/** Not in the type. `for await` over a page would leave out the items of the following pages. */
Object.defineProperty(Page.prototype, Symbol.asyncIterator, {
  value: () => {
    throw new TypeError(
      'a page has only its own items: use for (const item of page), or for await (const item of list), without await before the list, for every item',
    );
  },
});

/** The part of a page that decides about the next one. */
interface Followed {
  readonly items: readonly unknown[];
  readonly token: string | undefined;
}

/** The place of one page in its list: the token that requests it, and what came before it. */
export class PagePosition {
  /** Undefined at the beginning of a list. */
  readonly token: string | undefined;
  readonly #index: number;
  readonly #emptyBefore: number;
  readonly #seen: SeenTokens;

  private constructor(token: string | undefined, index: number, emptyBefore: number, seen: SeenTokens) {
    this.token = token;
    this.#index = index;
    this.#emptyBefore = emptyBefore;
    this.#seen = seen;
  }

  static first(token: string | undefined): PagePosition {
    const seen = new SeenTokens();
    // Any other kind of token is rejected when the page is requested.
    if (typeof token === 'string') seen.indexOf(token, 0);
    return new PagePosition(token, 0, 0, seen);
  }

  get isFirst(): boolean {
    return this.#index === 0;
  }

  after({ items, token }: Followed): PagePosition | undefined {
    if (token === undefined) return undefined;
    return new PagePosition(token, this.#index + 1, items.length === 0 ? this.#emptyBefore + 1 : 0, this.#seen);
  }

  /** Issues of a page which shows that its list would never end. */
  validate({ items, token }: Followed): Issue[] {
    if (token === undefined) return [];
    if (items.length === 0 && this.#emptyBefore + 1 >= MAX_EMPTY_PAGES) {
      return [{ path: 'data', message: `${MAX_EMPTY_PAGES} pages in a row have no item: the list may never end` }];
    }
    // A page that is fetched again returns its token again: only an earlier index is a loop.
    if (this.#seen.indexOf(token, this.#index + 1) > this.#index) return [];
    const message =
      token === this.token
        ? 'repeats the token that this page was asked with: the list would never end'
        : 'repeats the token of an earlier page: the list would never end';
    return [{ path: 'next_page_token', message }];
  }
}

/**
 * The tokens of one list, each with the index of its page. All are dropped whenever the number of
 * pages has doubled (Brent's cycle detection), which bounds the memory and finds every cycle. One
 * of up to `MAX_REMEMBERED_TOKENS` pages is usually found in its second round, a longer one later.
 */
class SeenTokens {
  readonly #indices = new Map<string, number>();
  #forgetAt = MAX_REMEMBERED_TOKENS;

  /** The index of the page that first had this token: `index`, when the token is new. */
  indexOf(token: string, index: number): number {
    const known = this.#indices.get(token);
    if (known !== undefined) return known;
    if (index > this.#forgetAt) {
      this.#indices.clear();
      this.#forgetAt *= 2;
    }
    if (this.#indices.size < MAX_REMEMBERED_TOKENS) this.#indices.set(token, index);
    return index;
  }
}
