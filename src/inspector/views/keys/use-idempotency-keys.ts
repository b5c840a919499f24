import type { SandboxIdempotencyKey } from '../../../sandbox/drive/idempotency.js';
import { type Reading, useReading } from '../../parts/hooks.js';
import { read } from '../../wire/api.js';

type Keys = readonly SandboxIdempotencyKey[];

/** Number of keys in one answer: they are read at once, without a task that stalls the page. */
const PAGE_KEYS = 1_000;

/** Of thousands only those that are new are read again, unless one was forgotten. */
async function readOn(path: string, known: Keys = [], isDoubtful: boolean): Promise<Keys> {
  let all = isDoubtful || known.length < PAGE_KEYS ? [] : [...known];
  for (;;) {
    const found = await read<Keys>(path, { limit: PAGE_KEYS, after: all.at(-1)?.key });
    all = all.concat(found);
    if (found.length < PAGE_KEYS) return all;
  }
}

/** The keys that are remembered, oldest first. */
export const useIdempotencyKeys = (): Reading<Keys> => useReading('idempotency', readOn);
