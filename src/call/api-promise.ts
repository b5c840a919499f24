import type { ResponseInfo } from '../errors.js';
import { callSite, withCallers } from './call-site.js';
import { type CallResult, responseOf } from './execute.js';

/** A call's value with its response. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: ResponseInfo;
}

/**
 * The promise of a call's value. `.withResponse()` also returns what is known about the response.
 *
 * The stack of its error names the function that awaits it. `then`, `catch` and `finally` name
 * their caller.
 *
 * @example
 * const user = await client.users.get(userId);
 * const { response } = await client.users.get(userId).withResponse();
 */
export class ApiPromise<T> extends Promise<T> {
  #result: Promise<CallResult<T>> | undefined;

  /**
   * The promise of a running call.
   *
   * @internal
   */
  static of<T>(result: Promise<CallResult<T>>): ApiPromise<T> {
    const promise = new ApiPromise<T>((resolve, reject) => {
      // V8 finds the caller by following promises. It would not follow a closure that calls
      // `resolve`.
      result.then(dataOf<T>).then(resolve, reject);
    });
    promise.#result = result;
    return promise;
  }

  /**
   * Remembers its caller. `await` does not call this method.
   *
   * @internal
   */
  override then<Fulfilled = T, Rejected = never>(
    onfulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return super.then(onfulfilled, withCallers(callSite(this.then), onrejected));
  }

  /**
   * The value together with status, headers, attempts and idempotency key.
   *
   * @example
   * const idempotencyKey = idempotencyKeyFor('shop', 'accounts.quotes.execute', accountId, orderId);
   * const call = client.accounts.quotes.execute(accountId, quoteId, { idempotencyKey });
   * const { data, response } = await call.withResponse();
   * console.log(data.status, response.status, response.attempts, response.replayed);
   *
   * @throws The errors of the call.
   */
  async withResponse(): Promise<WithResponse<T>> {
    if (this.#result === undefined) throw new TypeError('this promise is not one of a call');
    // The promise itself is awaited, so its rejection is handled here.
    const data = await this;
    return { data, response: responseOf(await this.#result) };
  }
}

// `await` uses a promise with this constructor directly. With another one it would call `then`, and
// V8 would lose the caller. So `then` returns an ordinary promise.
ApiPromise.prototype.constructor = Promise;

const dataOf = <T>({ data }: CallResult<T>): T => data;
