import type { BatchObservableResult, Meter, ObservableGauge } from '@opentelemetry/api';
import { addressOf } from './attributes.js';
import type { ObservedClients } from './observed-clients.js';

/** Reports the state of clients whenever metrics are collected. */
export class Gauges {
  readonly #observed = new Set<ObservedClients>();
  readonly #gap: ObservableGauge;
  readonly #retryBudget: ObservableGauge;

  constructor(meter: Meter) {
    this.#gap = meter.createObservableGauge('partner_sdk.client.lane.gap', {
      description: 'Time between the starts of two requests of a lane: the longest of all lanes.',
      unit: 's',
    });
    this.#retryBudget = meter.createObservableGauge('partner_sdk.client.retry_budget.available', {
      description: 'Retries that a client may still make at once: of the client that has the fewest.',
      unit: '{retry}',
    });
    meter.addBatchObservableCallback((result) => this.#report(result), [this.#gap, this.#retryBudget]);
  }

  observe(clients: ObservedClients): void {
    // Hooks may be made anew for each of many clients.
    for (const others of this.#observed) if (others.statistics().length === 0) this.#observed.delete(others);
    this.#observed.add(clients);
  }

  #report(result: BatchObservableResult): void {
    const gaps = new Map<string, number>();
    const budgets = new Map<string, number>();
    for (const { lanes, retryBudget } of [...this.#observed].flatMap((clients) => clients.statistics())) {
      for (const { origin, gap } of lanes) {
        gaps.set(origin, Math.max(gap, gaps.get(origin) ?? 0));
        budgets.set(origin, Math.min(retryBudget.available, budgets.get(origin) ?? Number.POSITIVE_INFINITY));
      }
    }
    for (const [origin, value] of gaps) result.observe(this.#gap, value / 1000, addressOf(origin));
    for (const [origin, value] of budgets) result.observe(this.#retryBudget, value, addressOf(origin));
  }
}
