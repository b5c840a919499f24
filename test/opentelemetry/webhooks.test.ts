import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SpanContext, SpanKind, SpanStatusCode, type TracerProvider, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, PartnerClient } from '../../src/index.js';
import { opentelemetryHooks, opentelemetryWebhooks } from '../../src/opentelemetry/index.js';
import { createSandbox } from '../../src/sandbox/index.js';
import { nodeWebhookHandler, signWebhook, type WebhookEvent, webhookHandler } from '../../src/webhooks/index.js';
import { warningsOf } from '../calls/support/recorder.js';
import { only, registered, telemetry } from './support/telemetry.js';

registered();

const secret = 'YSBzaWduaW5nIHNlY3JldA==';

function deliver(handler: (request: Request) => Promise<Response>, event: object): Promise<Response> {
  const body = JSON.stringify(event);
  return handler(new Request('http://localhost/', { method: 'POST', body, headers: signWebhook({ body, secret }) }));
}

describe('a verified delivery', () => {
  it('is a span that is linked with the call that caused it, over the wire', async () => {
    const told = telemetry();
    const { tracerProvider } = told;
    const events: string[] = [];
    const traced = opentelemetryWebhooks({ tracerProvider });
    const sandbox = createSandbox({ seed: 1 });
    const { url } = await sandbox.listen({ port: 0 });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const webhook = sandbox.webhooks.register({ url: endpoint });
    const handler = nodeWebhookHandler({
      secret: webhook.signing_secret,
      on: { 'quote.executed': traced((event) => void events.push(`${event.type} ${event.data.status}`)) },
      onEvent: traced((event) => void events.push(event.type)),
    });
    server.on('request', handler);
    const hooks = opentelemetryHooks({ tracerProvider });
    const client = new PartnerClient({ baseUrl: url, ...sandbox.credentials, hooks });
    try {
      const { accountId } = sandbox.fixtures;
      const quote = await client.accounts.quotes.create(accountId, {
        from: { symbol: 'USD', type: 'fiat', amount: '10.00' },
        to: { symbol: 'BTC', type: 'crypto' },
      });
      await client.accounts.quotes.execute(accountId, quote.id);
      sandbox.advance(60_000);
      await expect.poll(() => events).toContain('quote.executed executed');
      const delivery = only(told.spans().filter(({ name }) => name === 'webhook quote.executed'));
      const execute = only(told.spans().filter(({ name }) => name === 'accounts.quotes.execute'));
      expect(delivery.kind).toBe(SpanKind.CONSUMER);
      expect(delivery.attributes).toEqual({ 'partner_sdk.webhook.type': 'quote.executed' });
      expect(only(delivery.links).context).toEqual(execute.spanContext());
      expect(JSON.stringify(delivery.attributes)).not.toContain(quote.id);
    } finally {
      await client.close();
      await sandbox.close();
      server.close();
      server.closeAllConnections();
    }
  });

  it('runs its handler inside the span, whose parent is what is active', async () => {
    const told = telemetry();
    const tracer = told.tracerProvider.getTracer('application');
    const traced = opentelemetryWebhooks({ tracerProvider: told.tracerProvider });
    let active: SpanContext | undefined;
    const handler = webhookHandler({
      secret,
      onEvent: traced(() => {
        active = trace.getActiveSpan()?.spanContext();
      }),
    });
    const answer = await tracer.startActiveSpan('POST /webhooks', async (span) => {
      const response = await deliver(handler, { id: 'e1', type: 'transfer.completed', data: { id: 'unknown' } });
      span.end();
      return response;
    });
    expect(answer.status).toBe(200);
    const [delivery, root] = told.spans();
    expect(delivery?.spanContext()).toEqual(active);
    expect(delivery?.parentSpanContext?.spanId).toBe(root?.spanContext().spanId);
    expect(delivery?.links).toEqual([]);
  });

  it('whose handler returns a failed Response is answered so that the service delivers again', async () => {
    const traced = opentelemetryWebhooks({ tracerProvider: telemetry().tracerProvider });
    const onEvent = traced(async () => new Response('no', { status: 503 }));
    const handler = webhookHandler({ secret, onEvent, onError: () => {} });
    expect((await deliver(handler, { id: 'e3', type: 'swap.failed', data: {} })).status).toBe(500);
  });

  it('whose handler fails is an error, and is answered so that the service delivers again', async () => {
    const told = telemetry();
    const traced = opentelemetryWebhooks({ tracerProvider: told.tracerProvider });
    const errors: unknown[] = [];
    const onEvent = traced(async () => {
      throw new RangeError('the database has no row 4711');
    });
    const handler = webhookHandler({ secret, onEvent, onError: (error) => void errors.push(error) });
    const answer = await deliver(handler, { id: 'e2', type: 'swap.failed', data: {} });
    expect(answer.status).toBe(500);
    expect(errors).toEqual([new RangeError('the database has no row 4711')]);
    const span = only(told.spans());
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.attributes['error.type']).toBe('RangeError');
    expect(span.events).toEqual([]);
  });

  it('of a kind that is not known does not show its name', async () => {
    const told = telemetry();
    const traced = opentelemetryWebhooks({ tracerProvider: told.tracerProvider });
    const seen: string[] = [];
    const handler = webhookHandler({ secret, onEvent: traced((event) => void seen.push(event.type)) });
    await deliver(handler, { id: 'e3', type: 'user.USER-0000-0000-0001', data: {} });
    await deliver(handler, { id: 'e4', type: 'constructor', data: {} });
    expect(seen).toEqual(['user.USER-0000-0000-0001', 'constructor']);
    for (const span of told.spans()) {
      expect([span.name, span.attributes]).toEqual(['webhook', { 'partner_sdk.webhook.type': '_OTHER' }]);
    }
  });

  it('that another process has caused is linked by causeOf', async () => {
    const told = telemetry();
    const cause: SpanContext = {
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: 1,
    };
    const asked: unknown[] = [];
    const causeOf = async (event: WebhookEvent) => {
      asked.push(event.data['id']);
      return cause;
    };
    const traced = opentelemetryWebhooks({ tracerProvider: told.tracerProvider, causeOf });
    const handler = webhookHandler({ secret, onEvent: traced(() => {}) });
    await deliver(handler, { id: 'e5', type: 'transfer.failed', data: { id: 'transfer-1' } });
    expect(asked).toEqual(['transfer-1']);
    expect(only(only(told.spans()).links).context).toEqual(cause);
  });

  it('is handled, once, also when causeOf or the tracer fails', async () => {
    const broken = () => {
      throw new Error('tracer is broken');
    };
    const handled: string[] = [];
    const emitted = await warningsOf(async () => {
      for (const options of [
        { causeOf: broken },
        { causeOf: async () => broken() },
        { tracerProvider: { getTracer: broken } as unknown as TracerProvider },
      ]) {
        const traced = opentelemetryWebhooks(options);
        const handler = webhookHandler({ secret, onEvent: traced((event) => void handled.push(String(event.id))) });
        for (const id of ['a', 'b']) {
          expect((await deliver(handler, { id, type: 'swap.completed', data: { id } })).status).toBe(200);
        }
      }
    });
    expect(handled).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(emitted.map(([text]) => String(text).split(' given')[0])).toEqual([
      ...['the function causeOf', 'the function causeOf', 'the tracer'],
    ]);
  });
});

describe('options', () => {
  it.each([
    [{ propagte: true }, 'opentelemetryHooks: propagte is not an option: did you mean propagate?'],
    [{ propagate: 'yes' }, 'opentelemetryHooks: propagate must be true or false'],
    [{ tracerProvider: {} }, 'opentelemetryHooks: tracerProvider must be a TracerProvider'],
    [{ meterProvider: () => {} }, 'opentelemetryHooks: meterProvider must be a MeterProvider'],
    [null, 'opentelemetryHooks: the options must be an object'],
  ])('%o are refused', (options, message) => {
    const make = () => opentelemetryHooks(options as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  it('of the receiver are checked as well', () => {
    expect(() => opentelemetryWebhooks({ causesOf: () => {} } as never)).toThrow(ConfigurationError);
    expect(() => opentelemetryWebhooks({ causeOf: 1 } as never)).toThrow('causeOf must be a function');
  });
});
