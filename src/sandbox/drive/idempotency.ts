import * as z from 'zod/mini';
import { countAboveZero, text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import { itemsAfter } from '../core/basics/items-after.js';
import type { GroupOf } from '../core/kind/group.js';
import type { SandboxIdempotencyKey } from '../service/idempotency/idempotency.js';
import type { DrivenService } from './service/driven.js';

/** Filter of idempotency keys. */
export interface IdempotencyFilter {
  /** Maximum number of idempotency keys, oldest first. Default: all. */
  readonly limit?: number | undefined;
  /** Only idempotency keys that were first used after this one, in any letter case. */
  readonly after?: string | undefined;
}

/** `sandbox.idempotency`: the idempotency keys whose responses are replayed. */
export interface SandboxIdempotency {
  /** Returns the stored idempotency keys, oldest first. */
  list(filter?: IdempotencyFilter): SandboxIdempotencyKey[];
  /** Drops an idempotency key of all API keys, so the next request with it takes effect again. */
  remove(key: string): void;
}

const filterSchema = z.strictObject({ limit: z.optional(countAboveZero), after: z.optional(text) });

export const idempotency: GroupOf<DrivenService, SandboxIdempotency> = {
  name: 'idempotency',
  removal: 'remove',
  methods: {
    list: {
      id: 'key',
      takes: { filter: z.optional(filterSchema) },
      run: ({ idempotency: memory }, { limit, after } = {}) =>
        itemsAfter('idempotency.list', memory.list(), 'key', after?.toLowerCase()).slice(0, limit),
    },
    remove: {
      takes: { key: text },
      run({ idempotency: memory }, key) {
        if (!memory.forget(key)) throw new Error(`idempotency.remove: there is no key ${excerpt(key)}`);
      },
    },
  },
};
