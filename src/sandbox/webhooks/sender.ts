import { type Redact, redactor } from '../../redaction/redact.js';
import { isRecord } from '../../util/options.js';
import type { DeliveryAttempt } from './delivery.js';

/** A request as it will be sent with POST. */
export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request and gives the status of its answer. It may go on after its signal: nobody listens then. */
export type Exchange = (request: Outgoing, signal: AbortSignal) => Promise<number>;

/** What became of a request. */
export type Answer = Pick<DeliveryAttempt, 'status' | 'error'>;

/** A delivery needs its 2xx within 30 s. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Sends requests, none for longer than the time limit, and tells what became of each. */
export class Sender {
  readonly #exchange: Exchange;
  readonly #underWay = new Set<AbortController>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Never rejects. `secrets` do not show in the error. */
  async send(request: Outgoing, secrets: readonly string[]): Promise<Answer> {
    const limit = new AbortController();
    const late = (): void => limit.abort(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`));
    const timer = setTimeout(late, ANSWER_TIMEOUT_MS);
    this.#underWay.add(limit);
    try {
      const status = await Promise.race([this.#exchange(request, limit.signal), abortOf(limit.signal)]);
      return { status, error: undefined };
    } catch (error) {
      return { status: undefined, error: reasonOf(error, redactor(secrets)) };
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(limit);
    }
  }

  /** Ends everything under way. */
  close(): void {
    for (const limit of this.#underWay) limit.abort(new Error('the sandbox was closed'));
  }
}

/** Rejects with the signal's reason. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** Why there is no answer. An application may throw anything. */
function reasonOf(thrown: unknown, redact: Redact): string {
  try {
    // A platform's fetch tells the reason in its error's cause.
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
