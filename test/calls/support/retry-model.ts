import { expect } from 'vitest';
import { type ClientOptions, DELETE, expectSameCall, type Kind, scene } from '../../support/scene.js';
import { type Answer, json, type Protocol, status } from '../../support/service.js';

/** What a service may do with one request. A number is a status in the service's form, a gateway's has a page of its own. */
export type Event = 'ok' | 'reset' | 'cut' | 'stall' | 'silent' | number | `gateway ${number}`;

const whole = json(200, { data: { more: 'x'.repeat(100) } });

const isGateways = (event: Event): boolean => String(event).startsWith('gateway');
const statusOf = (event: Event): number => Number(String(event).replace('gateway ', ''));

function answerOf(event: Event): Answer | undefined {
  if (event === 'ok') return undefined;
  if (event === 'reset' || event === 'silent') return { fault: event };
  if (event === 'cut' || event === 'stall') return { ...whole, fault: event };
  const headers = { 'retry-after': '0', location: '/v1/elsewhere' };
  if (typeof event === 'number') return status(event, headers);
  return { status: statusOf(event), headers, body: '<html>not the service</html>' };
}

/** A proxy rejects a request with these before it passes the request on. */
export const OF_PROXIES: readonly number[] = [400, 404, 405, 406, 411, 413, 414, 415, 417, 426, 431];

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
  if (isGateways(event)) return OF_PROXIES.includes(statusOf(event)) ? 0 : 1;
  if (typeof event === 'string') return 1;
  return (event >= 400 && event < 500 && event !== 408 && event !== 499) || event === 501 ? 0 : 1;
}

function repeated(kind: Kind, event: Event): boolean {
  if (statusOf(event) === 429) return true;
  if (kind.column === 'unkeyed') return false;
  if (isGateways(event)) return statusOf(event) === 200 || statusOf(event) >= 500;
  return typeof event === 'string' || (event >= 502 && event <= 504);
}

function failureOf(event: Event): object {
  if (event === 'gateway 200') return { reason: 'unreadable', status: 200 };
  if (typeof event === 'number' || isGateways(event)) return { reason: 'status', status: statusOf(event) };
  return { reason: event === 'stall' || event === 'silent' ? 'too_slow' : 'lost' };
}

/** Makes a call of a service that does this with its requests, and then responds as it should: all is as predicted. */
export async function expectPredicted(
  over: Protocol,
  kind: Kind,
  events: readonly Event[],
  options: ClientOptions & { maxRetries: number },
): Promise<void> {
  const { requests, end: last, outcome } = predict(kind, events, options.maxRetries);
  await scene({ over, client: options }, async ({ service, client }) => {
    const right = service.script;
    service.script = (request) => answerOf(events[request.index] ?? 'ok') ?? right(request);
    const call = kind.invoke(client).withResponse();
    const end = await call.catch((error: unknown) => error);
    expect(service.requests).toHaveLength(requests);
    expectSameCall(service.requests, kind);
    const idempotencyKey = kind.keyed ? service.requests[0]?.key : undefined;
    if (last === 'success') {
      const number = kind === DELETE ? 204 : 200;
      expect(end).toMatchObject({ response: { status: number, attempts: requests, idempotencyKey } });
      return;
    }
    expect(end).toMatchObject(typeof last === 'number' ? { response: { status: last } } : { name: last });
    const failures = events.slice(0, requests).map(failureOf);
    expect(end).toMatchObject({ outcome, idempotencyKey, attempts: { count: requests, failures } });
    if (kind.operation !== undefined) expect(end).toMatchObject({ operation: kind.operation });
  });
}
