import type { Random } from '../core/basics/random.js';

/**
 * The stream of which ids of events and deliveries are made. Receivers handle each id once, so none
 * comes back after a reset, unlike the ids of resources.
 */
export class DeliveryIds {
  readonly #random: Random;
  #stream: Random;
  #resets = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#stream = random;
  }

  get stream(): Random {
    return this.#stream;
  }

  reset(): void {
    this.#resets += 1;
    this.#stream = this.#random.fork(`reset ${this.#resets}`);
  }
}
