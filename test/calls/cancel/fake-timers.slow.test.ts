import { mock } from 'node:test';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { fetchTransport, type PartnerClient } from '../../../src/index.js';
import { bytesOf, clientOver } from '../../support/fake-transport.js';
import { GET, KEYED, scene, WAYS } from '../../support/scene.js';
import { status } from '../../support/service.js';
import { silenceWarning } from '../../support/silenced-warning.js';

silenceWarning('The MockTimers API is an experimental feature');

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
});

const manyCalls = (client: PartnerClient) =>
  Promise.all(Array.from({ length: 40 }, (_, place) => (place % 2 ? KEYED : GET).invoke(client)));

describe.each(WAYS)('while a test replaces all that Vitest does by default (%s)', (over) => {
  it('the gap after a request that is not answered yet ends by itself', () =>
    scene({ over }, async ({ service, client }) => {
      const open = service.hold(({ key }) => key !== undefined);
      await GET.invoke(client);
      vi.useFakeTimers();
      const held = KEYED.invoke(client);
      await GET.invoke(client);
      open();
      await held;
    }));

  it('a repeat waits for the time that the test advances', () =>
    scene({ over, answers: [status(503, { 'retry-after': '5' })] }, async ({ service, client }) => {
      vi.useFakeTimers();
      const call = GET.invoke(client).withResponse();
      await service.arrived(1);
      await expect.poll(() => client.stats().lanes[0]?.inFlight).toBe(0);
      await vi.advanceTimersByTimeAsync(4_900);
      expect(service.requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(200);
      expect((await call).response.attempts).toBe(2);
    }));
});

describe.each(WAYS)('while a test replaces all that node:test does by default (%s)', (over) => {
  it('calls are answered though nobody ticks, on a cold client and on a warm one', () =>
    scene({ over }, async ({ service, client }) => {
      mock.timers.enable();
      await manyCalls(client);
      await manyCalls(client);
      expect(service.requests.length - service.refused.length).toBe(80);
    }));
});

describe.each(WAYS)('while a test replaces all that Jest does by default, but nextTick (%s)', (over) => {
  const toFake = [
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'Date',
    'performance',
    'hrtime',
  ] as const;

  it('calls are answered, and the client closes, though nobody advances the time', () =>
    scene({ over }, async ({ service, client }) => {
      vi.useFakeTimers({ toFake: [...toFake] });
      await manyCalls(client);
      await manyCalls(client);
      expect(service.requests.length - service.refused.length).toBe(80);
      await client.close();
      vi.useRealTimers();
    }));
});

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
