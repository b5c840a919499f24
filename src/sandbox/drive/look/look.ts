import * as z from 'zod/mini';
import { nearestName } from '../../../util/did-you-mean.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { accountNamed, checked, text } from '../../core/input.js';
import type { State } from '../../core/records/state.js';
import type { PostingEntry } from '../../core/timeline/entries.js';
import {
  type AccountHolding,
  type BooksCheck,
  checkBooks,
  holdingsOf,
  type Totals,
} from '../../kinds/registry/books.js';
import type { WebhookHost } from '../../webhooks/host.js';
import type { EntryLog } from './entry-log.js';
import { RESOURCE_KINDS } from './kinds.js';
import {
  type ResourceDetails,
  type ResourceFilter,
  type ResourceKindInfo,
  Resources,
  type SandboxResource,
} from './resources.js';

/** `sandbox.resources`: everything that the service has, by kind. */
export interface SandboxResources {
  /** Returns all kinds, with their numbers and their states. */
  kinds(): ResourceKindInfo[];
  /**
   * Returns resources of a kind, newest first, with what may be done with each.
   *
   * @param kind Kind of the resources.
   * @throws TypeError for an unknown kind and a wrong filter, Error for an `after` that is not
   *   there.
   */
  list(kind: string, filter?: ResourceFilter): SandboxResource[];
  /**
   * Returns one resource with its history. Undefined, in JSON `null`, if there is none.
   *
   * @param kind Kind of the resource.
   * @param id Id of the resource.
   * @throws TypeError for an unknown kind.
   */
  get(kind: string, id: string): ResourceDetails | undefined;
}

/** Filter of the postings. */
export interface PostingFilter {
  /** Only postings that this account, or this book, paid or received. */
  readonly account?: string | undefined;
  /** For example `crypto:BTC`, or `BTC` of any class. */
  readonly asset?: string | undefined;
  /** Only postings with this cause: the `seq` of a request, timer or call. */
  readonly cause?: number | undefined;
  /** Only postings with this reference: the id of a quote, a deposit, … */
  readonly reference?: string | undefined;
  /** Only postings with a higher `seq`. */
  readonly after?: number | undefined;
  /** Maximum number of entries, oldest first. Default: all. */
  readonly limit?: number | undefined;
}

/** `sandbox.postings`: how money moved. */
export interface SandboxPostings {
  /**
   * Returns the newest 10,000 postings since the state was put in place, oldest first. Empty unless
   * the sandbox was made with `inspect`.
   *
   * @throws TypeError for an unknown or wrong filter.
   */
  list(filter?: PostingFilter): PostingEntry[];
  /** Number of older postings that are gone. */
  readonly gone: number;
}

/** `sandbox.books`: proofs of the ledger. */
export interface SandboxBooks {
  /**
   * Sums every asset over all accounts and books: no sum may change since the sandbox was made,
   * reset or restored. No balance may be below 0, and orders must hold what is held.
   */
  check(): BooksCheck;
  /**
   * Returns what an account has of each asset, and which orders hold of it.
   *
   * @throws Error for an unknown account.
   */
  holdings(accountId: string): AccountHolding[];
}

const count = z.int().check(z.nonnegative());
const resourceFilter = z.strictObject({
  ...{ account: z.optional(text), status: z.optional(text), q: z.optional(text) },
  ...{ limit: z.optional(count), after: z.optional(text) },
});
const postingFilter = z.strictObject({
  ...{ account: z.optional(text), asset: z.optional(text), reference: z.optional(text) },
  ...{ cause: z.optional(count), after: z.optional(count), limit: z.optional(count) },
});

export function resourceControls(host: WebhookHost, changes: EntryLog<'change'>): SandboxResources {
  const { state } = host;
  const resources = new Resources(host, changes);
  return {
    kinds() {
      state.clock.catchUp();
      return resources.kinds();
    },
    list(kind, filter = {}) {
      const known = knownKind('resources.list', kind);
      const wanted = checked('resources.list', resourceFilter, filter);
      state.clock.catchUp();
      return resources.list(known, wanted);
    },
    get(kind, id) {
      const known = knownKind('resources.get', kind);
      const wanted = checked('resources.get', text, id);
      state.clock.catchUp();
      return resources.get(known, wanted);
    },
  };
}

function knownKind(method: string, kind: string): string {
  const names: readonly string[] = RESOURCE_KINDS;
  if (names.includes(kind)) return kind;
  const meant = typeof kind === 'string' ? nearestName(kind, names) : undefined;
  const hint = meant === undefined ? '' : `, did you mean ${meant}?`;
  throw new TypeError(`${method}: there is no kind ${excerpt(kind)}${hint} Kinds: ${names.join(', ')}`);
}

export function postingControls(postings: EntryLog<'posting'>): SandboxPostings {
  return {
    list(filter = {}) {
      const { account, asset, cause, reference, after = 0, limit } = checked('postings.list', postingFilter, filter);
      const isWanted = (posting: PostingEntry): boolean =>
        posting.seq > after &&
        (account === undefined || posting.from === account || posting.to === account) &&
        (asset === undefined || posting.asset === asset || posting.asset.endsWith(`:${asset}`)) &&
        (cause ?? posting.cause) === posting.cause &&
        (reference ?? posting.reference) === posting.reference;
      return postings.present().entries.filter(isWanted).slice(0, limit);
    },
    get gone() {
      return postings.present().gone;
    },
  };
}

export function bookControls(state: State, first: () => Totals): SandboxBooks {
  return {
    check() {
      state.clock.catchUp();
      return checkBooks(state, first());
    },
    holdings(accountId) {
      const account = accountNamed(state, 'books.holdings', checked('books.holdings', text, accountId));
      state.clock.catchUp();
      return holdingsOf(account);
    },
  };
}
