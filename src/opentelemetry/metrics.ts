import { type Counter, type Histogram, type Meter, type MeterProvider, metrics } from '@opentelemetry/api';
import type { AttemptEndEvent, ClientEvent, EndEvent } from '../events.js';
import { addressOf, attemptOf, callOf, endOfAttempt, endOfCall } from './attributes.js';
import * as names from './conventions.js';
import { Counts } from './counts.js';
import { Gauges } from './gauges.js';
import { ObservedClients } from './observed-clients.js';
import { meterOf } from './scope.js';

interface Instruments {
  readonly calls: Counts;
  readonly callDuration: Histogram;
  readonly attempts: Counts;
  readonly queueTime: Histogram;
  readonly requestDuration: Histogram;
  readonly refusals: Counter;
  readonly gauges: Gauges;
}

/** Gauges of several hooks must be one: the value that is observed last would stand for all. */
const instruments = new WeakMap<MeterProvider, Instruments>();

/** Counts and measures calls and attempts. */
export class Metrics {
  readonly #given: MeterProvider | undefined;
  readonly #clients = new ObservedClients();
  #provider: MeterProvider | undefined;
  #made: Instruments | undefined;

  /** @param provider Undefined: the global one, which may be registered later. */
  constructor(provider: MeterProvider | undefined) {
    this.#given = provider;
  }

  clientMade(client: ClientEvent): void {
    this.#clients.add(client);
    this.#made?.gauges.observe(this.#clients);
  }

  callEnded(event: EndEvent): void {
    const made = this.#instruments();
    if (made === undefined) return;
    const { calls, callDuration, attempts, queueTime } = made;
    const call = callOf(event);
    const ended = endOfCall(call, event);
    calls.add(1, ended);
    callDuration.record(event.durationMs / 1000, ended);
    attempts.add(event.attempts, call.attributes);
    queueTime.record(event.queueTime / 1000, call.attributes);
  }

  attemptEnded(event: AttemptEndEvent): void {
    const made = this.#instruments();
    if (made === undefined) return;
    const { requestDuration, refusals } = made;
    const { origin, sent, reason, queueTime, durationMs } = event;
    if (reason === 'race') refusals.add(1, addressOf(origin));
    // Without bytes that left there was no request, unless there was no connection for it.
    if (!sent && reason !== 'not_sent') return;
    requestDuration.record((sent ? durationMs - queueTime : durationMs) / 1000, endOfAttempt(attemptOf(event), event));
  }

  /** True while no provider is there. */
  get isIdle(): boolean {
    return this.#instruments() === undefined;
  }

  #instruments(): Instruments | undefined {
    const provider = this.#given ?? metrics.getMeterProvider();
    if (provider === this.#provider) return this.#made;
    const made = instruments.get(provider) ?? instrumentsOf(meterOf(provider));
    if (made !== undefined) {
      instruments.set(provider, made);
      made.gauges.observe(this.#clients);
    }
    this.#provider = provider;
    this.#made = made;
    return made;
  }
}

function instrumentsOf(meter: Meter | undefined): Instruments | undefined {
  if (meter === undefined) return undefined;
  const seconds = (explicitBucketBoundaries: number[]) => ({ unit: 's', advice: { explicitBucketBoundaries } });
  return {
    calls: countsOf(meter, 'partner_sdk.client.calls', 'Calls that have ended, by outcome.', '{call}'),
    callDuration: meter.createHistogram('partner_sdk.client.call.duration', {
      description: 'Duration of calls, with all attempts and waits.',
      ...seconds(names.CALL_SECONDS),
    }),
    attempts: countsOf(meter, 'partner_sdk.client.attempts', 'Attempts of the calls that have ended.', '{attempt}'),
    queueTime: meter.createHistogram('partner_sdk.client.call.queue_time', {
      description: 'Time of a call before its bytes left: lane, providers, connection; of all attempts.',
      ...seconds(names.CALL_SECONDS),
    }),
    requestDuration: meter.createHistogram('http.client.request.duration', {
      description: 'Duration of HTTP client requests.',
      ...seconds(names.REQUEST_SECONDS),
    }),
    refusals: meter.createCounter('partner_sdk.client.lane.refusals', {
      description: 'Requests that the service refused because a later nonce came first.',
      unit: '{request}',
    }),
    gauges: new Gauges(meter),
  };
}

function countsOf(meter: Meter, name: string, description: string, unit: string): Counts {
  const counts = new Counts();
  meter.createObservableCounter(name, { description, unit }).addCallback((result) => counts.report(result));
  return counts;
}
