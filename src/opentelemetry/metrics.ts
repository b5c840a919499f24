import type { Attributes, Counter, Histogram, Meter, MeterProvider } from '@opentelemetry/api';
import type { AttemptEndEvent, ClientEvent, EndEvent } from '../events.js';
import * as names from './conventions.js';
import { ObservedClients } from './observed-clients.js';
import { meterOf } from './scope.js';
import { serverOf } from './server.js';

interface Instruments {
  readonly calls: Counter;
  readonly callDuration: Histogram;
  readonly attempts: Histogram;
  readonly queueTime: Histogram;
  readonly requestDuration: Histogram;
  readonly refusals: Counter;
}

/** Counts and measures calls and attempts. */
export class Metrics {
  readonly #provider: MeterProvider | undefined;
  readonly #clients = new ObservedClients();
  /** Made at the first use: the global provider may be registered later than a client is made. */
  #made: Instruments | undefined;

  constructor(provider: MeterProvider | undefined) {
    this.#provider = provider;
  }

  clientMade(client: ClientEvent): void {
    this.#clients.add(client);
  }

  callEnded({ operation, origin, outcome, attempts, queueTime, durationMs, error }: EndEvent): void {
    const { calls, callDuration, attempts: attemptCounts, queueTime: queueTimes } = this.#instruments;
    const common: Attributes = { [names.OPERATION]: operation, ...serverOf(origin).address };
    const ended: Attributes = { ...common, [names.OUTCOME]: outcome };
    if (error !== undefined) ended[names.ERROR_TYPE] = error.name;
    calls.add(1, ended);
    callDuration.record(durationMs / 1000, ended);
    attemptCounts.record(attempts, common);
    queueTimes.record(queueTime / 1000, common);
  }

  attemptEnded(event: AttemptEndEvent): void {
    const { method, origin, path, sent, status, reason, queueTime, durationMs } = event;
    const { requestDuration, refusals } = this.#instruments;
    const { address } = serverOf(origin);
    if (reason === 'race') refusals.add(1, address);
    // Without bytes that left there was no request, unless there was no connection for it.
    if (!sent && reason !== 'not_sent') return;
    const attributes: Attributes = { [names.METHOD]: method, ...address };
    if (path !== '') attributes[names.TEMPLATE] = path;
    if (status !== undefined) attributes[names.STATUS] = status;
    if (reason !== undefined) attributes[names.ERROR_TYPE] = names.errorTypeOf(status, reason);
    requestDuration.record((sent ? durationMs - queueTime : durationMs) / 1000, attributes);
  }

  get #instruments(): Instruments {
    if (this.#made === undefined) {
      const meter = meterOf(this.#provider);
      this.#made = instrumentsOf(meter);
      this.#clients.observe(meter);
    }
    return this.#made;
  }
}

function instrumentsOf(meter: Meter): Instruments {
  const seconds = (explicitBucketBoundaries: number[]) => ({ unit: 's', advice: { explicitBucketBoundaries } });
  return {
    calls: meter.createCounter('partner_sdk.client.calls', {
      description: 'Calls that have ended, by outcome.',
      unit: '{call}',
    }),
    callDuration: meter.createHistogram('partner_sdk.client.call.duration', {
      description: 'Duration of calls, with all attempts and waits.',
      ...seconds(names.CALL_SECONDS),
    }),
    attempts: meter.createHistogram('partner_sdk.client.call.attempts', {
      description: 'Attempts of a call.',
      unit: '{attempt}',
      advice: { explicitBucketBoundaries: names.ATTEMPT_COUNTS },
    }),
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
  };
}
