import type { Caller } from '../call/caller.js';
import { ConfigurationError } from '../errors.js';

/** The base of all resource classes: a group of operations that are called in one way. */
export abstract class Resource {
  // Private, so that neither `console.log` nor `JSON.stringify` shows what a client holds.
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

/** Lets the methods of all resources below `group` refuse to be called without their object. */
export function nameMethods(group: object, place: string): void {
  for (const [name, resource] of Object.entries(group)) {
    if (!(resource instanceof Resource)) continue;
    const prototype = Object.getPrototypeOf(resource) as object;
    if (named.has(prototype)) continue;
    nameOwnMethods(prototype, `${place}.${name}`);
    nameMethods(resource, `${place}.${name}`);
  }
}

/** Does so for the methods of one class. The check of a call takes some nanoseconds. */
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
