import type { Issue } from '../errors.js';
import type { Operation } from '../schema/operation.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { Bare } from '../util/members.js';
import type { Signal } from '../util/platform.js';
import type { ListOptions, RequestOptions } from './options.js';

/** A call, before it is prepared. `callRequest` makes it, without a prototype. */
export interface CallRequest<T> {
  readonly operation: Operation<T>;
  readonly options: RequestOptions | ListOptions | undefined;
  /** Issues that were found before. */
  readonly issues?: readonly Issue[];
  /** Ends the call of a page that the program no longer needs. */
  readonly abandon?: Signal | undefined;
  /** True for a poll of a wait: an attempt that was too slow is not retried, but polled again. */
  readonly isPoll?: boolean;
  /** Returns issues of a value that must not be returned, in every mode of `responseValidation`. */
  readonly validate?: (value: T) => readonly Issue[];
  /** The user-supplied schema of the value. */
  readonly schema?: StandardSchema<T> | undefined;
}

/** Makes a request that inherits nothing. */
export function callRequest<T>(
  operation: Operation<T>,
  options: CallRequest<T>['options'],
  others?: Omit<CallRequest<T>, 'operation' | 'options'>,
): CallRequest<T> {
  const request = new Request(operation, options);
  return others === undefined ? request : Object.assign(request, others);
}

/** A request without a prototype. */
class Request<T> extends Bare {
  constructor(
    readonly operation: Operation<T>,
    readonly options: CallRequest<T>['options'],
  ) {
    super();
  }
}
