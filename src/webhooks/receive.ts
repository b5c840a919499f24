import { WebhookVerificationError } from '../partner-error.js';
import { hmacSha256, sha256 } from '../runtime/crypto.js';
import type { BodyLimits, ReceivedBody } from './body.js';
import type { WebhookEvent } from './event.js';
import {
  readHandlerOptions,
  type WebhookHandlerOptions,
  type WebhookHandling,
  type WebhookRejection,
} from './handler-options.js';
import type { WebhookHeaders } from './headers.js';
import { type Handling, handleOnce, memoryReplayGuard, type ReplayGuard } from './replay-guard.js';
import { Reporter } from './report.js';
import { type Verifier, verifierOf } from './verify.js';

/** A request that may be a delivery. */
export interface Delivery {
  readonly method: string | undefined;
  readonly headers: WebhookHeaders;
  /** Reads the body within the limits. Throws if the program has consumed the raw body. */
  readonly read: (limits: BodyLimits) => Promise<ReceivedBody>;
}

/** The response to a request: a status, and a word or two as its body. */
export interface Answer {
  readonly status: number;
  readonly word: string;
}

/** Throws for a promise that rejects, even one in an array, and for a failed `Response`. */
async function settled(returned: unknown): Promise<void> {
  for (const one of await Promise.all([await returned].flat())) {
    const { ok, status } = Object(one);
    if (ok === false && typeof status === 'number') throw new Error(`it returned a Response with status ${status}`);
  }
}

/** Returns the headers of a response, whose plain text the service shows in its log. */
export function headersOf({ status }: Answer): Record<string, string> {
  return { 'content-type': 'text/plain; charset=utf-8', ...(status === 405 ? { allow: 'POST' } : {}) };
}

const FAILED: Answer = { status: 500, word: 'failed' };
const ANSWERS: { readonly [Outcome in Handling]: Answer } = {
  handled: { status: 200, word: 'ok' },
  failed: FAILED,
  // Neither a failure nor a success: the service delivers it again.
  handling: { status: 503, word: 'being handled' },
};

/** The reasons that are not about verification. */
type RequestReason = Exclude<WebhookRejection['reason'], WebhookVerificationError['reason']>;

const REJECTIONS: { readonly [Reason in RequestReason]: Pick<WebhookRejection, 'status' | 'message'> } = {
  incomplete: { status: 400, message: 'the sender disconnected before the body was complete' },
  method_not_allowed: { status: 405, message: 'deliveries are sent by POST' },
  too_slow: { status: 408, message: 'the body did not arrive within bodyTimeout' },
  too_large: { status: 413, message: 'the body is larger than maxBodyBytes' },
};

/** Takes deliveries to their responses: method → head → body → signature → guard → `on…`. */
export class Receiver {
  readonly #verifier: Verifier;
  readonly #guard: ReplayGuard;
  readonly #reporter: Reporter;
  readonly #handlers: ReadonlyMap<string, WebhookHandling['onEvent']>;
  readonly #options: ReturnType<typeof readHandlerOptions>;

  /** @throws ConfigurationError if an option is wrong. */
  constructor(given: WebhookHandlerOptions) {
    const options = readHandlerOptions(given);
    this.#verifier = verifierOf(options);
    this.#guard = options.guard ?? memoryReplayGuard();
    this.#reporter = new Reporter(options);
    // A map: a kind that is named like a member of every object ('constructor') must not find that
    // member.
    this.#handlers = new Map(Object.entries(options.on ?? {}) as [string, WebhookHandling['onEvent']][]);
    this.#options = options;
  }

  /** Takes a function: reading the request may throw as well. Never rejects. */
  async receive(deliveryOf: () => Delivery): Promise<Answer> {
    try {
      return await this.#accept(deliveryOf());
    } catch (error) {
      if (error instanceof WebhookVerificationError) {
        return this.#reject({ status: 400, reason: error.reason, message: error.message });
      }
      return this.failed('a delivery could not be read', error);
    }
  }

  /** Reports a failure that is not the sender's fault. */
  failed(what: string, error: unknown, event?: WebhookEvent, result?: string): Answer {
    this.#reporter.failed(what, error, event, result);
    return FAILED;
  }

  async #accept({ method, headers, read }: Delivery): Promise<Answer> {
    if (method !== 'POST') return this.#turnAway('method_not_allowed');
    // The head comes first: otherwise senders without the secret could make us store their bodies.
    this.#verifier.checkHead(headers);
    const received = await read(this.#options);
    if (received.kind !== 'complete') return this.#turnAway(received.kind);
    const { signedParts, verify } = this.#verifier.read(received.bytes, headers);
    const hmacs = this.#verifier.keys.map((key) => hmacSha256(key, ...signedParts));
    const { hashed, eventOf } = verify(await Promise.all(hmacs));
    const event = eventOf(hashed && (await sha256(...hashed)));
    const handle = () => this.#handle(event);
    const onGuardFailure = (error: unknown, ending: Handling) => {
      const result = ending === 'handled' ? 'a duplicate may be handled again' : undefined;
      this.failed('the replay guard failed', error, event, result);
    };
    return ANSWERS[await handleOnce(this.#guard, event.deliveryId, handle, onGuardFailure)];
  }

  async #handle(event: WebhookEvent): Promise<Handling> {
    const handler = this.#handlers.get(event.type) ?? this.#options.onEvent;
    if (handler === undefined) this.#reporter.unhandled(event, this.#handlers.keys());
    try {
      await settled(handler?.(event));
      return 'handled';
    } catch (error) {
      this.failed('the function that handles an event failed', error, event);
      return 'failed';
    }
  }

  #turnAway(reason: RequestReason): Answer {
    return this.#reject({ reason, ...REJECTIONS[reason] });
  }

  #reject(rejection: WebhookRejection): Answer {
    this.#reporter.rejected(rejection);
    return { status: rejection.status, word: rejection.reason };
  }
}
