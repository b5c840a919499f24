import { setTimeout as sleep } from 'node:timers/promises';
import { context, metrics as globalMetrics, type MeterProvider, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { EndEvent } from '../../src/index.js';
import { opentelemetryHooks } from '../../src/opentelemetry/index.js';
import { warningsOf } from '../calls/support/recorder.js';
import { collectGarbage } from '../support/collect-garbage.js';
import { freePort } from '../support/free-port.js';
import { failure, GET, KEYED, scene } from '../support/scene.js';
import { status } from '../support/service.js';
import { histograms, numbers, only, registered, telemetry } from './support/telemetry.js';

registered();
afterEach(() => {
  globalMetrics.disable();
  trace.disable();
});

const now = { 'retry-after': '0' };

describe('the metrics', () => {
  it('count calls by outcome and error, and measure them with their attempts and requests', async () => {
    const told = telemetry();
    const hooks = opentelemetryHooks({ meterProvider: told.meterProvider });
    await scene({ client: { hooks } }, async ({ client, service }) => {
      const server = { 'server.address': '127.0.0.1', 'server.port': Number(new URL(service.url).port) };
      await GET.invoke(client);
      service.answers(status(503, now));
      await KEYED.invoke(client);
      service.answers(status(409));
      await failure(KEYED.invoke(client));
      const metrics = await told.metrics();
      expect([...metrics.keys()].sort()).toEqual([
        'http.client.request.duration',
        'partner_sdk.client.attempts',
        'partner_sdk.client.call.duration',
        'partner_sdk.client.call.queue_time',
        'partner_sdk.client.calls',
        'partner_sdk.client.lane.gap',
        'partner_sdk.client.retry_budget.available',
      ]);
      const get = { 'partner_sdk.operation': 'users.get', ...server };
      const save = { 'partner_sdk.operation': 'funds.withdrawalAddresses.save', ...server };
      const counted = numbers(metrics.get('partner_sdk.client.calls'));
      expect(counted.map(({ attributes, value }) => [attributes, value])).toEqual([
        [get, 1],
        [{ ...save, 'partner_sdk.outcome': 'applied' }, 1],
        [{ ...save, 'partner_sdk.outcome': 'not_applied', 'error.type': 'ConflictError' }, 1],
      ]);
      const durations = metrics.get('partner_sdk.client.call.duration');
      expect(durations?.descriptor.unit).toBe('s');
      expect(histograms(durations).map(({ value }) => value.count)).toEqual([1, 1, 1]);
      const attempts = metrics.get('partner_sdk.client.attempts');
      expect(attempts?.descriptor.unit).toBe('{attempt}');
      expect(numbers(attempts).map(({ attributes, value }) => [attributes, value])).toEqual([
        [get, 1],
        [save, 3],
      ]);
      const requests = metrics.get('http.client.request.duration');
      expect(requests?.descriptor.unit).toBe('s');
      const template = '/v1/accounts/{account_id}/funds/withdrawals/addresses';
      const post = { 'http.request.method': 'POST', ...server, 'url.template': template };
      expect(histograms(requests).map(({ attributes }) => attributes)).toEqual([
        {
          'http.request.method': 'GET',
          ...server,
          'url.template': '/v1/users/{user_id}',
          'http.response.status_code': 200,
        },
        { ...post, 'http.response.status_code': 503, 'error.type': '503' },
        { ...post, 'http.response.status_code': 200 },
        { ...post, 'http.response.status_code': 409, 'error.type': '409' },
      ]);
      expect(histograms(requests)[0]?.value.buckets.boundaries).toEqual([
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
      ]);
      expect(histograms(metrics.get('partner_sdk.client.call.queue_time')).map(({ value }) => value.count)).toEqual([
        1, 2,
      ]);
    });
  });

  it('measure a request without its wait in the lane, in seconds', async () => {
    const told = telemetry();
    const hooks = opentelemetryHooks({ meterProvider: told.meterProvider });
    await scene({ client: { hooks, nonceOrder: 'strict' } }, async ({ client, service }) => {
      const right = service.script;
      service.script = async (request) => ({ ...(await right(request)), delay: 40 });
      await Promise.all([1, 2, 3, 4].map(() => GET.invoke(client)));
    });
    const metrics = await told.metrics();
    const requests = only(histograms(metrics.get('http.client.request.duration'))).value;
    const queued = only(histograms(metrics.get('partner_sdk.client.call.queue_time'))).value;
    const calls = only(histograms(metrics.get('partner_sdk.client.call.duration'))).value;
    // One after the other: three waits of 40, 80 and 120 ms.
    expect(queued.sum).toBeGreaterThan(0.23);
    expect(requests.sum).toBeGreaterThan(0.15);
    // Were the waits in both of them, they would be more than the calls.
    expect((requests.sum ?? 0) + (queued.sum ?? 0)).toBeLessThan((calls.sum ?? 0) + 0.01);
  });

  it('count what the service refused because a later nonce came first', async () => {
    const told = telemetry();
    const hooks = opentelemetryHooks({ meterProvider: told.meterProvider });
    await scene({ client: { hooks } }, async ({ client, service }) => {
      const right = service.script;
      // The first of three is refused after the second has arrived.
      service.script = async (request) => {
        if (request.index !== 1) return right(request);
        await service.arrived(3);
        return status(401);
      };
      await GET.invoke(client);
      await Promise.all([GET.invoke(client), GET.invoke(client), GET.invoke(client)]);
      expect(client.stats().lanes[0]?.races).toBe(1);
    });
    const metrics = await told.metrics();
    expect(only(numbers(metrics.get('partner_sdk.client.lane.refusals'))).value).toBe(1);
  });

  it('tell of a connection that could not be opened, and of no request that was not made', async () => {
    const told = telemetry();
    const hooks = opentelemetryHooks({ meterProvider: told.meterProvider });
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    await scene({ client: { hooks, maxRetries: 0 } }, async ({ client }) => {
      await failure(client.withOptions({ baseUrl }).users.get('USER-0000-0000-0001'));
      await failure(GET.invoke(client, { signal: AbortSignal.abort() }));
      await failure(client.users.get('short'));
    });
    const metrics = await told.metrics();
    expect(only(histograms(metrics.get('http.client.request.duration'))).attributes).toMatchObject({
      'error.type': 'not_sent',
    });
    expect(numbers(metrics.get('partner_sdk.client.calls')).map(({ attributes }) => attributes['error.type'])).toEqual([
      ...['ConnectionError', 'AbortedError', 'RequestValidationError'],
    ]);
  });

  it('tell the gap of the lanes and the retry budget when they are collected', async () => {
    const told = telemetry();
    const hooks = opentelemetryHooks({ meterProvider: told.meterProvider });
    await scene({ client: { hooks } }, async ({ client, service }) => {
      service.answers(...Array.from({ length: 4 }, () => status(503, now)));
      await failure(GET.invoke(client));
      const { lanes, retryBudget } = client.stats();
      const other = client.withOptions({ timeout: 1_000 });
      const metrics = await told.metrics();
      expect(only(numbers(metrics.get('partner_sdk.client.lane.gap'))).value).toBeCloseTo((lanes[0]?.gap ?? 0) / 1000);
      expect(metrics.get('partner_sdk.client.lane.gap')?.descriptor.unit).toBe('s');
      // The least of all clients: the other one has its whole budget.
      expect(retryBudget.available).toBeLessThan(retryBudget.capacity);
      const budget = only(numbers(metrics.get('partner_sdk.client.retry_budget.available')));
      expect(budget.value).toBeLessThan(retryBudget.capacity);
      await other.close();
    });
  });

  it('do nothing without a provider, and leave hooks of the application as they are', async () => {
    const heard: string[] = [];
    const onEnd = ({ operation }: EndEvent) => heard.push(operation);
    const entered = vi.spyOn(context, 'with');
    const emitted = await warningsOf(() =>
      scene(
        { answers: [status(503, now)], client: { hooks: [opentelemetryHooks(), { onEnd }] } },
        async ({ client }) => {
          await KEYED.invoke(client);
        },
      ),
    );
    expect(heard).toEqual(['funds.withdrawalAddresses.save']);
    expect(emitted).toEqual([]);
    expect(entered).not.toHaveBeenCalled();
    entered.mockRestore();
  });

  it('begin with the next call when a provider is registered during one', async () => {
    const told = telemetry();
    await scene({ client: { hooks: opentelemetryHooks() } }, async ({ client }) => {
      const first = GET.invoke(client);
      globalMetrics.setGlobalMeterProvider(told.meterProvider);
      trace.setGlobalTracerProvider(told.tracerProvider);
      await first;
      expect(told.spans()).toEqual([]);
      await GET.invoke(client);
    });
    expect(told.ofOneCall()).toHaveLength(2);
    expect(only(numbers((await told.metrics()).get('partner_sdk.client.calls'))).value).toBe(1);
  });

  it('that fail change no call, and keep no span from being ended', async () => {
    const told = telemetry();
    const meterProvider = {
      getMeter: () => {
        throw new Error('meter is broken');
      },
    } as unknown as MeterProvider;
    const hooks = opentelemetryHooks({ tracerProvider: told.tracerProvider, meterProvider });
    const emitted = await warningsOf(() =>
      scene({ client: { hooks } }, async ({ client }) => {
        await GET.invoke(client);
        await GET.invoke(client);
      }),
    );
    expect(told.spans()).toHaveLength(4);
    expect(emitted.map(([text]) => String(text))).toEqual([
      expect.stringMatching(/^the hook onAttemptEnd .*meter is broken/),
      expect.stringMatching(/^the hook onEnd .*meter is broken/),
    ]);
  });

  it('do not keep clients that were never closed', async () => {
    const told = telemetry();
    const hooks = opentelemetryHooks({ meterProvider: told.meterProvider });
    await scene({ client: { hooks } }, async ({ client }) => {
      await GET.invoke(client);
      const made = () => new WeakRef(client.withOptions({ timeout: 1_000 }));
      const clients = [1, 2, 3].map(made);
      for (let turn = 0; turn < 5; turn++) {
        await sleep(5);
        collectGarbage();
      }
      expect(clients.map((one) => one.deref())).toEqual([undefined, undefined, undefined]);
    });
  });
});
