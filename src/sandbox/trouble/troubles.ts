import { text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import type { GroupOf } from '../core/kind/group.js';
import { KNOWN_OUTCOMES, type KnownOutcome } from './outcomes.js';
import type { Troubles } from './registry.js';
import { type Trouble, type TroubleOptions, troubleOptions } from './trouble.js';

/** `sandbox.troubles`: what goes wrong, with requests and with deliveries of webhooks. */
export interface SandboxTroubles {
  /** All outcomes that operations can have. */
  readonly outcomes: readonly KnownOutcome[];
  /**
   * Adds a trouble. It applies in this order:
   *
   * 1. Of the faults `before`, the oldest that matches answers in place of the service.
   * 2. The service checks the request: API key, quota, scope, input, idempotency key.
   * 3. Of the outcomes, the oldest that matches decides the effect, once there is one.
   * 4. Of the faults `after`, the oldest that matches replaces a successful answer.
   * 5. All delays that match are added up, and hold the answer back.
   *
   * `chaos` draws one fault for each request, `before` or `after`; other faults have priority. Of
   * the deliveries' effects, the oldest that matches applies to an attempt. What has applied
   * `times` times is removed.
   *
   * @throws TypeError for an unknown or wrong option, and for options that do not fit together.
   *
   * @example
   * sandbox.troubles.add({ match: { operation: 'accounts.quotes.get' }, does: { delayMs: [20, 80] } });
   * sandbox.troubles.add({ does: 'chaos', probability: 0.05 });
   * sandbox.troubles.add({ match: { event: 'quote.executed' }, does: { delivery: { duplicate: 1 } } });
   */
  add(options: TroubleOptions): Trouble;
  /** Returns the active troubles, oldest first, with their current counts. */
  list(): Trouble[];
  /**
   * Removes a trouble. Answers under way do not change, and a delivery that it delays is sent at
   * the scheduled time.
   *
   * @throws Error if no active trouble has this id.
   */
  remove(id: string): void;
  /** Removes all troubles, including those of `createSandbox`, which `reset` brings back. */
  clear(): void;
}

/** What goes wrong, with requests and with deliveries of webhooks. */
export const troubles: GroupOf<{ readonly troubles: Troubles }, SandboxTroubles> = {
  name: 'troubles',
  removal: 'remove',
  members: { outcomes: () => KNOWN_OUTCOMES },
  methods: {
    add: {
      takes: { options: troubleOptions },
      run: (service, options) => service.troubles.add('troubles.add', options),
    },
    list: { id: 'id', run: (service) => service.troubles.list() },
    remove: {
      takes: { id: text },
      run(service, id) {
        if (!service.troubles.remove(id)) throw new Error(`troubles.remove: there is no trouble ${excerpt(id)}`);
      },
    },
    clear: { run: (service) => service.troubles.clear() },
  },
};
