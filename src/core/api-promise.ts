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
  #kept: { response?: ResponseInfo } = {};

  // What `then` gives is an ordinary promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /**
   * Starts a call. Its promise is adopted by the native functions, unwrapped, so that the stack of an error leads to the caller.
   *
   * @internal
   */
  static start<T>(run: (keep: (response: ResponseInfo) => void) => Promise<T>): ApiPromise<T> {
    const kept: { response?: ResponseInfo } = {};
    const promise = new ApiPromise<T>((resolve, reject) => {
      run((response) => {
        kept.response = response;
      }).then(resolve, reject);
    });
    promise.#kept = kept;
    return promise;
  }

  /** The value together with status, headers, attempts and idempotency key. */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this;
    return { data, response: this.#kept.response as ResponseInfo };
  }
}
