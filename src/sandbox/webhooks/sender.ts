import { isRecord } from '../../core/checks.js';
import type { PlatformRequest, PlatformResponse } from '../../core/platform.js';
import { type Redact, redactor } from '../../core/redact.js';
import type { DeliveryAttempt } from './delivery.js';

/** How a delivery leaves the sandbox: the platform's fetch, or a function in its place. */
export type Deliver = (request: PlatformRequest) => PlatformResponse | PromiseLike<PlatformResponse>;

/** Over the network. One connection each: none stays behind, and none is used again that its receiver has given up meanwhile. */
export const deliverByFetch: Deliver = (request) => {
  request.headers.set('connection', 'close');
  return globalThis.fetch(request);
};

/** A request as it will be sent. */
export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Must not show in an error. */
  readonly secrets: readonly string[];
}

/** What became of a request. */
export type Answer = Pick<DeliveryAttempt, 'status' | 'error'>;

/** Reference §2: a delivery wants its 2xx within 30 s. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Sends requests and reads the status of their answers. */
export class Sender {
  readonly #deliver: Deliver;
  /** Each with its request, held on purpose: a platform forgets to abort a `Request` that nobody holds any more. */
  readonly #underWay = new Map<AbortController, PlatformRequest>();

  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  /** Never rejects. */
  async send({ url, headers, body, secrets }: Outgoing): Promise<Answer> {
    const limit = new AbortController();
    const late = (): void => limit.abort(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`));
    const timer = setTimeout(late, ANSWER_TIMEOUT_MS);
    const { signal } = limit;
    try {
      const request = new Request(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      this.#underWay.set(limit, request);
      return { status: await this.#status(request, signal), error: undefined };
    } catch (error) {
      return { status: undefined, error: reasonOf(error, redactor(secrets)) };
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(limit);
    }
  }

  /** Ends everything under way, whether or not what delivers it listens to its signal. */
  close(): void {
    for (const limit of this.#underWay.keys()) limit.abort(new Error('the sandbox was closed'));
  }

  async #status(request: PlatformRequest, signal: AbortSignal): Promise<number> {
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    const answer = (async () => this.#deliver(request))();
    // Nobody wants the body, also of an answer that comes too late. That it cannot be cancelled, since it was read, is no failure.
    answer.then(({ body }) => body?.cancel()).catch(() => {});
    return statusOf(await Promise.race([answer, aborted]));
  }
}

function statusOf(answer: PlatformResponse): number {
  // By its tag: it may be the Response of another copy of fetch.
  const isResponse = Object.prototype.toString.call(answer) === '[object Response]';
  if (!isResponse) throw new TypeError('deliver gave no Response');
  // The standard's "network error", which a platform's fetch never gives.
  if (answer.type === 'error') throw new TypeError('the connection was lost');
  return answer.status;
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
