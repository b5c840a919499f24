import type { ClientEvent } from '../events.js';
import type { ClientStats } from '../stats.js';

/** Fewer clients than this are kept without a look whether they are closed. */
const MIN_LOOKED_THROUGH = 64;

/** The clients of some hooks. It keeps none of them alive. */
export class ObservedClients {
  #clients: ClientEvent[] = [];
  #lookAt = MIN_LOOKED_THROUGH;

  add(client: ClientEvent): void {
    this.#clients.push(client);
    if (this.#clients.length < this.#lookAt) return;
    this.statistics();
    this.#lookAt = Math.max(MIN_LOOKED_THROUGH, 2 * this.#clients.length);
  }

  /** Returns the statistics of the clients that are open, and forgets the others. */
  statistics(): ClientStats[] {
    const all = this.#clients.map((client) => client.stats());
    this.#clients = this.#clients.filter((_, place) => all[place] !== undefined);
    return all.filter((stats) => stats !== undefined);
  }
}
