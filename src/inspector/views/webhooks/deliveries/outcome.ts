import type { DeliveryAttempt } from '../../../../sandbox/webhooks/delivery/delivery.js';

/** The end of an attempt, for a person. */
export function outcomeOf({ status, error, lost }: DeliveryAttempt): string {
  if (lost === true) return 'lost on the way: nothing was sent, but the service counts it as answered 200';
  if (status === undefined) return error === undefined ? 'no answer' : `${reasonOf(error)} (${error})`;
  if (isGood(status)) return `the receiver answered ${status}`;
  const why = status >= 300 && status < 400 ? 'redirects are not followed' : 'only 2xx counts as received';
  return `the receiver answered ${status}: ${why}`;
}

export const isGood = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;

/** The same in a few words, for a list. */
export function shortOutcomeOf({ status, error = 'no answer', lost }: DeliveryAttempt): string {
  if (lost === true) return 'lost';
  return status === undefined ? reasonOf(error) : `answered ${status}`;
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens at this address'],
  [/ENOTFOUND|EAI_AGAIN/, 'the name of the host is not known'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no way to this address'],
  [/no answer within|ETIMEDOUT/, 'the receiver did not answer in time'],
  [/ECONNRESET|socket hang up|ended without an answer/, 'the receiver closed the connection without an answer'],
  [/certificate|self.signed|CERT|SSL|EPROTO/i, 'the TLS connection was not trusted'],
];

function reasonOf(error: string): string {
  return REASONS.find(([pattern]) => pattern.test(error))?.[1] ?? 'there was no answer';
}
