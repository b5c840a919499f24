import * as z from 'zod/mini';
import { countAboveZero, text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import { itemsAfter } from '../core/basics/items-after.js';
import type { GroupOf } from '../core/kind/group.js';
import type { KeyedRequest, RememberedKey } from '../service/idempotency/idempotency.js';
import type { DrivenService } from './service/driven.js';

/** An idempotency key that the sandbox remembers, with its first request. */
export interface SandboxIdempotencyKey {
  /**
   * The UUID in lower case. If each API key has its own idempotency keys and several used this one,
   * it is listed once, with the request of the first API key.
   */
  readonly key: string;
  /** The first request under the key. */
  readonly request: KeyedRequest;
  /** Status of the answer that is replayed. */
  readonly status: number;
  /** Milliseconds since the first request, by the sandbox's clock. */
  readonly age: number;
  /** Time at which the key is dropped: milliseconds since the epoch, by the sandbox's clock. */
  readonly expiresAt: number;
  /** `seq` of the first request in the journal. Undefined if it was sent before this run. */
  readonly first: number | undefined;
}

/** Filter of idempotency keys. */
export interface IdempotencyFilter {
  /** Maximum number of keys, oldest first. Default: all. */
  readonly limit?: number | undefined;
  /** Only keys that were first used after this key, in any letter case. */
  readonly after?: string | undefined;
}

/** `sandbox.idempotency`: the idempotency keys whose answers are replayed. */
export interface SandboxIdempotency {
  /** Returns the remembered keys, oldest first. */
  list(filter?: IdempotencyFilter): SandboxIdempotencyKey[];
  /** Forgets a key, whichever API keys used it: the next request with it takes effect again. */
  remove(key: string): void;
}

const filterSchema = z.strictObject({
  limit: z.optional(countAboveZero),
  after: z.optional(text),
});

export const idempotency: GroupOf<DrivenService, SandboxIdempotency> = {
  name: 'idempotency',
  removal: 'remove',
  methods: {
    list: {
      id: 'key',
      takes: { filter: z.optional(filterSchema) },
      run({ idempotency: memory, state }, { limit, after } = {}) {
        const found = itemsAfter('idempotency.list', memory.list(), 'key', after?.toLowerCase());
        return found.slice(0, limit).map((one) => shown(one, state.clock.now()));
      },
    },
    remove: {
      takes: { key: text },
      run({ idempotency: memory }, key) {
        if (!memory.forget(key)) throw new Error(`idempotency.remove: there is no key ${excerpt(key)}`);
      },
    },
  },
};

function shown({ key, request, status, until, first }: RememberedKey, now: number): SandboxIdempotencyKey {
  return { key, request: { ...request }, status, age: now - request.at, expiresAt: until, first };
}
