import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type AppliedEvent, type ClientEvent, ConfigurationError } from '../../../src/index.js';
import { ACCOUNT, failure, GET, KEYED, METHOD_ID, saveBody, scene } from '../../support/scene.js';
import { json, status } from '../../support/service.js';
import { type Hooks, recorder, warningsOf } from '../support/recorder.js';

const now = { 'retry-after': '0' };

describe('several hooks', () => {
  it('are called in their order, and the run of the first is outermost', async () => {
    const log: string[] = [];
    const named = (name: string): Hooks => ({
      async run({ kind }, next) {
        log.push(`${name} enters ${kind}`);
        await next();
        log.push(`${name} leaves ${kind}`);
      },
      onStart: () => void log.push(`${name} start`),
      onEnd: () => void log.push(`${name} end`),
    });
    const hooks = [named('a'), { onStart: () => void log.push('b start') }, named('c')];
    await scene({ client: { hooks } }, async ({ client }) => {
      await GET.invoke(client);
      await sleep(1);
    });
    expect(log.filter((line) => !line.includes('leaves'))).toEqual([
      ...['a enters call', 'c enters call', 'a start', 'b start', 'c start'],
      ...['a enters attempt', 'c enters attempt', 'a end', 'c end'],
    ]);
    expect(log.filter((line) => line.includes('leaves')).sort()).toEqual([
      ...['a leaves attempt', 'a leaves call', 'c leaves attempt', 'c leaves call'],
    ]);
  });

  it('do not suffer from one another: what one throws reaches neither the next nor the call', async () => {
    const { of, hooks } = recorder();
    const broken = () => {
      throw new Error('hook is broken');
    };
    const first: Hooks = { run: broken, onStart: broken, onEnd: broken, headers: broken, onClient: broken };
    const made: ClientEvent[] = [];
    const second: Hooks = { ...hooks, headers: () => ({ 'x-trace': '1' }), onClient: (event) => void made.push(event) };
    const emitted = await warningsOf(() =>
      scene({ client: { hooks: [first, second] } }, async ({ service, client }) => {
        await GET.invoke(client);
        expect(service.requests[0]?.headers['x-trace']).toBe('1');
      }),
    );
    expect([of('onStart').length, of('onEnd').length, made.length]).toEqual([1, 1, 1]);
    expect(emitted.map(([text]) => String(text).split(' given')[0]).sort()).toEqual([
      ...['the hook headers', 'the hook onClient', 'the hook onEnd', 'the hook onStart', 'the hook run'],
    ]);
  });

  it('stay with a client that is derived, and are refused when one of them is wrong', async () => {
    const { of, hooks } = recorder();
    await scene({ client: { hooks: [hooks, hooks] } }, async ({ client }) => {
      await using derived = client.withOptions({ timeout: 5_000 });
      await GET.invoke(derived);
      expect(of('onEnd')).toHaveLength(2);
      expect(() => client.withOptions({ hooks: [{}, { onEnd: 1 }] as unknown as Hooks })).toThrow(
        new ConfigurationError('hooks[1].onEnd must be a function'),
      );
    });
  });
});

describe('the hook headers', () => {
  it('adds to every attempt, and the request is signed as before', async () => {
    const hooks: Hooks = {
      headers: ({ callId, attempt }) => ({ Traceparent: `${callId}-${attempt}`, empty: undefined }),
    };
    await scene({ answers: [status(503, now)], client: { hooks } }, async ({ service, client }) => {
      await KEYED.invoke(client);
      expect(service.requests.map(({ signed }) => signed)).toEqual([true, true]);
      const sent = service.requests.map(({ headers }) => headers['traceparent']);
      expect(sent).toEqual([expect.stringMatching(/-1$/), expect.stringMatching(/-2$/)]);
      expect(service.requests[0]?.headers).not.toHaveProperty('empty');
    });
  });

  it('replaces no header of the client or the call', async () => {
    const hooks: Hooks = { headers: () => ({ 'x-team': 'hook', 'x-call': 'hook' }) };
    await scene({ client: { hooks, headers: { 'x-team': 'client' } } }, async ({ service, client }) => {
      await GET.invoke(client, { headers: { 'x-call': 'call' } });
      expect(service.requests[0]?.headers).toMatchObject({ 'x-team': 'client', 'x-call': 'call' });
    });
  });

  it.each<[string, () => unknown]>([
    ['a header of the SDK', () => ({ 'API-Key': 'other' })],
    ['the user agent', () => ({ 'User-Agent': 'other', 'x-a': 'b' })],
    ['a header of the connection', () => ({ host: 'elsewhere' })],
    ['a line break in a value', () => ({ 'x-a': 'b\r\napi-otp: 1' })],
    ['a wrong name', () => ({ 'a b': 'c' })],
    ['a promise', async () => ({ 'x-a': 'b' })],
    ['a text', () => 'x-a: b'],
  ])('that gives %s adds nothing, and a warning says so once, without the value', async (_, headers) => {
    const emitted = await warningsOf(() =>
      scene({ client: { hooks: { headers } as Hooks } }, async ({ service, client }) => {
        await KEYED.invoke(client);
        await KEYED.invoke(client);
        for (const request of service.requests) {
          expect(request.signed).toBe(true);
          expect(Object.keys(request.headers)).not.toContain('x-a');
          expect(request.headers['api-otp']).toBeUndefined();
        }
      }),
    );
    expect(emitted).toHaveLength(1);
    expect(emitted[0]?.[0]).toMatch(/^the hook headers given/);
    expect(String(emitted[0]?.[0])).not.toMatch(/elsewhere|api-otp: 1/);
  });
});

describe('the hook onApplied', () => {
  const applied = () => {
    const events: AppliedEvent[] = [];
    return { events, hooks: { onApplied: (event: AppliedEvent) => void events.push(event) } };
  };

  it('has the ids of what a write made or changed, of its answer and of its path, and none of its account', async () => {
    const { events, hooks } = applied();
    await scene({ client: { hooks } }, async ({ service, client }) => {
      const id = '018f4ab8-bfaf-7000-8000-000000000001';
      service.answers(json(200, { data: { id, status: 'executing', account_id: ACCOUNT } }), { status: 204 });
      await client.request({
        method: 'POST',
        path: '/v1/accounts/{account_id}/quotes/{quote_id}',
        params: { account_id: ACCOUNT, quote_id: 'q/1' },
      });
      await client.request({ method: 'DELETE', path: '/v1/webhooks/{webhook_id}', params: { webhook_id: 'hook-1' } });
    });
    expect(events.map(({ ids }) => ids)).toEqual([['018f4ab8-bfaf-7000-8000-000000000001', 'q/1'], ['hook-1']]);
  });

  it('is not called for a read, nor for a write that failed', async () => {
    const { events, hooks } = applied();
    await scene({ client: { hooks } }, async ({ service, client }) => {
      await GET.invoke(client);
      service.answers(status(409));
      await failure(KEYED.invoke(client));
      expect(events).toEqual([]);
      await client.funds.withdrawalAddresses.save(ACCOUNT, { ...saveBody, method_id: METHOD_ID });
    });
    expect(events).toHaveLength(1);
  });
});

describe('the hook onClient', () => {
  it('gets the statistics of each client with these hooks, until it is closed', async () => {
    const made: ClientEvent[] = [];
    await scene({ client: { hooks: { onClient: (event) => void made.push(event) } } }, async ({ client }) => {
      const derived = client.withOptions({ timeout: 1_000 });
      await GET.invoke(client);
      expect(made.map((event) => event.stats()?.succeeded)).toEqual([1, 0]);
      await derived.close();
      expect(made.map((event) => event.stats()?.succeeded)).toEqual([1, undefined]);
    });
    expect(made.map((event) => event.stats())).toEqual([undefined, undefined]);
  });
});
