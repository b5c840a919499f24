import type { Caller } from '../call/caller.js';
import { ConfigurationError } from '../errors.js';

/** The base class of all resources: a group of operations that are called in the same way. */
export abstract class Resource {
  // Private, so that neither `console.log` nor `JSON.stringify` shows what a client contains.
  readonly #api: Caller;

  /** @internal */
  constructor(api: Caller) {
    this.#api = api;
  }

  /** @internal */
  protected get api(): Caller {
    return this.#api;
  }
}

/** Prototypes whose methods know their place in the client's tree. */
const named = new WeakSet<object>();

/** Makes the methods of all resources below `group` throw when called without their object. */
export function nameMethods(group: object, place: string): void {
  for (const [name, resource] of Object.entries(group)) {
    if (!(resource instanceof Resource)) continue;
    const prototype = Object.getPrototypeOf(resource) as object;
    if (named.has(prototype)) continue;
    nameOwnMethods(prototype, `${place}.${name}`);
    nameMethods(resource, `${place}.${name}`);
  }
}

/** Does the same for the methods of one class. The check takes some nanoseconds per call. */
export function nameOwnMethods(prototype: object, place: string): void {
  named.add(prototype);
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const method: unknown = descriptor.value;
    if (name === 'constructor' || typeof method !== 'function') continue;
    const { length } = method;
    // A computed name, so that stacks show it.
    const { [name]: checked } = {
      [name](this: object, ...given: unknown[]): unknown {
        if (!Object.prototype.isPrototypeOf.call(prototype, this)) throw unbound(`${place}.${name}`, length);
        return method.apply(this, given);
      },
    };
    Object.defineProperty(checked, 'length', { value: length, configurable: true });
    Object.defineProperty(prototype, name, { ...descriptor, value: checked });
  }
}

function unbound(method: string, length: number): ConfigurationError {
  const right = length === 0 ? `() => ${method}()` : `ids.map((id) => ${method}(id)), not ids.map(${method})`;
  return new ConfigurationError(`${method} was called without its object: write ${right}`);
}
