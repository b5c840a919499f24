import { mock } from 'node:test';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigurationError, fetchTransport, type PartnerClient } from '../../../src/index.js';
import { bytesOf, clientOver } from '../../support/fake-transport.js';
import { GET, KEYED, scene, UNKEYED, WAYS } from '../../support/scene.js';
import { status } from '../../support/service.js';
import { silenceWarning } from '../../support/silenced-warning.js';

silenceWarning('The MockTimers API is an experimental feature');

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
});

const manyCalls = (client: PartnerClient) =>
  Promise.all(Array.from({ length: 40 }, (_, place) => (place % 2 ? KEYED : GET).invoke(client)));

/** What the recipes of the documents let a test replace. */
const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;
const OF_NODE = ['setTimeout', 'setInterval', 'Date'] as const;

describe.each(WAYS)('while a test replaces the timers, but not setImmediate (%s)', (over) => {
  it.each([
    ['Vitest', () => void vi.useFakeTimers({ toFake: [...TIMERS] })],
    ['Vitest, as Jest does', () => void vi.useFakeTimers({ toFake: [...TIMERS, 'hrtime', 'queueMicrotask'] })],
    ['node:test', () => mock.timers.enable({ apis: [...OF_NODE] })],
  ])('calls are answered, and the client closes, though nobody advances the time: %s', (_, replace) =>
    scene({ over }, async ({ service, client }) => {
      replace();
      await manyCalls(client);
      await manyCalls(client);
      expect(service.requests.length - service.refused.length).toBe(80);
      await client.close();
    }),
  );

  it('the gap after a request that is not answered yet ends by itself', () =>
    scene({ over }, async ({ service, client }) => {
      const open = service.hold(({ key }) => key !== undefined);
      await GET.invoke(client);
      vi.useFakeTimers({ toFake: [...TIMERS] });
      const held = KEYED.invoke(client);
      await GET.invoke(client);
      open();
      await held;
    }));

  it('a retry waits for the time that the test advances', () =>
    scene({ over, answers: [status(503, { 'retry-after': '5' })] }, async ({ service, client }) => {
      vi.useFakeTimers({ toFake: [...TIMERS] });
      const call = GET.invoke(client).withResponse();
      await service.arrived(1);
      await expect.poll(() => client.stats().lanes[0]?.inFlight).toBe(0);
      await vi.advanceTimersByTimeAsync(4_900);
      expect(service.requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(200);
      expect((await call).response.attempts).toBe(2);
    }));

  it('an attempt is too slow, and then the call, after the time that the test advances', () =>
    scene({ over, client: { maxRetries: 0 } }, async ({ service, client }) => {
      service.hold(() => true);
      vi.useFakeTimers({ toFake: [...TIMERS] });
      const slow = expect(GET.invoke(client)).rejects.toThrow('attemptTimeout (10000 ms)');
      await service.arrived(1);
      await vi.advanceTimersByTimeAsync(10_000);
      await slow;
      const late = expect(GET.invoke(client, { attemptTimeout: 60_000 })).rejects.toThrow('timeout (30000 ms) passed');
      await service.arrived(2);
      await vi.advanceTimersByTimeAsync(30_000);
      await late;
    }));
});

describe.each([
  ['Vitest', () => void vi.useFakeTimers()],
  ['node:test', () => mock.timers.enable()],
])('while a test replaces setImmediate, too: %s', (_, replace) => {
  it('a call over HTTP/1.1 fails at once and says what to leave out, and the next one works again', () =>
    scene({ over: 'http' }, async ({ service, client }) => {
      await GET.invoke(client);
      replace();
      const failed = await UNKEYED.invoke(client).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(ConfigurationError);
      expect(failed).toMatchObject({ outcome: 'not_applied', message: expect.stringContaining('toFake') });
      expect(service.requests).toHaveLength(1);
      vi.useRealTimers();
      mock.timers.reset();
      await manyCalls(client);
    }));

  it('calls over HTTP/2 are answered', () =>
    scene({ over: 'http2' }, async ({ service, client }) => {
      replace();
      await manyCalls(client);
      await manyCalls(client);
      expect(service.requests.length - service.refused.length).toBe(80);
    }));
});

it('a setImmediate that something else has wrapped, such as a tracer, fails no call', () =>
  scene({ over: 'http' }, async ({ client }) => {
    const own = globalThis.setImmediate;
    const wrapped = (run: () => void) => own(run);
    vi.stubGlobal('setImmediate', wrapped);
    onTestFinished(() => void vi.unstubAllGlobals());
    await manyCalls(client);
    await manyCalls(client);
    expect(globalThis.setImmediate).toBe(wrapped);
  }));

describe('while a test replaces all timers, through fetchTransport', () => {
  const user = { id: 'USER-0000-0000-0001', type: 'individual', status: { state: 'ok', required_actions: [] } };
  const body = bytesOf({ data: { ...user, created_at: '2026-01-01T00:00:00Z', accounts: [] } });
  const server = setupServer(
    http.get('https://api.example.com/v1/users/:id', () => new HttpResponse(body, { headers: { 'x-from': 'msw' } })),
  );
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterAll(() => server.close());

  it('calls that MSW answers do not hang', async () => {
    await using client = clientOver(fetchTransport(), { baseUrl: 'https://api.example.com' });
    vi.useFakeTimers();
    const users = await Promise.all(Array.from({ length: 100 }, () => client.users.get(user.id)));
    expect(users.map(({ id }) => id)).toEqual(users.map(() => user.id));
  });
});
