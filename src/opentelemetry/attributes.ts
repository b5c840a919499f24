import type { Attributes } from '@opentelemetry/api';
import type { AttemptEvent, CallEvent, EndEvent } from '../events.js';
import { BoundedMap } from '../util/bounded-map.js';

/**
 * Names of attributes, events and metrics. Those of HTTP are as in OpenTelemetry's semantic
 * conventions; `url.full` is left out on purpose, since it holds ids and the query.
 */

export const OPERATION = 'partner_sdk.operation';
export const OUTCOME = 'partner_sdk.outcome';
export const ATTEMPTS = 'partner_sdk.attempts';
export const REASON = 'partner_sdk.attempt.reason';
export const DELAY_MS = 'partner_sdk.retry.delay_ms';
export const QUEUE_MS = 'partner_sdk.attempt.queue_time_ms';
export const LANE_MS = 'partner_sdk.attempt.lane_time_ms';
export const EVENT_TYPE = 'partner_sdk.webhook.type';

export const METHOD = 'http.request.method';
export const RESEND_COUNT = 'http.request.resend_count';
export const STATUS = 'http.response.status_code';
export const ERROR_TYPE = 'error.type';
export const ADDRESS = 'server.address';
export const PORT = 'server.port';
export const TEMPLATE = 'url.template';

/** The value of an attribute whose own value is not one of a known set. */
export const OTHER = '_OTHER';

/** Event of an attempt: its turn has come, its bytes leave. */
export const TURN_EVENT = 'partner_sdk.lane.turn';

/** Event of a call: an attempt failed, and the next one begins after a delay. */
export const RETRY_EVENT = 'partner_sdk.retry';

/** Boundaries in s that the conventions list for the duration of requests. */
export const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** A call may take longer than a request: 30 s by default. */
export const CALL_SECONDS = [...REQUEST_SECONDS, 30, 60];

/**
 * Returns the `error.type` of an attempt. A status that is not a success says more than the reason.
 */
export function errorTypeOf(status: number | undefined, reason: string): string {
  return status !== undefined && status >= 300 ? String(status) : reason;
}

/** Host and port by origin. Most processes call one. */
const addresses = new BoundedMap<string, Attributes>(100);

/** Returns host and port of an origin such as `https://api.example.com`. */
export function addressOf(origin: string): Attributes {
  const known = addresses.get(origin);
  if (known !== undefined) return known;
  const { hostname, port, protocol } = new URL(origin);
  // A URL leaves out the usual port, and writes an IPv6 address in brackets.
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const address = { [ADDRESS]: hostname.replace(/^\[(.*)\]$/, '$1'), [PORT]: number };
  addresses.set(origin, address);
  return address;
}

/** Returns the attributes of a call that are known when it begins. */
export const callAttributes = ({ origin, operation }: Pick<CallEvent, 'origin' | 'operation'>): Attributes => ({
  [OPERATION]: operation,
  ...addressOf(origin),
});

/** Returns the attributes of an attempt that are known when it begins. */
export function attemptAttributes({ origin, method, path }: AttemptEvent): Attributes {
  // The path template of a `client.request()` with a complete path is not known.
  const template = path === '' ? undefined : { [TEMPLATE]: path };
  return { [METHOD]: method, ...addressOf(origin), ...template };
}

/** Empty for a read that succeeded: `not_applied` would look like a failure. */
export function outcomeOf({ outcome, error }: Pick<EndEvent, 'outcome' | 'error'>): Attributes {
  return error === undefined && outcome === 'not_applied' ? {} : { [OUTCOME]: outcome };
}
