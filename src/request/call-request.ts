import type { Issue } from '../errors.js';
import type { Operation } from '../schema/operation.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { Bare } from '../util/members.js';
import type { Signal } from '../util/platform.js';
import type { ListOptions, RequestOptions } from './options.js';

/** One call as it was asked for. Made by `callRequest`: what it leaves out must not be found on `Object.prototype`. */
export interface CallRequest<T> {
  readonly operation: Operation<T>;
  readonly options: RequestOptions | ListOptions | undefined;
  /** Issues found before. */
  readonly issues?: readonly Issue[];
  /** Ends the call when nobody wants its page any more. */
  readonly abandon?: Signal | undefined;
  /** Issues of a value that must not be handed over, whatever `responseValidation` says. */
  readonly refuse?: (value: T) => readonly Issue[];
  /** The caller's own schema. */
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

class Request<T> extends Bare {
  constructor(
    readonly operation: Operation<T>,
    readonly options: CallRequest<T>['options'],
  ) {
    super();
  }
}
