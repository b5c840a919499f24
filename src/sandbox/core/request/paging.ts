import { createHmac, timingSafeEqual } from 'node:crypto';
import { badRequest } from './refusal.js';

export interface PageQuery {
  readonly page_size?: number | undefined;
  readonly page_token?: string | undefined;
}

type Listing<Item> = ListingFacts<Item> & (WholeList<Item> | ListInParts<Item>);

interface ListingFacts<Item> {
  /** Identifies the list: operation, owner, filters, order. Tokens of another list are rejected. */
  readonly scope: readonly unknown[];
  /** Returns the position of an item: unique, and constant while items are added or removed. */
  readonly position: (item: Item) => string;
  /** Name of the query parameter for the token. Default `page_token`. */
  readonly cursor?: string;
  /**
   * If true, the page size is in the token, so all pages have that of the first. Default false:
   * each request sets its own.
   */
  readonly sizeInToken?: boolean;
}

interface WholeList<Item> {
  readonly items: readonly Item[];
  /** True if an item comes after a position, which may belong to a removed item. */
  readonly isAfter: (item: Item, position: string) => boolean;
}

/** A list that is too long to be built as a whole, or whose order changes while it is read. */
interface ListInParts<Item> {
  /** Returns at most `count` items after a position; the first items if it is undefined. */
  readonly next: (position: string | undefined, count: number) => readonly Item[];
}

export interface WirePage<Item> {
  readonly data: readonly Item[];
  readonly next_page_token?: string;
}

/** Order by descending sequence: several records may have the same time. */
export const newestFirst = {
  position: ({ sequence }: { readonly sequence: number }): string => String(sequence),
  isAfter: ({ sequence }: { readonly sequence: number }, position: string): boolean => sequence < Number(position),
};

/** Order by a text that is unique among the items. */
export const inOrderOf = <Item>(textOf: (item: Item) => string) => ({
  position: textOf,
  isAfter: (item: Item, position: string): boolean => textOf(item) > position,
});

interface Mark {
  readonly size: number;
  readonly position: string;
}

const DEFAULT_PAGE_SIZE = 20;
const TAG_BYTES = 12;

/**
 * Pages with opaque tokens. A token contains the position of the last item, not an offset. So pages
 * stay correct while items are added at the front. It is authenticated: a made-up token, or one of
 * another list, gets 400.
 */
export class Pager {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  page<Item>(listing: Listing<Item>, query: PageQuery): WirePage<Item> {
    const mark = query.page_token === undefined ? undefined : this.#open(listing, query.page_token);
    const asked = query.page_size ?? DEFAULT_PAGE_SIZE;
    const size = listing.sizeInToken === true ? (mark?.size ?? asked) : asked;
    const rest = 'next' in listing ? listing.next(mark?.position, size + 1) : after(listing, mark?.position);
    const data = rest.slice(0, size);
    const last = data.at(-1);
    if (last === undefined || rest.length <= size) return { data };
    return { data, next_page_token: this.#seal(listing.scope, { size, position: listing.position(last) }) };
  }

  #seal(scope: readonly unknown[], { size, position }: Mark): string {
    const payload = Buffer.from(JSON.stringify([size, position]));
    return Buffer.concat([this.#tag(scope, payload), payload]).toString('base64url');
  }

  #open({ scope, cursor = 'page_token' }: Pick<Listing<never>, 'scope' | 'cursor'>, token: string): Mark {
    const bytes = Buffer.from(token, 'base64url');
    const payload = bytes.subarray(TAG_BYTES);
    const tag = this.#tag(scope, payload);
    // The text is compared, too: base64url decoding ignores unknown characters, so another text
    // could decode to the same bytes.
    const genuine = bytes.length > TAG_BYTES && timingSafeEqual(bytes.subarray(0, TAG_BYTES), tag);
    if (!genuine || bytes.toString('base64url') !== token) {
      throw badRequest({ field: cursor, message: 'is not a next_page_token of this list' });
    }
    const [size, position] = JSON.parse(payload.toString()) as [number, string];
    return { size, position };
  }

  #tag(scope: readonly unknown[], payload: Uint8Array): Buffer {
    const hmac = createHmac('sha256', this.#secret).update(JSON.stringify(scope)).update('\n').update(payload);
    return hmac.digest().subarray(0, TAG_BYTES);
  }
}

function after<Item>({ items, isAfter }: WholeList<Item>, position: string | undefined): readonly Item[] {
  if (position === undefined) return items;
  const start = items.findIndex((item) => isAfter(item, position));
  return start < 0 ? [] : items.slice(start);
}
