import { type Redact, redactor } from '../../../redaction/redact.js';
import { isRecord } from '../../../util/options.js';
import type { DeliveryAttempt } from './delivery.js';

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes of the beginning of the answer's body that are read. Default 0: it is discarded. */
  readonly readBytes?: number;
}

/** An answer: its head, and the beginning of its body. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request and resolves with its answer. */
export type PostRequest = (request: OutgoingRequest, signal: AbortSignal) => Promise<ReceivedAnswer>;

type SendResult = Pick<DeliveryAttempt, 'status' | 'error'> & {
  /** The answer as it was received, if its body was asked for and there is one. */
  readonly answer?: ReceivedAnswer;
};

/** Limit for the arrival of the beginning of an answer's body. */
export const MAX_ANSWER_MS = 1_000;

/** Time limit of a delivery. The receiver must answer 2xx within it. */
const ANSWER_TIMEOUT_MS = 30_000;

export class Sender {
  readonly #post: PostRequest;
  readonly #underWay = new Set<AbortController>();

  constructor(post: PostRequest) {
    this.#post = post;
  }

  /** Never rejects. `secrets` do not show in the reason of a missing answer. */
  async send(request: OutgoingRequest, secrets: readonly string[]): Promise<SendResult> {
    const limit = new AbortController();
    const late = (): void => limit.abort(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`));
    const timer = setTimeout(late, ANSWER_TIMEOUT_MS);
    this.#underWay.add(limit);
    try {
      const answer = await Promise.race([this.#post(request, limit.signal), abortOf(limit.signal)]);
      return { status: answer.status, error: undefined, ...(request.readBytes === undefined ? {} : { answer }) };
    } catch (error) {
      return { status: undefined, error: reasonOf(error, redactor(secrets)) };
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(limit);
    }
  }

  close(): void {
    this.cut('the sandbox was closed');
  }

  /** Ends the requests under way. */
  cut(reason: string): void {
    for (const limit of this.#underWay) limit.abort(new Error(reason));
  }
}

/** Rejects with the signal's reason. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** Returns the reason of a missing answer. An application may throw anything. */
function reasonOf(thrown: unknown, redact: Redact): string {
  try {
    // A platform's fetch gives the reason in its error's cause.
    const { cause } = Object(thrown) as { cause?: unknown };
    return redact(textOf(isRecord(cause) ? cause : thrown));
  } catch {
    return UNKNOWN;
  }
}

function textOf(error: unknown): string {
  if (!isRecord(error)) return String(error);
  const told = [error['message'], error['code'], error['name']];
  return told.find((text): text is string => typeof text === 'string' && text !== '') ?? UNKNOWN;
}

const UNKNOWN = 'unknown failure';
