import { redactHeaders, redactor } from '../redaction/redact.js';
import { type AttemptResult, isReplayed } from './attempt-result.js';

/** The facts of an answer besides its value. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** Names in lower case; the values of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Number of attempts of the call. */
  readonly attempts: number;
  /** The key sent as `Idempotency-Key`, if one was. */
  readonly idempotencyKey: string | undefined;
  /** True when the service replayed an earlier answer (`Idempotent-Replayed: true`). */
  readonly replayed: boolean;
}

/** @param secrets Texts that must not show: a service may echo them in a success, too. */
export function responseInfo(
  { status, headers }: Pick<AttemptResult, 'status' | 'headers'>,
  idempotencyKey: string | undefined,
  attempts: number,
  secrets: readonly string[],
): ResponseInfo {
  return {
    status: status ?? 0,
    headers: redactHeaders(headers, redactor(secrets)),
    attempts,
    idempotencyKey,
    replayed: isReplayed({ headers }),
  };
}
