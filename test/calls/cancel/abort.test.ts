import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AbortedError, fetchTransport } from '../../../src/index.js';
import { clientOver } from '../../support/fake-transport.js';
import { failure, GET, KEYED, KINDS, SAFE, scene, WAYS } from '../../support/scene.js';
import { type Answer, json, status, userOf } from '../../support/service.js';
import { until } from '../../support/until.js';
import { settlesAtOnce } from '../support/at-once.js';

const stalledBody: Answer = { ...json(200, { data: userOf('USER-0000-0000-0001') }), fault: 'stall' };

class Reason extends Error {}

/** Aborts and expects the call to end at once, with the signal's reason as cause. */
async function aborts(controller: AbortController, call: Promise<unknown>): Promise<AbortedError> {
  const reason = new Reason('enough');
  const ended = failure(call);
  controller.abort(reason);
  expect(await settlesAtOnce(ended), 'it ends at once').toBe(true);
  const error = await ended;
  expect(error).toBeInstanceOf(AbortedError);
  expect(error.cause).toBe(reason);
  return error;
}

describe.concurrent.each(WAYS)('abort ends the call promptly (%s)', (over) => {
  it.each(KINDS)('before the start: $name is never sent', (kind) =>
    scene({ over }, async ({ service, client }) => {
      const reason = new Reason('never');
      const error = await failure(kind.invoke(client, { signal: AbortSignal.abort(reason) }), AbortedError);
      expect(error.cause).toBe(reason);
      expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 0, failures: [] } });
      await sleep(50);
      expect(service.requests).toHaveLength(0);
    }),
  );

  it('in the same turn as the start: never sent', () =>
    scene({ over }, async ({ service, client }) => {
      const controller = new AbortController();
      const error = await aborts(controller, KEYED.invoke(client, { signal: controller.signal }));
      await sleep(50);
      expect(service.requests).toHaveLength(0);
      expect(error.outcome).toBe('not_applied');
    }));

  it('in the queue: never sent, and the next call is not held up', () =>
    scene({ over, client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      const open = service.hold((request) => request.index === 0);
      const first = GET.invoke(client);
      await service.arrived(1);
      const controller = new AbortController();
      const queued = KEYED.invoke(client, { signal: controller.signal });
      const last = GET.invoke(client);
      await sleep(30);
      const error = await aborts(controller, queued);
      expect(error).toMatchObject({ outcome: 'not_applied' });
      open();
      await Promise.all([first, last]);
      await sleep(30);
      expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    }));

  it.each([
    [GET, 'not_applied'],
    [KEYED, 'applied'],
  ])('during the body: $0.name is $1', (kind, outcome) =>
    scene({ over, answers: [stalledBody] }, async ({ service, client }) => {
      const controller = new AbortController();
      const call = kind.invoke(client, { signal: controller.signal });
      call.catch(() => undefined);
      await service.arrived(1);
      // The head of the answer comes before that, also on a busy machine.
      await sleep(500);
      const error = await aborts(controller, call);
      expect(error).toMatchObject({ outcome, attempts: { count: 1 } });
      expect(service.requests).toHaveLength(1);
    }),
  );

  it.each(SAFE)('in back-off: $name', (kind) =>
    scene({ over, answers: [status(429, { 'retry-after': '10' })] }, async ({ service, client }) => {
      const controller = new AbortController();
      const call = kind.invoke(client, { signal: controller.signal });
      call.catch(() => undefined);
      await service.arrived(1);
      await until(() => client.stats().lanes[0]?.inFlight === 0, 'the answer has come');
      const error = await aborts(controller, call);
      expect(error.outcome).toBe('not_applied');
      expect(error.attempts).toMatchObject({ count: 1, failures: [{ reason: 'status', status: 429 }] });
      await sleep(50);
      expect(service.requests).toHaveLength(1);
    }),
  );
});

describe.each(WAYS)('listeners (%s)', (over) => {
  it('50 calls at once on one signal give no warning of a leak', () =>
    scene({ over }, async ({ client }) => {
      const { signal } = new AbortController();
      const warnings: string[] = [];
      const onWarning = ({ name }: Error) => warnings.push(name);
      process.on('warning', onWarning);
      await Promise.all(Array.from({ length: 50 }, () => GET.invoke(client, { signal })));
      await new Promise((resolve) => setTimeout(resolve, 10));
      process.off('warning', onWarning);
      expect(warnings).toEqual([]);
    }));
});

it('a hook that aborts as the bytes leave: a write that was handed to fetch may have had its effect', async () => {
  const controller = new AbortController();
  let sent = 0;
  const transport = fetchTransport({ fetch: async () => new Response(`{"data":${++sent}}`) });
  await using client = clientOver(transport, { hooks: { onRequest: () => controller.abort() } });
  const call = client.request({ method: 'POST', path: '/v1/orders', body: {}, signal: controller.signal });
  expect((await failure(call)).outcome).toBe('unknown');
  expect(sent).toBe(1);
});

it.each(WAYS)('a hook that aborts as the bytes leave tells the truth on a warm connection (%s)', (over) => {
  const controller = new AbortController();
  let armed = false;
  const hooks = { onRequest: () => armed && controller.abort() };
  return scene({ over, client: { hooks } }, async ({ service, client }) => {
    await GET.invoke(client);
    armed = true;
    const error = await failure(KEYED.invoke(client, { signal: controller.signal }));
    await sleep(50);
    expect(error).toBeInstanceOf(AbortedError);
    if (service.requests.length > 1) expect(error.outcome).toBe('unknown');
    armed = false;
    await GET.invoke(client);
  });
});
