import type { PagedList } from './list.js';
import type { Operation, OperationInput, PageBody } from './operation.js';
import type { Signal } from './platform.js';

export type { PagedList };

/** Gives the one-time password of one attempt. `operation` is the call's name, for instance `accounts.wallets.whitelist`. */
export type OtpProvider = (operation: string) => string | Promise<string>;

/** Options of one call, on every method. An unknown or wrong one is a `RequestValidationError`. */
export interface CallOptions {
  /** Ends the call with an `AbortedError` whose `cause` is the signal's reason, in whatever wait it is. */
  readonly signal?: Signal | undefined;
  /** Total milliseconds over all attempts and waits. Default: the client's (30,000). */
  readonly timeout?: number | undefined;
  /** Milliseconds of one attempt, body included. Default: the client's (10,000). */
  readonly attemptTimeout?: number | undefined;
  /** Repeats after the first attempt, where repeating is safe. Default: the client's (3). */
  readonly maxRetries?: number | undefined;
  /**
   * `Idempotency-Key` of a write that takes one: a UUIDv4, also from `idempotencyKeyFor`. Default: a random one per call. Refused
   * on operations that take none.
   */
  readonly idempotencyKey?: string | undefined;
  /** One-time password (`API-Otp`): text sent as given, or a function asked once per attempt. May be given on any call. */
  readonly otp?: string | OtpProvider | undefined;
  /** Extra headers of this call, over those of the client; never those the SDK writes. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Options of a list: they hold for every page's call. */
export interface ListOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Fetches one page ahead while the items of the last are used. Default false. */
  readonly prefetch?: boolean | undefined;
}

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

/** What resource classes call: one operation, once or page by page. */
export interface Caller {
  call<T>(operation: Operation<T>, input: OperationInput, options?: CallOptions): ApiPromise<T>;
  list<T, Meta>(
    operation: Operation<PageBody<T, Meta>>,
    input: OperationInput,
    options?: ListOptions,
  ): PagedList<T, Meta>;
}
