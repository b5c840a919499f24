// Traces and metrics of the installed package, kept in memory and sent to an OTLP/HTTP receiver, by the SDK that is
// installed: major 2 or 3. Prints nothing when all is right.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { context, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { PartnerClient } from 'partner-sdk';
import { opentelemetryHooks, opentelemetryWebhooks } from 'partner-sdk/opentelemetry';
import { createSandbox } from 'partner-sdk/sandbox';
import { nodeWebhookHandler } from 'partner-sdk/webhooks';

// Major 2 has `sdk-trace-base`, major 3 `sdk-trace` alone, whose processors take options.
const major2 = await import('@opentelemetry/sdk-trace-base').catch(() => undefined);
const sdk = major2 ?? (await import('@opentelemetry/sdk-trace'));
const Provider = sdk.BasicTracerProvider ?? sdk.TracerProvider;
const given = (exporter) => (major2 === undefined ? { exporter } : exporter);

/** Serves requests by a function of path and body, and gives the address. */
async function serve(answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

// The receiver: what a collector gets.
const received = { '/v1/traces': [], '/v1/metrics': [] };
const receiver = await serve(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  assert.equal(request.headers['content-type'], 'application/json');
  received[request.url].push(JSON.parse(Buffer.concat(chunks).toString()));
  response.setHeader('content-type', 'application/json').end('{}');
});

const inMemory = new sdk.InMemorySpanExporter();
const spanProcessors = [
  new sdk.SimpleSpanProcessor(given(inMemory)),
  new sdk.BatchSpanProcessor(given(new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` }))),
];
const tracerProvider = new Provider({ spanProcessors });
const metricsInMemory = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const readers = [metricsInMemory, new OTLPMetricExporter({ url: `${receiver.url}/v1/metrics` })].map(
  (exporter) => new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 }),
);
const meterProvider = new MeterProvider({ readers });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const sandbox = createSandbox({ seed: 1 });
const { url: baseUrl } = await sandbox.listen({ port: 0 });
const { userId, accountId } = sandbox.fixtures;
let delivered;
const delivery = new Promise((resolve) => {
  delivered = resolve;
});
const endpoint = await serve((request, response) => handler(request, response));
const { signing_secret: secret } = sandbox.webhooks.register({ url: endpoint.url });
const inSpan = opentelemetryWebhooks({ tracerProvider });
const handler = nodeWebhookHandler({ secret, onEvent: inSpan((event) => delivered(event)) });

const active = [];
const own = { onRequest: () => active.push(trace.getActiveSpan()?.spanContext().spanId) };
const hooks = [opentelemetryHooks({ tracerProvider, meterProvider }), own];
const client = new PartnerClient({ baseUrl, ...sandbox.credentials, hooks });
sandbox.fail({ operation: 'users.get', fault: 503, times: 1, retryAfterSeconds: 0 });
await client.users.get(userId);
await client.users.get('no-such-user-0001').catch((error) => assert.equal(error.name, 'NotFoundError'));
const quote = await client.accounts.quotes.create(accountId, {
  from: { symbol: 'USD', type: 'fiat', amount: '10.00' },
  to: { symbol: 'BTC', type: 'crypto' },
});
await client.accounts.quotes.execute(accountId, quote.id);
sandbox.advance(60_000);
await delivery;
await meterProvider.forceFlush();
const scopes = () =>
  received['/v1/traces'].flatMap(({ resourceSpans }) => resourceSpans).flatMap((one) => one.scopeSpans);
const spansOnWire = () => scopes().flatMap((one) => one.spans);
// Deliveries of other events may still come.
for (let tries = 0; tries < 100 && spansOnWire().length < Math.max(1, inMemory.getFinishedSpans().length); tries++) {
  await tracerProvider.forceFlush();
  await new Promise((resolve) => setTimeout(resolve, 50));
}

// In memory.
const spans = inMemory.getFinishedSpans();
const calls = spans.filter(({ kind }) => kind === SpanKind.INTERNAL);
assert.deepEqual(
  calls.map(({ name }) => name),
  ['users.get', 'users.get', 'accounts.quotes.create', 'accounts.quotes.execute'],
);
const attempts = spans.filter(({ kind }) => kind === SpanKind.CLIENT);
assert.deepEqual(
  attempts.map(({ attributes }) => attributes['http.response.status_code']).slice(0, 3),
  [503, 200, 404],
);
assert.deepEqual(
  active,
  attempts.map((span) => span.spanContext().spanId),
  'hooks run inside the span of their attempt',
);
for (const { parentSpanContext } of attempts) {
  assert.ok(calls.some((call) => call.spanContext().spanId === parentSpanContext?.spanId));
}

// On the wire.
assert.deepEqual([...new Set(scopes().map(({ scope }) => scope.name))], ['partner-sdk']);
const onWire = spansOnWire();
for (const span of [...calls, ...attempts]) {
  assert.ok(
    onWire.some(({ spanId }) => spanId === span.spanContext().spanId),
    'each span reaches the receiver',
  );
}
const of = (name) => onWire.find((span) => span.name === name);
const executed = of('webhook quote.executed');
assert.equal(executed.links[0].spanId, of('accounts.quotes.execute').spanId, 'linked with what caused it');
assert.equal(of('users.get').events[0].name, 'partner_sdk.retry');
const text = JSON.stringify(received);
for (const word of [userId, accountId, quote.id, secret, ...Object.values(sandbox.credentials)]) {
  assert.ok(!text.includes(word), 'no id and no secret leaves');
}
const metrics = received['/v1/metrics']
  .flatMap(({ resourceMetrics }) => resourceMetrics)
  .flatMap((one) => one.scopeMetrics)
  .flatMap((one) => one.metrics);
const metric = (name) => metrics.find((one) => one.name === name);
const total = (points) =>
  points.reduce((sum, { asInt, asDouble, count }) => sum + Number(asInt ?? asDouble ?? count), 0);
assert.equal(total(metric('partner_sdk.client.calls').sum.dataPoints), 4);
assert.equal(total(metric('partner_sdk.client.attempts').sum.dataPoints), 5);
assert.equal(total(metric('http.client.request.duration').histogram.dataPoints), 5);
assert.equal(metric('http.client.request.duration').unit, 's');
assert.equal(metric('partner_sdk.client.lane.gap').gauge.dataPoints.length, 1);
assert.ok(metricsInMemory.getMetrics().length > 0);

// The other form of the module makes the same hooks.
const other = createRequire(import.meta.url)('partner-sdk/opentelemetry');
assert.deepEqual(Object.keys(other.opentelemetryHooks()), Object.keys(opentelemetryHooks()));

await client.close();
await sandbox.close();
await tracerProvider.shutdown();
await meterProvider.shutdown();
for (const { server } of [receiver, endpoint]) {
  server.closeAllConnections();
  server.close();
}
