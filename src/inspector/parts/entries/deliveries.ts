import type { Delivery, DeliveryAttempt } from '../../wire/sandbox.js';
import type { Tone } from '../marks.js';

/** A delivery as far as words for it need it: a request and a webhook tell of deliveries alike. */
export interface Told extends Pick<Delivery, 'webhookId' | 'status' | 'reason' | 'nextAttemptAt'> {
  /** The newest attempt. */
  readonly last?: DeliveryAttempt | undefined;
}

/** The states of a delivery. `failing`: it was attempted, and attempts follow. */
const TONES = { delivered: 'good', lost: 'warn', waiting: 'plain', failing: 'warn', failed: 'bad' } as const;

type State = keyof typeof TONES;

export function stateOf({ status, last }: Told): State {
  if (status === 'delivered') return last?.lost === true ? 'lost' : 'delivered';
  if (status === 'failed') return 'failed';
  return last === undefined ? 'waiting' : 'failing';
}

export const toneOf = (delivery: Told): Tone => TONES[stateOf(delivery)];

/** The tone of several deliveries: that of the worst. */
export const worstOf = (deliveries: readonly Told[]): Tone =>
  (['bad', 'warn', 'plain'] as const).find((tone) => deliveries.some((one) => toneOf(one) === tone)) ?? 'good';

/**
 * For example `3 delivered, 2 failing: 500`. Once a delivery has arrived, later attempts of it are
 * left out.
 */
export function wordsOf(deliveries: readonly Told[]): string {
  const states = (Object.keys(TONES) as State[]).flatMap((state) => {
    const count = deliveries.filter((one) => stateOf(one) === state).length;
    return count === 0 ? [] : deliveries.length === 1 ? state : `${count} ${state}`;
  });
  const missing = deliveries.filter(({ status }) => status !== 'delivered');
  const reasons = new Set(
    missing.flatMap(({ last, reason }) => (last === undefined ? (reason ?? []) : attemptEnd(last))),
  );
  return [states.join(', '), [...reasons].slice(0, 2).join(', ')].filter(Boolean).join(': ');
}

/** Why there was no response, by the error. */
const REASONS: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/ECONNREFUSED/, (host) => `no one listens at ${host}`],
  [/ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/, (host) => `${host} cannot be reached`],
  [/no answer within|ETIMEDOUT/, () => 'no response in time'],
  [/ECONNRESET|socket hang up|ended without an answer/, () => 'the connection was closed without a response'],
  [/certificate|self.signed|CERT|SSL|EPROTO/i, (host) => `the TLS certificate of ${host} was not trusted`],
];

/** How an attempt to deliver a webhook ended: its status, or why there is none. */
export function attemptEnd({ status, error = '', lost, url }: DeliveryAttempt): string {
  if (lost === true) return 'lost, nothing was sent';
  if (status !== undefined) return String(status);
  return REASONS.find(([pattern]) => pattern.test(error))?.[1](new URL(url).host) ?? 'no response';
}
