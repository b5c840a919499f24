import {
  type BatchObservableResult,
  type Counter,
  type Histogram,
  type Meter,
  type MeterProvider,
  metrics,
  type ObservableGauge,
} from '@opentelemetry/api';
import type { AttemptEndEvent, ClientEvent, EndEvent } from '../events.js';
import type { ClientStats } from '../stats.js';
import * as names from './attributes.js';
import { meterOf } from './scope.js';

/** Fewer clients than this are stored without a check whether they are closed. */
const MIN_LOOKED_THROUGH = 64;

/** Counts and measures calls and attempts. */
export class Metrics {
  readonly #given: MeterProvider | undefined;
  /** It keeps no client alive. */
  #clients: ClientEvent[] = [];
  #lookAt = MIN_LOOKED_THROUGH;
  #provider: MeterProvider | undefined;
  #made: Instruments | undefined;

  /** @param provider Undefined: the global one, which may be registered later. */
  constructor(provider: MeterProvider | undefined) {
    this.#given = provider;
  }

  clientMade(client: ClientEvent): void {
    this.#clients.push(client);
    this.#made?.observe(this);
    if (this.#clients.length < this.#lookAt) return;
    this.statistics();
    this.#lookAt = Math.max(MIN_LOOKED_THROUGH, 2 * this.#clients.length);
  }

  /** Returns the statistics of the clients that are open, and drops the others. */
  statistics(): ClientStats[] {
    const all = this.#clients.map((client) => client.stats());
    this.#clients = this.#clients.filter((_, place) => all[place] !== undefined);
    return all.filter((stats) => stats !== undefined);
  }

  callEnded(event: EndEvent): void {
    const made = this.#instruments();
    if (made === undefined) return;
    const { error, durationMs, attempts, queueTime } = event;
    const known = names.callAttributes(event);
    const ended = { ...known, ...names.outcomeOf(event), ...(error && { [names.ERROR_TYPE]: error.name }) };
    made.calls.add(1, ended);
    made.callDuration.record(durationMs / 1000, ended);
    made.attempts.add(attempts, known);
    made.queueTime.record(queueTime / 1000, known);
  }

  attemptEnded(event: AttemptEndEvent): void {
    const made = this.#instruments();
    if (made === undefined) return;
    const { origin, sent, reason, status, queueTime, durationMs } = event;
    if (reason === 'race') made.refusals.add(1, names.addressOf(origin));
    // Without bytes that left there was no request, unless there was no connection for it.
    if (!sent && reason !== 'not_sent') return;
    made.requestDuration.record((sent ? durationMs - queueTime : durationMs) / 1000, {
      ...names.attemptAttributes(event),
      ...(status !== undefined && { [names.STATUS]: status }),
      ...(reason !== undefined && { [names.ERROR_TYPE]: names.errorTypeOf(status, reason) }),
    });
  }

  /** True while there is no provider. */
  get isIdle(): boolean {
    return this.#instruments() === undefined;
  }

  #instruments(): Instruments | undefined {
    const provider = this.#given ?? metrics.getMeterProvider();
    if (provider === this.#provider) return this.#made;
    const meter = meterOf(provider);
    const made = instruments.get(provider) ?? (meter && new Instruments(meter));
    if (made !== undefined) {
      instruments.set(provider, made);
      made.observe(this);
    }
    this.#provider = provider;
    this.#made = made;
    return made;
  }
}

/** What a meter counts and measures, and the state of clients whenever metrics are collected. */
class Instruments {
  readonly calls: Counter;
  readonly callDuration: Histogram;
  readonly attempts: Counter;
  readonly queueTime: Histogram;
  readonly requestDuration: Histogram;
  readonly refusals: Counter;
  readonly #gap: ObservableGauge;
  readonly #retryBudget: ObservableGauge;
  readonly #observed = new Set<Metrics>();

  constructor(meter: Meter) {
    const seconds = (explicitBucketBoundaries: number[]) => ({ unit: 's', advice: { explicitBucketBoundaries } });
    this.calls = meter.createCounter('partner_sdk.client.calls', {
      description: 'Calls that have ended, by outcome.',
      unit: '{call}',
    });
    this.callDuration = meter.createHistogram('partner_sdk.client.call.duration', {
      description: 'Duration of calls, with all attempts and waits.',
      ...seconds(names.CALL_SECONDS),
    });
    this.attempts = meter.createCounter('partner_sdk.client.attempts', {
      description: 'Attempts of the calls that have ended.',
      unit: '{attempt}',
    });
    this.queueTime = meter.createHistogram('partner_sdk.client.call.queue_time', {
      description: 'Time of a call before its bytes left: lane, providers, connection; of all attempts.',
      ...seconds(names.CALL_SECONDS),
    });
    this.requestDuration = meter.createHistogram('http.client.request.duration', {
      description: 'Duration of HTTP client requests.',
      ...seconds(names.REQUEST_SECONDS),
    });
    this.refusals = meter.createCounter('partner_sdk.client.lane.refusals', {
      description: 'Requests that the service rejected because a later nonce came first.',
      unit: '{request}',
    });
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

  observe(clients: Metrics): void {
    // Hooks may be created anew for each of many clients.
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
    for (const [origin, value] of gaps) result.observe(this.#gap, value / 1000, names.addressOf(origin));
    for (const [origin, value] of budgets) result.observe(this.#retryBudget, value, names.addressOf(origin));
  }
}

/** Gauges of several hooks must be one: the value that is observed last would stand for all. */
const instruments = new WeakMap<MeterProvider, Instruments>();
