import { hider } from '../../redaction/redact.js';
import { SizedMap } from '../core/basics/sized-map.js';
import type { Now } from '../core/clock/clock.js';
import type { Delivery, DeliveryAttempt, DeliveryExchange } from './delivery/delivery.js';
import type { StruckDelivery } from './delivery/effects.js';
import { type Deliver, inProcess } from './delivery/in-process.js';
import { overHttp } from './delivery/over-http.js';
import { type PostRequest, type ReceivedAnswer, Sender } from './delivery/sender.js';
import { signatureName } from './delivery/signature.js';
import { signedRequest } from './delivery/signed-request.js';
import { type SubscriptionRecord, validSecrets } from './delivery/subscriptions.js';
import type { Inbox } from './inbox/inbox.js';

/** Maximum number of bytes kept of a response's body, and of its headers; the rest is cut. */
const KEPT_ANSWER_BYTES: number = 16 * 1024;

/** Maximum number of attempts that are kept, and of their characters. Older ones are dropped. */
const MAX_EXCHANGES = 1_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Requests and responses of the newest attempts. A snapshot does not contain them. */
export class Exchanges {
  readonly #byAttempt = new SizedMap<DeliveryAttempt, DeliveryExchange>(MAX_EXCHANGES, MAX_CHARACTERS);

  /** `secrets` are masked in the response. */
  keep(
    attempt: DeliveryAttempt,
    request: DeliveryExchange['request'],
    answer: ReceivedAnswer | undefined,
    secrets: readonly string[],
  ): void {
    const hide = hider(secrets);
    const shown = answer && {
      status: answer.status,
      headers: firstHeaders(answer.headers, hide),
      body: hide(answer.body),
    };
    const exchange = { request, ...(shown === undefined ? {} : { answer: shown }) };
    this.#byAttempt.add(attempt, Object.freeze(exchange), sizeOf(exchange));
  }

  clear(): void {
    this.#byAttempt.clear();
  }

  /** Returns the delivery with the kept requests and responses of its attempts. */
  shownIn(delivery: Delivery): Delivery {
    const attempts = delivery.attempts.map((attempt) => ({ ...attempt, ...this.#byAttempt.get(attempt) }));
    return { ...delivery, attempts };
  }
}

/** The headers of a receiver may be as long as Node allows. */
function firstHeaders(headers: Readonly<Record<string, string>>, hide: (text: string) => string) {
  let left = KEPT_ANSWER_BYTES;
  const shown: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    left -= name.length + value.length;
    if (left < 0) break;
    shown.push([name, hide(value)]);
  }
  return Object.fromEntries(shown);
}

/** Counts the request's body even if it is the delivery's own, which takes no further memory. */
function sizeOf({ request, answer }: DeliveryExchange): number {
  return request.body.length + (answer === undefined ? 0 : answer.body.length + JSON.stringify(answer.headers).length);
}

/** The reason and the fault of an attempt. */
export interface AttemptPlan {
  readonly redelivery: boolean;
  /** True for a copy that `fault` makes. */
  readonly copy?: boolean;
  readonly fault?: StruckDelivery | undefined;
  /** Number of bytes of the response's body that the caller reads. */
  readonly readBytes?: number;
}

/** Returns the plan, followed by the plans of the copies that its fault makes. */
export function withCopies(plan: AttemptPlan): AttemptPlan[] {
  const copies = Array.from({ length: plan.fault?.duplicate ?? 0 }, () => ({ ...plan, copy: true }));
  return [plan, ...copies];
}

/** An attempt, with details that only a test delivery shows. */
export interface MadeAttempt {
  readonly attempt: DeliveryAttempt;
  /** The body that was sent. */
  readonly body: string;
  /** The start of the response's body. */
  readonly answered: string;
  readonly signature: string | undefined;
  /** Secrets that must not appear in the partner's view of the receiver's texts. */
  readonly hidden: readonly string[];
}

/** Makes attempts: signs, sends, and reads the response. */
export class AttemptMaker {
  readonly exchanges = new Exchanges();
  readonly #clock: Now;
  readonly #keepsExchanges: boolean;
  readonly sender: Sender;
  /** Replaced by each `cut`: an attempt that started before it is not recorded. */
  era = {};
  #closed = false;

  /** `deliver` undefined: sends over the network. */
  constructor(clock: Now, keepsExchanges: boolean, inbox: Inbox, deliver: Deliver | undefined) {
    this.#clock = clock;
    this.#keepsExchanges = keepsExchanges;
    const toOthers = deliver === undefined ? overHttp : inProcess(deliver);
    const post: PostRequest = (request, signal) => inbox.post(request, signal) ?? toOthers(request, signal);
    this.sender = new Sender(post);
  }

  /** Returns undefined if the sandbox was closed, or if `cut` ended the attempt. */
  async make(delivery: Delivery, record: SubscriptionRecord, plan: AttemptPlan): Promise<MadeAttempt | undefined> {
    if (this.#closed) return undefined;
    const { era } = this;
    const { redelivery, fault, copy } = plan;
    const [at, began, real] = [this.#clock.now(), performance.now(), Date.now()];
    const { url } = record.subscription;
    const common = {
      at,
      url,
      redelivery,
      ...(fault === undefined ? {} : { fault: fault.id }),
      ...(copy === true ? { copy } : {}),
    };
    if (fault?.drop === true) {
      const attempt = Object.freeze({ ...common, status: 200, error: undefined, ms: 0, lost: true });
      return { attempt, body: delivery.body, answered: '', signature: undefined, hidden: [] };
    }
    const secrets = validSecrets(record, at).map(({ secret }) => secret);
    const signed = signedRequest(delivery, record, secrets, fault);
    const signature = signed.headers[signatureName(record.scheme)];
    const hidden = [...secrets, ...(signature ?? '').split(/[,= ]/)];
    const readBytes = this.#keepsExchanges ? KEPT_ANSWER_BYTES : plan.readBytes;
    const request = { url, ...signed, ...(readBytes === undefined ? {} : { readBytes }) };
    const { answer, ...end } = await this.sender.send(request, hidden);
    if (this.#closed || era !== this.era) return undefined;
    const attempt = Object.freeze({ ...common, ...end, ms: Math.round(performance.now() - began) });
    if (this.#keepsExchanges) this.exchanges.keep(attempt, { ...signed, real }, answer, secrets);
    return { attempt, body: signed.body, answered: answer?.body ?? '', signature, hidden };
  }

  /** Ends the attempts under way. New ones may follow. */
  cut(reason: string): void {
    this.era = {};
    this.sender.cut(reason);
  }

  /** Ends the attempts under way, and makes no new ones. */
  close(): void {
    this.#closed = true;
    this.sender.close();
  }
}
