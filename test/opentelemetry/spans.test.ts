import { inspect } from 'node:util';
import { context, SpanKind, SpanStatusCode, type TracerProvider, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../src/index.js';
import { opentelemetryHooks } from '../../src/opentelemetry/index.js';
import { VERSION } from '../../src/version.js';
import { warningsOf } from '../calls/support/recorder.js';
import { freePort } from '../support/free-port.js';
import { ACCOUNT, type ClientOptions, failure, GET, KEYED, saveBody, scene, USER } from '../support/scene.js';
import { type Answer, status } from '../support/service.js';
import { gate } from '../support/until.js';
import { only, registered, telemetry } from './support/telemetry.js';

registered();

const now = { 'retry-after': '0' };

async function traced(
  answers: readonly Answer[],
  client: ClientOptions,
  run: Parameters<typeof scene>[1],
): Promise<ReturnType<typeof telemetry>> {
  const told = telemetry();
  const hooks = opentelemetryHooks({ tracerProvider: told.tracerProvider, meterProvider: told.meterProvider });
  await scene({ answers, client: { hooks, ...client } }, run);
  return told;
}

describe('a call', () => {
  it('is a span with a child for its attempt, by the conventions for HTTP clients', async () => {
    let port = 0;
    const { ofOneCall } = await traced([], {}, async ({ client, service }) => {
      port = Number(new URL(service.url).port);
      await GET.invoke(client);
    });
    const [call, attempt, ...others] = ofOneCall();
    expect(others).toEqual([]);
    expect(call).toMatchObject({
      name: 'users.get',
      kind: SpanKind.INTERNAL,
      parentSpanContext: undefined,
      status: { code: SpanStatusCode.UNSET },
      instrumentationScope: { name: 'partner-sdk', version: VERSION },
      links: [],
    });
    expect(call?.attributes).toEqual({
      'partner_sdk.operation': 'users.get',
      'partner_sdk.attempts': 1,
      'server.address': '127.0.0.1',
      'server.port': port,
    });
    expect(attempt).toMatchObject({
      name: 'GET /v1/users/{user_id}',
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
    });
    expect(attempt?.parentSpanContext).toEqual(call?.spanContext());
    expect(attempt?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': port,
      'url.template': '/v1/users/{user_id}',
    });
    expect(only(attempt?.events ?? [])).toMatchObject({
      name: 'partner_sdk.lane.turn',
      attributes: {
        'partner_sdk.attempt.lane_time_ms': expect.any(Number),
        'partner_sdk.attempt.queue_time_ms': expect.any(Number),
      },
    });
  });

  it('has a child for each attempt, counts resends, and tells of retries and their waits', async () => {
    const { ofOneCall } = await traced([status(503, now), { fault: 'reset' }], {}, async ({ client }) => {
      await KEYED.invoke(client);
    });
    const [call, ...attempts] = ofOneCall();
    expect(call?.attributes).toMatchObject({ 'partner_sdk.outcome': 'applied', 'partner_sdk.attempts': 3 });
    expect(call?.status.code).toBe(SpanStatusCode.UNSET);
    expect(attempts.map(({ name }) => name)).toEqual(
      Array(3).fill('POST /v1/accounts/{account_id}/funds/withdrawals/addresses'),
    );
    expect(attempts.map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([undefined, 1, 2]);
    expect(attempts.map(({ attributes }) => attributes['error.type'])).toEqual(['503', 'lost', undefined]);
    expect(attempts.map((attempt) => attempt.status)).toEqual([
      { code: SpanStatusCode.ERROR },
      { code: SpanStatusCode.ERROR },
      { code: SpanStatusCode.UNSET },
    ]);
    for (const attempt of attempts) expect(attempt.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    expect(call?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        'partner_sdk.retry',
        {
          'partner_sdk.attempt.reason': 'status',
          'partner_sdk.retry.delay_ms': 0,
          'http.response.status_code': 503,
        },
      ],
      ['partner_sdk.retry', { 'partner_sdk.attempt.reason': 'lost', 'partner_sdk.retry.delay_ms': expect.any(Number) }],
    ]);
  });

  it('that failed is an error by the name of its class, without the text', async () => {
    const { ofOneCall } = await traced([status(409)], {}, async ({ client }) => {
      await failure(KEYED.invoke(client));
    });
    const [call, attempt] = ofOneCall();
    expect(call?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(call?.attributes).toMatchObject({ 'error.type': 'ConflictError', 'partner_sdk.outcome': 'not_applied' });
    expect(attempt?.attributes).toMatchObject({ 'error.type': '409', 'http.response.status_code': 409 });
    expect(call?.events).toEqual([]);
  });

  it('whose input is refused is a span without a child', async () => {
    const { spans } = await traced([], {}, async ({ client }) => {
      await failure(client.users.get('short'));
    });
    expect(only(spans()).attributes).toMatchObject({
      'error.type': 'RequestValidationError',
      'partner_sdk.attempts': 0,
    });
  });

  it('without a connection has attempts with the reason, and no status', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const { ofOneCall } = await traced([], { baseUrl, maxRetries: 0 }, async ({ client }) => {
      await failure(GET.invoke(client));
    });
    const [call, attempt] = ofOneCall();
    expect(call?.attributes['error.type']).toBe('ConnectionError');
    expect(attempt?.attributes).toMatchObject({ 'error.type': 'not_sent' });
    expect(attempt?.attributes).not.toHaveProperty('http.response.status_code');
    expect(attempt?.events).toEqual([]);
  });

  it('that is aborted in the queue ends all its spans', async () => {
    const { spans } = await traced([], { nonceOrder: 'strict' }, async ({ client, service }) => {
      const { opened, open } = gate();
      service.answers({ ...status(404), hold: opened });
      const first = GET.invoke(client).catch(() => undefined);
      await failure(GET.invoke(client, { signal: AbortSignal.timeout(30) }));
      open();
      await first;
    });
    expect(
      spans()
        .map(({ name, attributes }) => [name, attributes['error.type']])
        .slice(0, 2),
    ).toEqual([
      ['GET /v1/users/{user_id}', 'ended'],
      ['users.get', 'AbortedError'],
    ]);
    expect(spans()).toHaveLength(4);
  });

  it('of a page that its loop has left is no error', async () => {
    const { spans } = await traced([], {}, async ({ client, service }) => {
      const right = service.script;
      let pages = 0;
      const { opened, open } = gate();
      service.script = async (request) => {
        if (++pages > 1) return { ...(await right(request)), hold: opened };
        return { status: 200, body: JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }], next_page_token: 'next' }) };
      };
      for await (const _ of client.list({ path: '/v1/things', prefetch: true } as Parameters<typeof client.list>[0]))
        break;
      open();
    });
    for (const span of spans().filter(({ kind }) => kind === SpanKind.INTERNAL)) {
      expect(span.status.code).toBe(SpanStatusCode.UNSET);
      expect(span.attributes).not.toHaveProperty('error.type');
    }
  });

  it.each([
    ['a list', (client: Parameters<typeof KEYED.invoke>[0]) => client.webhooks.list({ page_token: 'token-in-query' })],
    ['a write', KEYED.invoke],
    [
      'a path given whole',
      (client: Parameters<typeof KEYED.invoke>[0]) =>
        client.request({ method: 'GET', path: `/v1/users/${USER}?secret=query` }),
    ],
  ])('of %s shows no id, query, header, body or text of an answer', async (_, invoke) => {
    const answers: Answer[] = [
      status(503, now),
      { status: 404, body: JSON.stringify({ error: { code: `no-${USER}` } }) },
    ];
    let hidden: string[] = [];
    const { spans } = await traced(
      answers,
      { otp: 'otp-773311', headers: { 'x-team': 'team-secret' } },
      async (setting) => {
        await Promise.resolve(invoke(setting.client)).catch(() => undefined);
        await Promise.resolve(invoke(setting.client)).catch(() => undefined);
        const sent = setting.service.requests.flatMap(({ headers }) => [
          ...['api-sign', 'api-key', 'api-nonce', 'idempotency-key'].map((name) => headers[name] ?? ''),
        ]);
        hidden = [
          USER,
          ACCOUNT,
          saveBody.address,
          'token-in-query',
          'secret=query',
          'otp-773311',
          'team-secret',
          ...sent,
        ];
      },
    );
    const shown = spans().map(({ name, attributes, events, status: end, links }) => [
      name,
      attributes,
      events,
      end,
      links,
    ]);
    const text = inspect(shown, { depth: 12, maxArrayLength: null, maxStringLength: null });
    expect(spans().length).toBeGreaterThanOrEqual(3);
    for (const word of hidden.filter((one) => one !== '')) expect(text).not.toContain(word);
  });
});

describe('the context of a span', () => {
  const active = (): string => (trace.getActiveSpan() as unknown as { name?: string } | undefined)?.name ?? 'none';

  it('is the span of the call in the hooks around its attempts', async () => {
    const seen: string[] = [];
    const note = (who: string) => void seen.push(`${who}: ${active()}`);
    const own: Hooks = {
      onStart: () => note('onStart'),
      onResponse: () => note('onResponse'),
      onEnd: () => note('onEnd'),
    };
    await scene({ answers: [status(503, now)] }, async ({ connect }) => {
      const hooks = [opentelemetryHooks({ tracerProvider: telemetry().tracerProvider }), own];
      const client = connect({ hooks, nonceOrder: 'strict' });
      await Promise.all([1, 2, 3].map(() => KEYED.invoke(client)));
    });
    const call = 'funds.withdrawalAddresses.save';
    expect(new Set(seen)).toEqual(new Set(['onStart', 'onResponse', 'onEnd'].map((who) => `${who}: ${call}`)));
  });

  it('has the span of the caller as its parent, and calls in parallel do not mix', async () => {
    const told = telemetry();
    const tracer = told.tracerProvider.getTracer('application');
    const hooks = opentelemetryHooks({ tracerProvider: told.tracerProvider });
    await scene({ client: { hooks, nonceOrder: 'strict' } }, async ({ client }) => {
      const within = (name: string) =>
        tracer.startActiveSpan(name, async (span) => {
          await GET.invoke(client);
          expect(trace.getActiveSpan()).toBe(span);
          span.end();
        });
      await Promise.all(['one', 'two', 'three'].map(within));
    });
    const spans = told.spans();
    for (const name of ['one', 'two', 'three']) {
      const root = only(spans.filter((span) => span.name === name)).spanContext();
      const family = spans.filter((span) => span.spanContext().traceId === root.traceId);
      expect(family).toHaveLength(3);
      const call = only(family.filter((span) => span.name === 'users.get'));
      expect(call.parentSpanContext?.spanId).toBe(root.spanId);
      const attempt = only(family.filter(({ kind }) => kind === SpanKind.CLIENT));
      expect(attempt.parentSpanContext?.spanId).toBe(call.spanContext().spanId);
    }
  });

  it('joins attempts to their call without a context manager, too', async () => {
    context.disable();
    const { ofOneCall } = await traced([status(503, now)], {}, async ({ client }) => {
      await GET.invoke(client);
    });
    const [call, ...attempts] = ofOneCall();
    expect(attempts).toHaveLength(2);
    for (const attempt of attempts) expect(attempt.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  });
});

describe('a tracer that fails', () => {
  const broken = (where: string): TracerProvider => {
    const fail = (): never => {
      throw new Error('tracer is broken');
    };
    const told = telemetry();
    const tracer = told.tracerProvider.getTracer('x');
    return {
      getTracer: () => {
        if (where === 'getTracer') return fail();
        return {
          ...tracer,
          startActiveSpan: fail,
          startSpan: (...given: Parameters<typeof tracer.startSpan>) => {
            if (where === 'startSpan') return fail();
            const span = tracer.startSpan(...given);
            return Object.assign(Object.create(span), { [where]: fail });
          },
        };
      },
    };
  };

  it.each(['getTracer', 'startSpan', 'addEvent', 'setAttribute', 'setAttributes', 'setStatus', 'end', 'spanContext'])(
    'in %s changes no call, and is reported once for each hook',
    async (where) => {
      const hooks = opentelemetryHooks({ tracerProvider: broken(where), propagate: true });
      const emitted = await warningsOf(() =>
        scene({ client: { hooks } }, async ({ client, service }) => {
          for (let round = 0; round < 3; round++) {
            service.answers(status(503, now), status(409));
            expect(await failure(KEYED.invoke(client))).toMatchObject({
              response: { status: 409 },
              attempts: { count: 2 },
            });
            await KEYED.invoke(client);
          }
          expect(service.requests).toHaveLength(9);
        }),
      );
      const named = emitted.map(([text]) => /^the hook (\w+) given.*tracer is broken$/.exec(String(text))?.[1]);
      expect(named.length).toBeGreaterThan(0);
      expect(new Set(named).size).toBe(named.length);
    },
  );
});
