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
import { RESOURCE_KINDS } from './kinds.js';
import type { RecentEntries } from './recent-entries.js';
import {
  type ResourceDetails,
  type ResourceFilter,
  type ResourceKindInfo,
  Resources,
  type SandboxResource,
} from './resources.js';

/** `sandbox.resources`: all resources of the service, by kind. */
export interface SandboxResources {
  /** Returns all kinds, with their counts and states. */
  kinds(): ResourceKindInfo[];
  /**
   * Returns resources of a kind, newest first, with the moves that each allows.
   *
   * @param kind Kind of the resources.
   * @throws TypeError for an unknown kind and a wrong filter, Error for an unknown `after`.
   */
  list(kind: string, filter?: ResourceFilter): SandboxResource[];
  /**
   * Returns one resource with its history. Undefined if there is none; `null` in JSON.
   *
   * @param kind Kind of the resource.
   * @param id Id of the resource.
   * @throws TypeError for an unknown kind.
   */
  get(kind: string, id: string): ResourceDetails | undefined;
}

/** Filter of postings. */
export interface PostingFilter {
  /** Only postings that this account or book paid or received. */
  readonly account?: string | undefined;
  /** For example `crypto:BTC`; `BTC` means every class. */
  readonly asset?: string | undefined;
  /** Only postings with this cause: the `seq` of a request, timer or call. */
  readonly cause?: number | undefined;
  /** Only postings with this reference: the id of a quote, a deposit, … */
  readonly reference?: string | undefined;
  /** Only postings with a higher `seq`. */
  readonly after?: number | undefined;
  /** Maximum number of postings, oldest first. Default: all. */
  readonly limit?: number | undefined;
}

/** `sandbox.postings`: lists movements of money. */
export interface SandboxPostings {
  /**
   * Returns the newest 10,000 postings since the state was last replaced, oldest first. Empty
   * unless the sandbox was made with `inspect`.
   *
   * @throws TypeError for an unknown or wrong filter.
   */
  list(filter?: PostingFilter): PostingEntry[];
  /** Number of older postings that were dropped. */
  readonly gone: number;
}

/** `sandbox.books`: checks the ledger. */
export interface SandboxBooks {
  /**
   * Checks the ledger. No sum of an asset over all accounts and books may change after the sandbox
   * was made, reset or restored. No balance may be below 0, and open orders must explain all held
   * amounts.
   */
  check(): BooksCheck;
  /**
   * Returns an account's balance of each asset, and the open orders that hold parts of it.
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

export function resourceControls(host: WebhookHost, changes: RecentEntries<'change'>): SandboxResources {
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

export function postingControls(postings: RecentEntries<'posting'>): SandboxPostings {
  return {
    list(filter = {}) {
      const { account, asset, cause, reference, after = 0, limit } = checked('postings.list', postingFilter, filter);
      const isWanted = (posting: PostingEntry): boolean =>
        posting.seq > after &&
        (account === undefined || posting.from === account || posting.to === account) &&
        (asset === undefined || posting.asset === asset || posting.asset.endsWith(`:${asset}`)) &&
        (cause ?? posting.cause) === posting.cause &&
        (reference ?? posting.reference) === posting.reference;
      return postings.read().entries.filter(isWanted).slice(0, limit);
    },
    get gone() {
      return postings.read().dropped;
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
