import { SecretSearch } from '../../../redaction/secret-search.js';
import type { Delivery, DeliveryAttempt, DeliveryExchange } from './delivery.js';
import type { ReceivedAnswer } from './sender.js';

/** Bytes of the body of an answer that are kept, and of its head. */
export const KEPT_ANSWER_BYTES: number = 16 * 1024;

/** Maximum number of attempts whose exchange is kept, and of the characters of them all. */
const MAX_EXCHANGES = 1_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Requests and answers of the newest attempts. A snapshot does not keep them. */
export class Exchanges {
  readonly #byAttempt = new Map<DeliveryAttempt, DeliveryExchange>();
  #characters = 0;

  /** `secrets` do not show in the answer. */
  keep(
    attempt: DeliveryAttempt,
    request: DeliveryExchange['request'],
    answer: ReceivedAnswer | undefined,
    secrets: readonly string[],
  ): void {
    const search = new SecretSearch(new Set(secrets), KEPT_ANSWER_BYTES);
    const shown = answer && {
      status: answer.status,
      headers: firstHeaders(answer.headers, (text) => search.hide(text, false)),
      body: search.hide(answer.body, answer.body.length === KEPT_ANSWER_BYTES),
    };
    const exchange = { request, ...(shown === undefined ? {} : { answer: shown }) };
    this.#byAttempt.set(attempt, Object.freeze(exchange));
    this.#characters += sizeOf(exchange);
    for (const [oldest, old] of this.#byAttempt) {
      if (this.#byAttempt.size <= MAX_EXCHANGES && this.#characters <= MAX_CHARACTERS) break;
      this.#byAttempt.delete(oldest);
      this.#characters -= sizeOf(old);
    }
  }

  clear(): void {
    this.#byAttempt.clear();
    this.#characters = 0;
  }

  /** Returns the delivery with the requests and answers that are kept of its attempts. */
  shownIn(delivery: Delivery): Delivery {
    if (this.#byAttempt.size === 0) return delivery;
    const attempts = delivery.attempts.map((attempt) => {
      const exchange = this.#byAttempt.get(attempt);
      return exchange === undefined ? attempt : { ...attempt, ...exchange };
    });
    return { ...delivery, attempts };
  }
}

/** The head of a receiver may be as long as Node takes it. */
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

/** The request's body is the delivery's own unless a fault has changed it. */
function sizeOf({ request, answer }: DeliveryExchange): number {
  return request.body.length + (answer === undefined ? 0 : answer.body.length + JSON.stringify(answer.headers).length);
}
