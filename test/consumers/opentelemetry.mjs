// Traces and metrics of the installed package, sent to an OTLP/HTTP receiver, by the SDK that is
// installed: major 2 or 3. Prints nothing when all is right.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { context, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { PartnerClient } from 'partner-sdk';
import { opentelemetryHooks } from 'partner-sdk/opentelemetry';
import { createSandbox } from 'partner-sdk/sandbox';

// Major 2 has `sdk-trace-base`, major 3 `sdk-trace` alone, whose processors take options.
const major2 = await import('@opentelemetry/sdk-trace-base').catch(() => undefined);
const sdk = major2 ?? (await import('@opentelemetry/sdk-trace'));
const Provider = sdk.BasicTracerProvider ?? sdk.TracerProvider;
const given = (exporter) => (major2 === undefined ? { exporter } : exporter);

// The receiver: what a collector gets.
const received = { '/v1/traces': [], '/v1/metrics': [] };
const receiver = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  assert.equal(request.headers['content-type'], 'application/json');
  received[request.url].push(JSON.parse(Buffer.concat(chunks).toString()));
  response.setHeader('content-type', 'application/json').end('{}');
});
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${receiver.address().port}`;

const inMemory = new sdk.InMemorySpanExporter();
const spanProcessors = [
  new sdk.SimpleSpanProcessor(given(inMemory)),
  new sdk.BatchSpanProcessor(given(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }))),
];
const tracerProvider = new Provider({ spanProcessors });
const exporter = new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` });
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
const meterProvider = new MeterProvider({ readers: [reader] });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const sandbox = createSandbox({ seed: 1 });
const { url: baseUrl } = await sandbox.listen({ port: 0 });
const { userId } = sandbox.fixtures;

const active = [];
const own = { onRequest: () => active.push(trace.getActiveSpan()?.spanContext().spanId) };
const hooks = [opentelemetryHooks({ tracerProvider, meterProvider }), own];
const client = new PartnerClient({ baseUrl, ...sandbox.credentials, hooks });
sandbox.fail({ operation: 'users.get', fault: 503, times: 1, retryAfterSeconds: 0 });
await client.users.get(userId);
await client.users.get('no-such-user-0001').catch((error) => assert.equal(error.name, 'NotFoundError'));
await meterProvider.forceFlush();
await tracerProvider.forceFlush();

// In memory.
const spans = inMemory.getFinishedSpans();
const calls = spans.filter(({ kind }) => kind === SpanKind.INTERNAL);
assert.deepEqual(
  calls.map(({ name }) => name),
  ['users.get', 'users.get'],
);
const attempts = spans.filter(({ kind }) => kind === SpanKind.CLIENT);
assert.deepEqual(
  active,
  attempts.map((span) => span.spanContext().spanId),
  'hooks run inside the span of their attempt',
);

// On the wire.
const scopes = received['/v1/traces'].flatMap(({ resourceSpans }) => resourceSpans).flatMap((one) => one.scopeSpans);
assert.deepEqual([...new Set(scopes.map(({ scope }) => scope.name))], ['partner-sdk']);
const onWire = scopes.flatMap((one) => one.spans);
for (const span of [...calls, ...attempts]) {
  assert.ok(
    onWire.some(({ spanId }) => spanId === span.spanContext().spanId),
    'each span reaches the receiver',
  );
}
const metrics = received['/v1/metrics']
  .flatMap(({ resourceMetrics }) => resourceMetrics)
  .flatMap((one) => one.scopeMetrics)
  .flatMap((one) => one.metrics);
const metric = (name) => metrics.find((one) => one.name === name);
const total = (points) =>
  points.reduce((sum, { asInt, asDouble, count }) => sum + Number(asInt ?? asDouble ?? count), 0);
assert.equal(total(metric('partner_sdk.client.calls').sum.dataPoints), 2);
assert.equal(total(metric('partner_sdk.client.attempts').sum.dataPoints), 3);
assert.equal(total(metric('http.client.request.duration').histogram.dataPoints), 3);

// The other form of the module makes the same hooks.
const other = createRequire(import.meta.url)('partner-sdk/opentelemetry');
assert.deepEqual(Object.keys(other.opentelemetryHooks()), Object.keys(opentelemetryHooks()));

await client.close();
await sandbox.close();
await tracerProvider.shutdown();
await meterProvider.shutdown();
receiver.closeAllConnections();
receiver.close();
