import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { operations } from '../../../resources/operations.js';
import { headerPairs } from '../../service/journal/exchanges.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { DrivenService } from '../service/driven.js';
import { sendOwn } from './own-request.js';

/** Options of `requests.replay`. */
export interface ReplayOptions {
  /** Its idempotency key: the `same` (default), or a `new` one, so it takes effect again. */
  readonly key?: 'same' | 'new' | undefined;
}

export const replayOptions = z.strictObject({ key: z.optional(z.enum(['same', 'new'])) });

const METHOD = 'requests.replay';

/** Repeats a request of the journal. Returns the new entry. */
export async function replay(
  service: DrivenService,
  { seq, method, operation }: JournalEntry,
  { key = 'same' }: ReplayOptions,
): Promise<JournalEntry> {
  const exchange = service.journal.exchanges?.get(seq);
  if (exchange === undefined) {
    const isKept = service.journal.exchanges !== undefined;
    const why = isKept ? 'only the newest 1,000 have' : 'make the sandbox with the option inspect, which keeps';
    throw new Error(`${METHOD}: ${why} what was sent`);
  }
  if (exchange.body === undefined || exchange.body.isCut) {
    throw new Error(`${METHOD}: the body of request ${seq} is not kept as a whole`);
  }
  const headers = new Map(headerPairs(exchange));
  const isKeyed = operations.some(({ name, retrySafety }) => name === operation && retrySafety === 'keyed');
  if (key === 'new' && isKeyed) headers.set('idempotency-key', randomUUID());
  // If the API key of the request is unknown, the first key signs.
  const signer = service.keys.find(headers.get('api-key') ?? '') ?? service.keys.list()[0];
  if (signer === undefined) throw new Error(`${METHOD}: the sandbox has no API key`);
  const { origin, target } = exchange;
  const body = Buffer.from(exchange.body.bytes);
  const sent = await sendOwn(service, signer, { method, target, origin, headers, body, cause: seq });
  return sent.entry;
}
