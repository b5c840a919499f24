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

/** The promise of a call: of its value, or with `.withResponse()` of the value and what is known about the answer. */
export class ApiPromise<T> extends Promise<T> {
  #response: () => ResponseInfo = unanswered;

  // What `then` gives is an ordinary promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /**
   * Starts a call, which tells how to describe its answer: few callers ask. Its promise is adopted by the native functions,
   * unwrapped, so that the stack of an error leads to the caller.
   *
   * @internal
   */
  static start<T>(run: (keep: (describe: () => ResponseInfo) => void) => Promise<T>): ApiPromise<T> {
    let describe = unanswered;
    const promise = new ApiPromise<T>((resolve, reject) => {
      run((kept) => {
        describe = kept;
      }).then(resolve, reject);
    });
    promise.#response = () => describe();
    return promise;
  }

  /** The value together with status, headers, attempts and idempotency key. */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this;
    return { data, response: this.#response() };
  }
}

// Bundlers rename a class that names itself, and logs would show that.
Object.defineProperty(ApiPromise, 'name', { value: 'ApiPromise' });

function unanswered(): ResponseInfo {
  throw new Error('the call has no answer yet');
}
