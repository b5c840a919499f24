import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PartnerError, TimeoutError } from '../../../src/index.js';
import { failure, GET, KEYED, scene, WAYS } from '../../support/scene.js';
import { type Answer, json, rightAnswer, status, userOf } from '../../support/service.js';

const user = json(200, { data: userOf('USER-0000-0000-0001') });
const stalledHead: Answer = { fault: 'silent' };
/** Takes longer than any `attemptTimeout` here that is to end it. */
const trickle: Answer = { ...user, trickle: { pieces: 40, every: 50 } };
/** In ms: short enough to wait for, and long enough for a right answer on a busy machine. */
const SHORT = 800;
/** In ms: far below the times that the client takes by itself, 30 s for an attempt. */
const AT_ONCE = 10_000;

/** Milliseconds until the call ended. */
async function lasting(call: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await call.catch(() => undefined);
  return performance.now() - begun;
}

describe.concurrent.each(WAYS)('attemptTimeout covers one attempt, body included (%s)', (over) => {
  it('an answer whose end does not come in time is too slow, although its pieces come', () =>
    scene({ over, answers: [trickle] }, async ({ service, client }) => {
      const call = failure(GET.invoke(client, { attemptTimeout: SHORT, maxRetries: 0 }));
      expect(await lasting(call)).toBeLessThan(AT_ONCE);
      const error = await call;
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error.attempts).toMatchObject({ count: 1, failures: [{ reason: 'too_slow' }] });
      expect(service.requests).toHaveLength(1);
    }));

  it('starts when the bytes leave: waiting in the lane does not count', () =>
    scene({ over, client: { nonceOrder: 'strict', attemptTimeout: 1_200 } }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), delay: 250 });
      await Promise.all(Array.from({ length: 6 }, () => GET.invoke(client)));
      expect(service.requests).toHaveLength(6);
    }));

  it('an answer that comes in time is not cut, however many pieces it has', () =>
    scene({ over, answers: [trickle], client: { attemptTimeout: 8_000 } }, async ({ service, client }) => {
      expect(await GET.invoke(client)).toMatchObject({ type: 'individual' });
      expect(service.requests).toHaveLength(1);
    }));
});

describe.concurrent.each(WAYS)('timeout is the total over attempts and waits (%s)', (over) => {
  it('ends a call that would go on', () =>
    scene({ over, client: { attemptTimeout: 300, maxRetries: 10 } }, async ({ service, client }) => {
      service.script = () => stalledHead;
      const call = failure(KEYED.invoke(client, { timeout: 2_000 }));
      expect(await lasting(call)).toBeLessThan(AT_ONCE);
      const error = await call;
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error.outcome).toBe('unknown');
      expect(error.attempts.count).toBeGreaterThan(1);
      // The last attempt may have ended before the service saw it, or while it waited for its turn.
      expect(error.attempts.count - service.requests.length).toBeOneOf([0, 1]);
      expect(error.attempts.count - error.attempts.failures.length).toBeOneOf([0, 1]);
    }));

  it('no repeat is begun that cannot fit', () =>
    scene({ over, client: { maxRetries: 50 } }, async ({ service, client }) => {
      service.script = () => status(503);
      const begun = Date.now();
      const error = await failure(GET.invoke(client, { timeout: 800 }));
      const ended = Date.now();
      expect(error).toBeInstanceOf(PartnerError);
      expect(ended - begun).toBeLessThan(AT_ONCE);
      for (const request of service.requests) expect(request.at - begun).toBeLessThan(2_000);
      const count = service.requests.length;
      expect(error.attempts.count).toBe(count);
      await sleep(300);
      expect(service.requests).toHaveLength(count);
    }));

  it('ends a call in the queue, which is then never sent', () =>
    scene({ over, client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      const open = service.hold((request) => request.index === 0);
      const first = GET.invoke(client);
      await service.arrived(1);
      await failure(KEYED.invoke(client, { timeout: 100 }), TimeoutError, { outcome: 'not_applied' });
      open();
      await first;
      await GET.invoke(client);
      expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    }));
});

describe.concurrent('options of the call win over those of the client', () => {
  it('timeout, attemptTimeout and maxRetries', () =>
    scene({ client: { timeout: 50, attemptTimeout: 40, maxRetries: 0 } }, async ({ service, client }) => {
      service.script = (request) => (request.index === 0 ? status(503) : { ...rightAnswer(request), delay: 120 });
      const { response } = await GET.invoke(client, {
        timeout: 10_000,
        attemptTimeout: 5_000,
        maxRetries: 3,
      }).withResponse();
      expect(response.attempts).toBe(2);
    }));
});
