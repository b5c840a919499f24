import diagnostics from 'node:diagnostics_channel';
import { context, ProxyTracerProvider, propagation, SpanKind, type TracerProvider, trace } from '@opentelemetry/api';
import { isTracingSuppressed, W3CTraceContextPropagator } from '@opentelemetry/core';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchTransport, type Hooks, type Transport, undiciTransport } from '../../src/index.js';
import { opentelemetryHooks } from '../../src/opentelemetry/index.js';
import { HmacSigner } from '../../src/signing/signer.js';
import { watched } from '../support/fake-transport.js';
import { GET, KEYED, scene, transportFor, WAYS } from '../support/scene.js';
import { status } from '../support/service.js';
import { gate } from '../support/until.js';
import { only, registered, telemetry } from './support/telemetry.js';

registered();

const now = { 'retry-after': '0' };

/**
 * Instruments undici until the end of the test, as `@opentelemetry/instrumentation-undici` does: each request that is
 * announced is a span of the active context, and carries its headers.
 */
function instrument(provider: BasicTracerProvider): void {
  const tracer = provider.getTracer('instrumentation');
  type Announced = { request: { method: string; path: string; addHeader(name: string, value: string): void } };
  const onCreate = (message: unknown) => {
    const { request } = message as Announced;
    const span = tracer.startSpan(`undici ${request.method}`, { kind: SpanKind.CLIENT }, context.active());
    const headers: Record<string, string> = {};
    propagation.inject(trace.setSpan(context.active(), span), headers);
    for (const [name, value] of Object.entries(headers)) request.addHeader(name, value);
    span.end();
  };
  diagnostics.subscribe('undici:request:create', onCreate);
  onTestFinished(() => void diagnostics.unsubscribe('undici:request:create', onCreate));
}

const clientSpans = (told: ReturnType<typeof telemetry>) => told.spans().filter(({ kind }) => kind === SpanKind.CLIENT);
const namesOf = (told: ReturnType<typeof telemetry>) =>
  clientSpans(told)
    .map(({ name }) => name)
    .toSorted();

const AGENT = new Agent();

describe.each<[string, () => Transport | undefined]>([
  ['connections of the SDK', () => undefined],
  ['a dispatcher', () => undiciTransport({ dispatcher: AGENT })],
  ['fetch', () => fetchTransport()],
])('beside instrumentation of the HTTP client, over %s', (_way, makeTransport) => {
  const over = makeTransport();
  const transport = over === undefined ? {} : { transport: over };

  it.each([[false], [true]])('an attempt is one client span, ours (propagate: %s)', async (propagate) => {
    const told = telemetry();
    instrument(told.tracerProvider);
    const hooks = opentelemetryHooks({ tracerProvider: told.tracerProvider, propagate });
    await scene({ answers: [status(503, now)], client: { hooks, ...transport } }, async ({ client, service }) => {
      await GET.invoke(client);
      await Promise.all(Array.from({ length: 8 }, () => KEYED.invoke(client)));
      // There are more than ten attempts if nonces overtake each other.
      expect(service.requests.length).toBeGreaterThanOrEqual(10);
      expect(clientSpans(told).map((span) => span.instrumentationScope.name)).toEqual(
        service.requests.map(() => 'partner-sdk'),
      );
      const ours = clientSpans(told).map((span) => span.spanContext());
      const sent = service.requests.map(({ headers }) => headers['traceparent']);
      expect(sent.toSorted()).toEqual(
        ours.map(({ traceId, spanId }) => (propagate ? `00-${traceId}-${spanId}-01` : undefined)).toSorted(),
      );
    });
  });

  it('spans of the functions of the application stay, as children of the attempt', async () => {
    const told = telemetry();
    instrument(told.tracerProvider);
    const tracer = told.tracerProvider.getTracer('application');
    const hmac = new HmacSigner();
    let last = BigInt(Date.now()) * 1_000_000n;
    const within = <T>(name: string, value: T): T => {
      tracer.startSpan(name).end();
      return value;
    };
    const own: Hooks = { onRequest: () => within('onRequest', undefined), headers: () => within('headers', undefined) };
    const client = {
      hooks: [opentelemetryHooks({ tracerProvider: told.tracerProvider }), own],
      nonceOrder: 'strict',
      nonce: { next: async () => within('nonce', ++last), done: () => within('done', undefined) },
      signer: async (input: Parameters<HmacSigner['sign']>[0]) => within('signer', hmac.sign(input)),
      otp: async () => within('otp', '123456'),
      ...transport,
    } as const;
    await scene({ client }, async (setting) => {
      await Promise.all([1, 2, 3].map(() => KEYED.invoke(setting.client)));
    });
    const attempts = clientSpans(told);
    expect(attempts).toHaveLength(3);
    for (const attempt of attempts) {
      const children = told
        .spans()
        .filter(({ parentSpanContext }) => parentSpanContext?.spanId === attempt.spanContext().spanId);
      expect(children.map(({ name }) => name)).toEqual(['otp', 'nonce', 'signer', 'headers', 'onRequest', 'done']);
    }
  });

  it('calls of a client without these hooks keep their spans, also when a call with them makes room', async () => {
    const told = telemetry();
    instrument(told.tracerProvider);
    const hooks = opentelemetryHooks({ tracerProvider: told.tracerProvider });
    await scene({ client: { hooks, nonceOrder: 'strict', ...transport } }, async ({ client, connect, service }) => {
      const plain = connect({ nonceOrder: 'strict', ...transport });
      await GET.invoke(client);
      const { opened, open } = gate();
      service.answers({ hold: opened, ...(await service.script(service.requests[0] as never)) });
      const first = GET.invoke(client);
      const second = KEYED.invoke(plain);
      open();
      await Promise.all([first, second]);
    });
    expect(namesOf(told)).toEqual([...Array(2).fill('GET /v1/users/{user_id}'), 'undici POST']);
  });

  it.each<[string, (provider: BasicTracerProvider) => TracerProvider | undefined]>([
    ['no provider is there', () => undefined],
    ['the tracer makes no spans', () => ({ getTracer: () => new ProxyTracerProvider().getTracer('none') })],
  ])('its spans stay while %s', async (_why, providerOf) => {
    const told = telemetry();
    instrument(told.tracerProvider);
    const hooks = opentelemetryHooks({ tracerProvider: providerOf(told.tracerProvider) });
    const root = told.tracerProvider.getTracer('application').startSpan('root');
    await scene({ client: { hooks, ...transport } }, ({ client }) =>
      context.with(trace.setSpan(context.active(), root), async () => {
        await GET.invoke(client);
      }),
    );
    expect(namesOf(told)).toEqual(['undici GET']);
  });
});

describe.each(WAYS)('over %s', (over) => {
  it('an attempt is sent in a context without tracing, and ends in its own', async () => {
    const told = telemetry();
    const suppressed: unknown[] = [];
    const note = (when: string) => suppressed.push([when, isTracingSuppressed(context.active())]);
    const hooks = opentelemetryHooks({ tracerProvider: told.tracerProvider });
    const own: Hooks = { onRequest: () => note('onRequest'), onResponse: () => note('onResponse') };
    await scene({ over }, async ({ connect, service }) => {
      const transport = watched(transportFor(service), () => note('send'));
      const client = connect({ transport, hooks: [hooks, own] });
      for (let round = 0; round < 2; round++) await GET.invoke(client);
    });
    const round = [
      ['send', true],
      ['onRequest', false],
      ['onResponse', false],
    ];
    expect(suppressed).toEqual([...round, ...round]);
  });
});

describe('a propagator that writes the active context alone, as Sentry has one', () => {
  it('writes the span of the attempt, also inside a span of hooks of the application', async () => {
    const w3c = new W3CTraceContextPropagator();
    propagation.disable();
    propagation.setGlobalPropagator({
      inject: (given, ...rest) => given === context.active() && w3c.inject(given, ...rest),
      extract: (given) => given,
      fields: () => w3c.fields(),
    });
    const told = telemetry();
    const tracer = told.tracerProvider.getTracer('application');
    const own: Hooks = {
      run: ({ kind }, next) => {
        const span = tracer.startSpan(`own ${kind}`);
        void context.with(trace.setSpan(context.active(), span), next).then(() => span.end());
      },
    };
    const hooks = [opentelemetryHooks({ tracerProvider: told.tracerProvider, propagate: true }), own];
    try {
      await scene({ client: { hooks } }, async ({ client, service }) => {
        await GET.invoke(client);
        const { traceId, spanId } = only(told.spans().filter(({ kind }) => kind === SpanKind.CLIENT)).spanContext();
        expect(service.requests[0]?.headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
      });
    } finally {
      propagation.disable();
      propagation.setGlobalPropagator(w3c);
    }
  });
});
