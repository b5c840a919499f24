import type { Caller } from '../call/caller.js';

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
