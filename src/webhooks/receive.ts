import { WebhookVerificationError } from '../partner-error.js';
import { deliveryIdOf } from './event.js';
import { memoryReplayGuard, type ReplayGuard, signatureMemory } from './guard.js';
import {
  type BodyLimits,
  readHandlerOptions,
  type WebhookHandlerOptions,
  type WebhookHandling,
  type WebhookRejection,
} from './handler-options.js';
import type { WebhookHeaders } from './headers.js';
import type { WebhookEvent } from './kinds.js';
import { once } from './once.js';
import type { ReceivedBody } from './received-body.js';
import { Reporter } from './report.js';
import { type Verifier, verifierOf } from './verify.js';

/** A request that may be a delivery. */
export interface Delivery {
  readonly method: string | undefined;
  readonly headers: WebhookHeaders;
  /** Reads the body within the limits. Throws when the program has taken the raw body away. */
  readonly read: (limits: BodyLimits) => Promise<ReceivedBody>;
}

/** What a request is answered with: a status and one word. */
export interface Answer {
  readonly status: number;
  readonly word: string;
}

/** The headers of an answer. Its body is plain text, for people who read the service's log of deliveries. */
export function headersOf({ status }: Answer): Record<string, string> {
  return { 'content-type': 'text/plain; charset=utf-8', ...(status === 405 ? { allow: 'POST' } : {}) };
}

const HANDLED: Answer = { status: 200, word: 'ok' };
const FAILED: Answer = { status: 500, word: 'failed' };

type Turned = Exclude<WebhookRejection['reason'], WebhookVerificationError['reason']>;

const TURNED_AWAY: { readonly [Reason in Turned]: Pick<WebhookRejection, 'status' | 'message'> } = {
  incomplete: { status: 400, message: 'the sender went away in the middle of the body' },
  method_not_allowed: { status: 405, message: 'deliveries are sent by POST' },
  too_slow: { status: 408, message: 'the body did not arrive within bodyTimeout' },
  too_large: { status: 413, message: 'the body is larger than maxBodyBytes' },
};

/**
 * The way of one delivery, from its head to its answer, whatever the server: method → head → body → proof → guard →
 * `on…`.
 */
export class Receiver {
  readonly #verifier: Verifier;
  readonly #guard: ReplayGuard;
  /** An exact repeat is known by its signature, whatever id it claims. */
  readonly #signatures: ReplayGuard;
  readonly #reporter: Reporter;
  readonly #limits: BodyLimits;
  readonly #handlers: ReadonlyMap<string, WebhookHandling['onEvent']>;
  readonly #onEvent: WebhookHandling['onEvent'];

  /** Throws a ConfigurationError when an option is wrong. */
  constructor(given: WebhookHandlerOptions) {
    const options = readHandlerOptions(given);
    this.#verifier = verifierOf(options);
    this.#guard = options.guard ?? memoryReplayGuard();
    this.#signatures = signatureMemory(this.#guard, this.#verifier.tolerance);
    this.#reporter = new Reporter(options);
    this.#limits = options;
    // A map, since a kind named like a member of every object ('constructor') must not find that member.
    this.#handlers = new Map(Object.entries(options.on ?? {}) as [string, WebhookHandling['onEvent']][]);
    this.#onEvent = options.onEvent;
  }

  /** Takes a function, since already what is read of the request may throw. Never rejects. */
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

  /** Reports a failure that is no fault of the sender. */
  failed(what: string, error: unknown, event?: WebhookEvent): Answer {
    this.#reporter.failed(what, error, event);
    return FAILED;
  }

  async #accept({ method, headers, read }: Delivery): Promise<Answer> {
    if (method !== 'POST') return this.#turnAway('method_not_allowed');
    // Before the body is read: otherwise anyone could have us hold bodies that nobody has signed.
    this.#verifier.checkHead(headers);
    const received = await read(this.#limits);
    if (received.kind !== 'complete') return this.#turnAway(received.kind);
    const { event, signature } = this.#verifier.prove(received.bytes, headers);
    const failed = (error: unknown) => this.failed('the replay guard failed', error, event);
    const handled = await once(this.#signatures, signature, () => this.#handledOnce(event, headers, failed), failed);
    return handled ? HANDLED : FAILED;
  }

  #handledOnce(event: WebhookEvent, headers: WebhookHeaders, failed: (error: unknown) => unknown): Promise<boolean> {
    const id = deliveryIdOf(event, headers);
    const work = () => this.#handled(event);
    return id === undefined ? work() : once(this.#guard, id, work, failed);
  }

  async #handled(event: WebhookEvent): Promise<boolean> {
    const handler = this.#handlers.get(event.type) ?? this.#onEvent;
    try {
      await handler?.(event);
      return true;
    } catch (error) {
      this.failed('the function that handles an event failed', error, event);
      return false;
    }
  }

  #turnAway(reason: Turned): Answer {
    return this.#reject({ reason, ...TURNED_AWAY[reason] });
  }

  #reject(rejection: WebhookRejection): Answer {
    this.#reporter.rejected(rejection);
    return { status: rejection.status, word: rejection.reason };
  }
}
