import type { ResponseInfo } from '../call/api-promise.js';
import { type FinalResult, isReplayed } from '../call/call.js';
import type { Route } from '../call/route.js';
import { redactHeaders, redactor } from '../redaction/redact.js';

/** What is known of a call's answer: described when it is asked for, which is rare. The body is not kept for it. */
export class Answered {
  readonly replayed: boolean;
  readonly #idempotencyKey: string | undefined;
  readonly #route: Route;
  readonly #status: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #attempts: number;

  constructor(route: Route, { result, attempts }: FinalResult) {
    this.replayed = isReplayed(result);
    this.#idempotencyKey = route.call.idempotencyKey;
    this.#route = route;
    this.#status = result.status ?? 0;
    this.#headers = result.headers;
    this.#attempts = attempts;
  }

  describe(): ResponseInfo {
    // A service may echo what it was sent in a success, too.
    const headers = redactHeaders(this.#headers, redactor(this.#route.secrets()));
    return {
      status: this.#status,
      headers,
      attempts: this.#attempts,
      idempotencyKey: this.#idempotencyKey,
      replayed: this.replayed,
    };
  }
}
