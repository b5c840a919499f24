import type { Issue } from '../errors.js';

/** The most page tokens that a list remembers at a time. */
const MAX_REMEMBERED_TOKENS = 1_000;
/** A list ends with an error when so many pages in a row have no item, and yet another page is to follow. */
const MAX_EMPTY_PAGES = 100;

/** The part of a page that decides whether another one follows. */
interface Followed {
  readonly items: readonly unknown[];
  readonly token: string | undefined;
}

/** The place of one page in its list: what it is asked with, and what came before it. */
export class PagePosition {
  /** The token that this page is asked with; undefined for a list's beginning. */
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
    // Any other kind of token is refused when the page is called for.
    if (typeof token === 'string') seen.indexOf(token, 0);
    return new PagePosition(token, 0, 0, seen);
  }

  /** The place of the page that follows; undefined after the last. */
  after({ items, token }: Followed): PagePosition | undefined {
    if (token === undefined) return undefined;
    return new PagePosition(token, this.#index + 1, items.length === 0 ? this.#emptyBefore + 1 : 0, this.#seen);
  }

  /** The reasons to refuse the page found here: the list that it belongs to would never end. */
  refuse({ items, token }: Followed): Issue[] {
    if (token === undefined) return [];
    if (items.length === 0 && this.#emptyBefore + 1 >= MAX_EMPTY_PAGES) {
      return [{ path: 'data', message: `${MAX_EMPTY_PAGES} pages in a row have no item: the list may never end` }];
    }
    // A page that is fetched again gives its token again: only an earlier place is a way back.
    if (this.#seen.indexOf(token, this.#index + 1) > this.#index) return [];
    const message =
      token === this.token
        ? 'repeats the token that this page was asked with: the list would never end'
        : 'repeats the token of an earlier page: the list would never end';
    return [{ path: 'next_page_token', message }];
  }
}

/**
 * The tokens of one list and the index of the page that each belongs to. All tokens are forgotten whenever the number
 * of pages has doubled (Brent's cycle detection). So memory is bounded and every cycle is found: one of up to
 * `MAX_REMEMBERED_TOKENS` pages mostly in its second round, a longer one in a later round. A token is kept as it is: one of more than
 * 256 characters cannot be asked with, so it ends the list.
 */
class SeenTokens {
  readonly #indices = new Map<string, number>();
  #forgetAt = MAX_REMEMBERED_TOKENS;

  /** The index of the page that was first seen to have this token: `index`, when the token is new. */
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
