import { type Redact, redactor } from '../../../redaction/redact.js';
import { isRecord } from '../../../util/options.js';
import type { DeliveryAttempt } from './delivery.js';

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of bytes read from the start of the response's body. Default 0: it is discarded. */
  readonly readBytes?: number;
}

/** A response: status, headers and the start of its body. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request and resolves with its response. */
export type PostRequest = (request: OutgoingRequest, signal: AbortSignal) => Promise<ReceivedAnswer>;

type SendResult = Pick<DeliveryAttempt, 'status' | 'error'> & {
  /** The response as received, if its body was requested and there is one. */
  readonly answer?: ReceivedAnswer;
};

/** Time limit in ms for the start of a response's body; what arrives later is not kept. */
export const MAX_ANSWER_MS = 1_000;

/** Time limit in ms for a receiver's response; without a response the attempt fails. */
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Time limits in ms while someone waits for all responses: at first, and for a receiver that has
 * already failed to respond. It gets all its retries, but the others do not wait for it each time.
 */
const AWAITED_MS = 5_000;
const SILENT_MS = 100;

export class Sender {
  readonly #post: PostRequest;
  readonly #underWay = new Set<AbortController>();
  /** URLs that did not respond while someone waits for all responses. */
  #silent: Set<string> | undefined;

  constructor(post: PostRequest) {
    this.#post = post;
  }

  /** Never rejects. `secrets` are masked in the reason of a missing response. */
  async send(request: OutgoingRequest, secrets: readonly string[]): Promise<SendResult> {
    const limit = new AbortController();
    const awaitedMs = this.#silent?.has(request.url) ? SILENT_MS : AWAITED_MS;
    const ms = this.#silent === undefined ? ANSWER_TIMEOUT_MS : awaitedMs;
    const timer = setTimeout(() => {
      this.#silent?.add(request.url);
      limit.abort(late(ms));
    }, ms);
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

  /** Limits the requests under way, and those sent during `work`, more tightly. */
  async hurry(work: () => Promise<void>): Promise<void> {
    this.#silent = new Set();
    const begun = [...this.#underWay];
    const timer = setTimeout(() => {
      for (const limit of begun) limit.abort(late(AWAITED_MS));
    }, AWAITED_MS);
    try {
      await work();
    } finally {
      clearTimeout(timer);
      this.#silent = undefined;
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

const late = (ms: number): Error => new Error(`no response within ${ms / 1000} s`);

/** Rejects with the signal's reason. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** Returns the reason of a missing response. An application may throw any value. */
function reasonOf(thrown: unknown, redact: Redact): string {
  try {
    // A platform's fetch puts the reason into its error's cause.
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
