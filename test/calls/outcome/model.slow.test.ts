import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fetchTransport } from '../../../src/index.js';
import { type ClientOptions, DELETE, expectSameCall, KINDS, type Kind, scene } from '../../support/scene.js';
import { type Answer, json, type Protocol, status } from '../../support/service.js';

const whole = json(200, { data: { more: 'x'.repeat(100) } });

/** What a service may do with one request. Numbers are statuses. */
const EVENTS = [
  'ok',
  'reset',
  'cut',
  'stall',
  'silent',
  302,
  400,
  401,
  404,
  408,
  429,
  499,
  500,
  501,
  502,
  503,
  504,
  'gateway 200',
  'gateway 401',
  'gateway 403',
  'gateway 404',
  'gateway 429',
  'gateway 500',
  'gateway 501',
] as const;
type Event = (typeof EVENTS)[number];

/** A page without the service's form. */
const isGateways = (event: Event): boolean => String(event).startsWith('gateway');
const statusOf = (event: Event): number => Number(String(event).replace('gateway ', ''));

function answerOf(event: Event): Answer | undefined {
  if (event === 'ok') return undefined;
  if (event === 'reset' || event === 'silent') return { fault: event };
  if (event === 'cut' || event === 'stall') return { ...whole, fault: event };
  const headers = { 'retry-after': '0' };
  if (typeof event === 'number') return status(event, headers);
  return { status: statusOf(event), headers, body: '<html>not the service</html>' };
}

interface Prediction {
  readonly requests: number;
  readonly end: 'success' | 'ConnectionError' | 'TimeoutError' | 'ResponseValidationError' | number;
  readonly outcome: 'not_applied' | 'unknown' | 'applied';
}

const DOUBT = ['not_applied', 'unknown', 'applied'] as const;

/** The tables of outcomes and retries of docs/calls/errors-and-retries.md, written a second time and independently of the client. */
function predict(kind: Kind, events: readonly Event[], maxRetries: number): Prediction {
  let [doubt, retries, denials] = [0, 0, 0];
  /** A 401 of the service, which may be about the API key. */
  let wasDenied = false;
  for (let requests = 1; ; requests += 1) {
    const event = events[requests - 1] ?? 'ok';
    if (event === 'ok') return { requests, end: 'success', outcome: 'applied' };
    const isOdd = wasDenied && typeof event === 'number' && event !== 401;
    if (!kind.read) doubt = Math.max(doubt, doubtAfter(event), isOdd ? 1 : 0);
    wasDenied ||= statusOf(event) === 401;
    if (statusOf(event) === 401 && kind.column !== 'unkeyed' && ++denials === 1) continue;
    if (repeated(kind, event) && retries++ < maxRetries) continue;
    const outcome = DOUBT[doubt] ?? 'unknown';
    if (event === 'gateway 200') return { requests, end: 'ResponseValidationError', outcome };
    if (typeof event === 'number' || isGateways(event)) return { requests, end: statusOf(event), outcome };
    const slow = event === 'stall' || event === 'silent';
    return { requests, end: slow ? 'TimeoutError' : 'ConnectionError', outcome };
  }
}

function doubtAfter(event: Event): 0 | 1 | 2 {
  if (event === 'cut' || event === 'stall') return 2;
  if (event === 'gateway 404') return 0;
  if (typeof event === 'string') return 1;
  return (event >= 400 && event < 500 && event !== 408 && event !== 499) || event === 501 ? 0 : 1;
}

function repeated(kind: Kind, event: Event): boolean {
  if (statusOf(event) === 429) return true;
  if (kind.column === 'unkeyed') return false;
  if (isGateways(event)) return statusOf(event) === 200 || statusOf(event) >= 500;
  return typeof event === 'string' || (event >= 502 && event <= 504);
}

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
            check(over, kind, events, { ...options(), maxRetries, attemptTimeout: 500 }),
          ),
          { numRuns, interruptAfterTimeLimit: 8_000 },
        ));
    }
  }
});

async function check(
  over: Protocol,
  kind: Kind,
  events: readonly Event[],
  options: ClientOptions & { maxRetries: number },
): Promise<void> {
  const expected = predict(kind, events, options.maxRetries);
  await scene({ over, client: options }, async ({ service, client }) => {
    const right = service.script;
    service.script = (request) => answerOf(events[request.index] ?? 'ok') ?? right(request);
    const call = kind.invoke(client).withResponse();
    const end = await call.catch((error: unknown) => error);
    expect(service.requests).toHaveLength(expected.requests);
    expectSameCall(service.requests, kind);
    if (expected.end === 'success') {
      const number = kind === DELETE ? 204 : 200;
      expect(end).toMatchObject({ response: { status: number, attempts: expected.requests } });
      return;
    }
    const { end: last, outcome } = expected;
    expect(end).toMatchObject(
      typeof last === 'number' ? { response: { status: last }, outcome } : { name: last, outcome },
    );
    expect(end).toMatchObject({ attempts: { count: expected.requests } });
  });
}
