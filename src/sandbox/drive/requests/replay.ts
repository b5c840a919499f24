import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { operations } from '../../../resources/operations.js';
import type { RequestHead } from '../../core/request/messages.js';
import { signatureOf } from '../../service/authenticate.js';
import type { Exchange } from '../../service/journal/exchanges.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { DrivenService } from '../service/driven.js';

/** Options of `requests.replay`. */
export interface ReplayOptions {
  /**
   * `same` (default): with its idempotency key, so a remembered answer is replayed. `new`: with a
   * new key, so it takes effect again.
   */
  readonly key?: 'same' | 'new' | undefined;
}

export const replayOptions = z.strictObject({ key: z.optional(z.enum(['same', 'new'])) });

const METHOD = 'requests.replay';

/** Repeats a request of the journal. Returns the new entry. */
export async function replay(
  service: DrivenService,
  entry: JournalEntry,
  { key = 'same' }: ReplayOptions,
): Promise<JournalEntry> {
  const exchange = service.journal.exchanges?.get(entry.seq);
  if (exchange === undefined) {
    const isKept = service.journal.exchanges !== undefined;
    const why = isKept ? 'only the newest 1,000 have' : 'make the sandbox with the option inspect, which keeps';
    throw new Error(`${METHOD}: ${why} what was sent`);
  }
  if (exchange.body === undefined || exchange.body.isCut) {
    throw new Error(`${METHOD}: the body of request ${entry.seq} is not kept as a whole`);
  }
  const bytes = Buffer.from(exchange.body.bytes);
  const head = headOf(service, entry, exchange, bytes, key === 'new');
  const { entry: sent } = await service.requests.receive(head, Promise.resolve({ kind: 'complete', bytes }));
  return sent;
}

function headOf(
  { keys }: DrivenService,
  { seq, method, operation }: JournalEntry,
  { origin, headers, target }: Exchange,
  body: Uint8Array,
  isNewKey: boolean,
): RequestHead {
  const all = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) {
    all.set((headers[index] ?? '').toLowerCase(), headers[index + 1] ?? '');
  }
  // If the API key of the request is unknown, the first key signs.
  const key = keys.find(all.get('api-key') ?? '') ?? keys.list()[0];
  if (key === undefined) throw new Error(`${METHOD}: the sandbox has no API key`);
  const nonce = String((key.nonces.last ?? 0n) + 1n);
  all.set('api-key', key.apiKey);
  all.set('api-nonce', nonce);
  all.set('api-sign', signatureOf(key.secret, target, nonce, body));
  const isKeyed = operations.some((one) => one.name === operation && one.retrySafety === 'keyed');
  if (isNewKey && isKeyed) all.set('idempotency-key', randomUUID());
  return {
    method,
    target,
    origin,
    header: (name) => all.get(name),
    headers: () => [...all].flat(),
    cause: seq,
    isOwn: true,
  };
}
