import type { BatchObservableResult, Meter, ObservableGauge } from '@opentelemetry/api';
import type { ClientEvent } from '../events.js';
import type { ClientStats } from '../stats.js';
import { serverOf } from './server.js';

/** Fewer clients than this are kept without a look whether they are closed. */
const MIN_LOOKED_THROUGH = 64;

/** The clients with these hooks. It keeps none of them alive. */
export class ObservedClients {
  #clients: ClientEvent[] = [];
  #lookAt = MIN_LOOKED_THROUGH;

  add(client: ClientEvent): void {
    this.#clients.push(client);
    if (this.#clients.length < this.#lookAt) return;
    this.#clients = this.#clients.filter((one) => one.stats() !== undefined);
    this.#lookAt = Math.max(MIN_LOOKED_THROUGH, 2 * this.#clients.length);
  }

  /** Reports the statistics whenever metrics are collected. */
  observe(meter: Meter): void {
    const gauges = gaugesOf(meter);
    meter.addBatchObservableCallback((result) => this.#report(result, gauges), [gauges.gap, gauges.retryBudget]);
  }

  #report(result: BatchObservableResult, { gap, retryBudget }: Gauges): void {
    const gaps = new Map<string, number>();
    const budgets = new Map<string, number>();
    for (const { lanes, retryBudget: budget } of this.#statistics()) {
      for (const lane of lanes) {
        gaps.set(lane.origin, Math.max(lane.gap, gaps.get(lane.origin) ?? 0));
        budgets.set(lane.origin, Math.min(budget.available, budgets.get(lane.origin) ?? Number.POSITIVE_INFINITY));
      }
    }
    for (const [origin, value] of gaps) result.observe(gap, value / 1000, serverOf(origin).address);
    for (const [origin, value] of budgets) result.observe(retryBudget, value, serverOf(origin).address);
  }

  #statistics(): ClientStats[] {
    const all = this.#clients.map((client) => client.stats());
    this.#clients = this.#clients.filter((_, place) => all[place] !== undefined);
    return all.filter((stats) => stats !== undefined);
  }
}

/** Gauges of what a client's statistics tell. */
interface Gauges {
  readonly gap: ObservableGauge;
  readonly retryBudget: ObservableGauge;
}

const gaugesOf = (meter: Meter): Gauges => ({
  gap: meter.createObservableGauge('partner_sdk.client.lane.gap', {
    description: 'Time between the starts of two requests of a lane: the longest of all lanes.',
    unit: 's',
  }),
  retryBudget: meter.createObservableGauge('partner_sdk.client.retry_budget.available', {
    description: 'Retries that a client may still make at once: of the client that has the fewest.',
    unit: '{retry}',
  }),
});
