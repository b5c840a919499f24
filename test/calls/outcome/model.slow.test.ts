import fc from 'fast-check';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { fetchTransport } from '../../../src/index.js';
import { type ClientOptions, KINDS } from '../../support/scene.js';
import type { Protocol } from '../../support/service.js';
import { type Event, expectPredicted } from '../support/retry-model.js';

const EVENTS: readonly Event[] = [
  ...(['ok', 'reset', 'cut', 'stall', 'silent'] as const),
  ...[302, 400, 401, 404, 408, 429, 499, 500, 501, 502, 503, 504],
  ...[200, 401, 403, 404, 429, 500, 501].map((number) => `gateway ${number}` as const),
];

describe('any sequence of answers ends as the documented tables say', () => {
  // Full jitter of nothing: the waits cost no time here.
  beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
  afterAll(() => void vi.restoreAllMocks());

  const events = fc.array(fc.constantFrom(...EVENTS), { maxLength: 4 });
  // Most sequences should get past their first answer.
  const lasting = fc.array(
    fc.constantFrom<Event>('reset', 'cut', 401, 429, 502, 503, 504, 'gateway 200', 'gateway 500'),
    { maxLength: 3 },
  );
  const sequence = fc.tuple(lasting, events).map(([first, then]) => [...first, ...then]);

  const ways: readonly (readonly [string, number, Protocol, () => ClientOptions])[] = [
    ['a pool', 25, 'http', () => ({})],
    ['HTTP/2', 25, 'http2', () => ({})],
    ['fetch', 15, 'http', () => ({ transport: fetchTransport() })],
    ['unordered', 15, 'http', () => ({ nonceOrder: 'unordered' })],
  ];
  for (const [way, numRuns, over, options] of ways) {
    for (const kind of KINDS) {
      it(`${way}: ${kind.name}`, () =>
        fc.assert(
          fc.asyncProperty(sequence, fc.integer({ min: 0, max: 4 }), (events, maxRetries) =>
            expectPredicted(over, kind, events, { ...options(), maxRetries, attemptTimeout: 500 }),
          ),
          { numRuns, interruptAfterTimeLimit: 8_000 },
        ));
    }
  }
});
