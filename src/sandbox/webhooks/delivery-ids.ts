import type { Random } from '../core/basics/random.js';

/**
 * The random stream for ids of events and deliveries. Receivers handle each id once, so a reset
 * starts a new stream: unlike ids of resources, no id is issued again.
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
