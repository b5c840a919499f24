import type { Exchange } from '../transport/connections.js';
import { ownMember } from '../util/members.js';

/** The end of one attempt. */
export interface AttemptResult {
  /**
   * - `answer`: the complete response arrived, whatever its status.
   * - `not_sent`: no byte left, because there was no connection.
   * - `unprocessed`: the service has certainly not begun with the request.
   * - `disowned`: as `unprocessed`, but only a GOAWAY says it, for all later requests at once.
   * - `lost`: the connection broke after the bytes had left.
   * - `bystander`: as `lost`, because another request made the connection close.
   * - `too_slow`: `attemptTimeout` passed before the response was complete.
   * - `too_large`: the response is larger than `maxResponseBytes`, as it arrived or decoded.
   * - `provider`: signer, secret function, nonce source or OTP provider failed. Nothing was sent.
   * - `aborted`: the caller's signal ended the call; `error` is the signal's reason.
   * - `timed_out`: the `timeout` of the call passed.
   */
  readonly kind:
    | 'answer'
    | 'not_sent'
    | 'unprocessed'
    | 'disowned'
    | 'lost'
    | 'bystander'
    | 'too_slow'
    | 'too_large'
    | 'provider'
    | 'aborted'
    | 'timed_out';
  /** False for a call that ended, or was rejected with others, while it waited for its turn. */
  readonly begun: boolean;
  /** Bytes had begun to leave, so the service may have begun with them. */
  readonly sent: boolean;
  /** Status of the response's head, if one arrived. */
  readonly status: number | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, as far as it arrived. */
  readonly body: readonly Uint8Array[];
  /** Rejected with 401 after a later nonce of the same API key had been issued. */
  readonly overtaken: boolean;
  readonly error: unknown;
  /** Closes the connection that delivered a wrong response. Undefined when nothing was sent. */
  readonly exchange: Exchange | undefined;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** True when the service replayed an earlier response to the same idempotency key. */
export function isReplayed({ headers }: Pick<AttemptResult, 'headers'>): boolean {
  return ownMember(headers, 'idempotent-replayed')?.toLowerCase() === 'true';
}
