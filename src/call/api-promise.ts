import type { ResponseInfo } from '../response/response-info.js';
import type { CallResult } from './execute.js';

/** A call's value with its response. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: ResponseInfo;
}

/** The promise of a call's value. `.withResponse()` gives what is known about the answer, too. */
export class ApiPromise<T> extends Promise<T> {
  #result: Promise<CallResult<T>> | undefined;

  // `then` gives an ordinary promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /**
   * The promise of a running call. Native functions adopt its value: so the stack of an error
   * leads to the caller.
   *
   * @internal
   */
  static of<T>(result: Promise<CallResult<T>>): ApiPromise<T> {
    const promise = new ApiPromise<T>((resolve, reject) => {
      result.then(({ data }) => resolve(data), reject);
    });
    promise.#result = result;
    return promise;
  }

  /** The value together with status, headers, attempts and idempotency key. */
  async withResponse(): Promise<WithResponse<T>> {
    if (this.#result === undefined) throw new TypeError('this promise is not one of a call');
    // The promise itself is awaited, so its rejection is handled here.
    const data = await this;
    const { describe } = await this.#result;
    return { data, response: describe() };
  }
}

// Bundlers rename a class that names itself, and logs would show that.
Object.defineProperty(ApiPromise, 'name', { value: 'ApiPromise' });
