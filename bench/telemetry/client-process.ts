import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { AggregationTemporality, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type * as Sdk from 'partner-sdk';
import type * as Telemetry from 'partner-sdk/opentelemetry';
import { ACCOUNT, API_KEY, API_SECRET, QUOTE } from '../measured/requests.js';

/**
 * A client to measure:
 *
 * - `plain`: without hooks.
 * - `again`: the same, by a second client: tells how far from `plain` a figure is by chance.
 * - `other`: the same, of the other build.
 * - `api`: with hooks and OpenTelemetry's API, but without an SDK.
 * - `channel`: without hooks, with a subscriber of one diagnostics channel.
 * - `spans`: with spans, given to a batch processor as it comes, whose exporter drops them.
 * - `all`: with spans and metrics.
 */
export type Subject = 'plain' | 'again' | 'other' | 'api' | 'channel' | 'spans' | 'all';

export interface Visit {
  readonly subject: Subject;
  readonly inFlight: number;
  readonly calls: number;
}

const [origin = '', own = '', other = ''] = process.argv.slice(2);
const load = <T>(directory: string, name: string): Promise<T> =>
  import(pathToFileURL(join(directory, name)).href) as Promise<T>;

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const dropped = {
  export: (_: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
  forceFlush: async () => {},
  shutdown: async () => {},
  selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
};
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(dropped)] });
const meterProvider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: dropped })] });

const sdk = await load<typeof Sdk>(own, 'index.js');
const { opentelemetryHooks } = await load<typeof Telemetry>(own, 'opentelemetry.js');
const otherSdk = other === '' ? sdk : await load<typeof Sdk>(other, 'index.js');
const options = { baseUrl: origin, apiKey: API_KEY, apiSecret: API_SECRET };
const clientOf = (hooks?: Sdk.Hooks) => new sdk.PartnerClient({ ...options, transport: sdk.undiciTransport(), hooks });
const plain = clientOf();
const clients: Readonly<Record<Subject, Sdk.PartnerClient>> = {
  plain,
  again: clientOf(),
  other: new otherSdk.PartnerClient({ ...options, transport: otherSdk.undiciTransport() }),
  api: clientOf(opentelemetryHooks()),
  channel: plain,
  spans: clientOf(opentelemetryHooks({ tracerProvider })),
  all: clientOf(opentelemetryHooks({ tracerProvider, meterProvider })),
};
const onEnd = (): void => {};

async function cost({ subject, inFlight, calls }: Visit): Promise<number> {
  const { quotes } = clients[subject].accounts;
  if (subject === 'channel') subscribe('partner-sdk:end', onEnd);
  const before = process.cpuUsage();
  let left = calls;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await quotes.get(ACCOUNT, QUOTE);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const { user, system } = process.cpuUsage(before);
  if (subject === 'channel') unsubscribe('partner-sdk:end', onEnd);
  return (user + system) / calls;
}

process.on('disconnect', () => process.exit());
process.on('message', async (visit: Visit) => process.send?.(await cost(visit)));
process.send?.('ready');
