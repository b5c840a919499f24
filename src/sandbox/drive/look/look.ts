import * as z from 'zod/mini';
import { count, text } from '../../core/basics/checked.js';
import { accountNamed } from '../../core/input.js';
import type { GroupOf } from '../../core/kind/group.js';
import type { PostingEntry } from '../../core/timeline/entries.js';
import { type AccountHolding, type BooksCheck, checkBooks, holdingsOf } from '../../kinds/registry/books.js';
import type { DrivenService } from '../service/driven.js';
import { kindsOf, type ResourceKindInfo, resourceKind } from './kinds.js';
import {
  type ResourceDetails,
  type ResourceFilter,
  Resources,
  resourceFilter,
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
   */
  list(kind: string, filter?: ResourceFilter): SandboxResource[];
  /**
   * Returns one resource with its history. Undefined if there is none; `null` in JSON.
   *
   * @param kind Kind of the resource.
   * @param id Id of the resource.
   */
  get(kind: string, id: string): ResourceDetails | undefined;
}

/** Filter of postings. */
export interface PostingFilter {
  /** Only postings that this account, or the book with this name, paid or received. */
  readonly accountId?: string | undefined;
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
  /** Returns the newest 10,000 postings, oldest first, since the last reset. Needs `inspect`. */
  list(filter?: PostingFilter): PostingEntry[];
  /** Number of older postings that were dropped. */
  readonly gone: number;
}

/** `sandbox.books`: checks the ledger. */
export interface SandboxBooks {
  /**
   * Checks the ledger. No sum of an asset over all accounts and books may change after the sandbox
   * was created, reset or restored. No balance may be below 0, and open orders must explain all
   * held amounts.
   */
  check(): BooksCheck;
  /** Returns an account's balance of each asset, and the open orders that hold parts of it. */
  holdings(accountId: string): AccountHolding[];
}

const postingFilter = z.strictObject({
  accountId: z.optional(text),
  asset: z.optional(text),
  cause: z.optional(count),
  reference: z.optional(text),
  after: z.optional(count),
  limit: z.optional(count),
});

export const resources: GroupOf<DrivenService, SandboxResources> = {
  name: 'resources',
  methods: {
    kinds: {
      get: '',
      run(service) {
        service.state.clock.catchUp();
        return kindsOf(service);
      },
    },
    list: {
      takes: { kind: resourceKind, filter: z.optional(resourceFilter) },
      run: (service, kind, filter = {}) => new Resources(service, service.changes).list(kind, filter),
    },
    get: {
      takes: { kind: resourceKind, id: text },
      run: (service, kind, id) => new Resources(service, service.changes).get(kind, id),
    },
  },
};

export const postings: GroupOf<DrivenService, SandboxPostings> = {
  name: 'postings',
  methods: {
    list: {
      takes: { filter: z.optional(postingFilter) },
      run(service, { accountId, asset, cause, reference, after = 0, limit } = {}) {
        const isWanted = (posting: PostingEntry): boolean =>
          posting.seq > after &&
          (accountId === undefined || posting.from === accountId || posting.to === accountId) &&
          (asset === undefined || posting.asset === asset || posting.asset.endsWith(`:${asset}`)) &&
          (cause ?? posting.cause) === posting.cause &&
          (reference ?? posting.reference) === posting.reference;
        return service.postings.read().entries.filter(isWanted).slice(0, limit);
      },
    },
  },
  members: { gone: (service) => service.postings.read().dropped },
};

export const books: GroupOf<DrivenService, SandboxBooks> = {
  name: 'books',
  methods: {
    check: {
      get: 'check',
      run({ state, firstTotals }) {
        state.clock.catchUp();
        return checkBooks(state, firstTotals);
      },
    },
    holdings: {
      get: 'holdings',
      takes: { accountId: text },
      run({ state }, accountId) {
        const account = accountNamed(state, 'books.holdings', accountId);
        state.clock.catchUp();
        return holdingsOf(account);
      },
    },
  },
};
