import { SecretSearch } from '../../../redaction/secret-search.js';
import { SizedMap } from '../../core/basics/sized-map.js';
import type { Delivery, DeliveryAttempt, DeliveryExchange } from './delivery.js';
import type { ReceivedAnswer } from './sender.js';

/** Maximum number of bytes kept of an answer's body, and of its headers; the rest is cut. */
export const KEPT_ANSWER_BYTES: number = 16 * 1024;

/** Maximum number of attempts that are kept, and of their characters. Older ones are dropped. */
const MAX_EXCHANGES = 1_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Requests and answers of the newest attempts. A snapshot does not contain them. */
export class Exchanges {
  readonly #byAttempt = new SizedMap<DeliveryAttempt, DeliveryExchange>(MAX_EXCHANGES, MAX_CHARACTERS);

  /** `secrets` are masked in the answer. */
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
    this.#byAttempt.add(attempt, Object.freeze(exchange), sizeOf(exchange));
  }

  clear(): void {
    this.#byAttempt.clear();
  }

  /** Returns the delivery with the kept requests and answers of its attempts. */
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
