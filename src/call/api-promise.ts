/** What is known about an answer besides its value. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** Headers, names in lower case; repeated ones joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many attempts the call took. */
  readonly attempts: number;
  /** The key sent as `Idempotency-Key`, if one was. */
  readonly idempotencyKey: string | undefined;
  /** True when the service replayed an earlier answer to the same key (`Idempotent-Replayed: true`). */
  readonly replayed: boolean;
}

/** A call's value with its response. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: ResponseInfo;
}

/** A call that can tell of its answer once it has one. */
interface DescribedCall {
  readonly answered?: { describe(): ResponseInfo } | undefined;
}

/** The promise of a call: of its value, or with `.withResponse()` of the value and what is known about the answer. */
export class ApiPromise<T> extends Promise<T> {
  #call: DescribedCall | undefined;

  // What `then` gives is an ordinary promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /**
   * The promise of a call that is running. Its own promise is adopted by the native functions, unwrapped, so that the stack of an error
   * leads to the caller.
   *
   * @internal
   */
  static of<T>(running: Promise<T>, call: DescribedCall): ApiPromise<T> {
    const promise = new ApiPromise<T>((resolve, reject) => {
      running.then(resolve, reject);
    });
    promise.#call = call;
    return promise;
  }

  /** The value together with status, headers, attempts and idempotency key. */
  async withResponse(): Promise<WithResponse<T>> {
    return { data: await this, response: this.response() };
  }

  /**
   * What is known of the answer, once there is one.
   *
   * @internal
   */
  response(): ResponseInfo {
    if (this.#call?.answered === undefined) throw new Error('the call has no answer yet');
    return this.#call.answered.describe();
  }
}

// Bundlers rename a class that names itself, and logs would show that.
Object.defineProperty(ApiPromise, 'name', { value: 'ApiPromise' });
