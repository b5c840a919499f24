import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AbortedError, TimeoutError } from '../../src/index.js';
import { eventually, failure, GET, KEYED, scene, UNKEYED } from '../support/scene.js';
import { type Answer, rightAnswer } from '../support/service.js';

const odd = { method: 'GET', path: '/v1/odd' } as const;

/** 4 MB in 400 pieces, for about two seconds and more. */
const streaming: Answer = { body: 'x'.repeat(4_000_000), chunked: true, trickle: { pieces: 400, every: 5 } };
/** A byte every ten milliseconds, for forty seconds. */
const trickling: Answer = { body: 'x'.repeat(4_000), trickle: { pieces: 4_000, every: 10 } };

describe.concurrent('an abandoned answer', () => {
  for (const [when, delay] of [
    ['before its head', 50],
    ['while its body comes', 0],
  ] as const) {
    it(`that goes on beyond maxResponseBytes, aborted ${when}: its connection is closed, the next calls succeed`, () =>
      scene({ client: { maxResponseBytes: 100_000 } }, async ({ service, client }) => {
        service.script = (request) => (request.path === odd.path ? { ...streaming, delay } : rightAnswer(request));
        const controller = new AbortController();
        const call = failure(client.request({ ...odd, signal: controller.signal }));
        await service.arrived(1);
        if (delay === 0) await sleep(10);
        controller.abort();
        expect(await call).toBeInstanceOf(AbortedError);
        await Promise.all([GET, KEYED, UNKEYED].map((kind) => kind.invoke(client)));
        // On the first connection the answer would have been drained to its end.
        expect(service.connections).toBe(2);
        expect(service.openConnections).toBe(1);
        expect(service.requests.filter(({ path }) => path === '/v1/things')).toHaveLength(1);
        expect(service.refused).toEqual([]);
        await eventually(() => client.stats().lanes[0]?.inFlight === 0, 'nothing is in flight');
      }));
  }

  it('that is small enough is drained: the connection stays', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => {
        if (request.path !== odd.path) return rightAnswer(request);
        return { body: 'x'.repeat(1_000), trickle: { pieces: 5, every: 10 } };
      };
      const controller = new AbortController();
      const call = failure(client.request({ ...odd, signal: controller.signal }));
      await service.arrived(1);
      controller.abort();
      await call;
      await Promise.all([GET, KEYED, UNKEYED].map((kind) => kind.invoke(client)));
      expect(service.connections).toBe(1);
    }));

  for (const ending of ['abort', 'timeout'] as const) {
    it(`that trickles for ever does not block the lane: ended by ${ending}`, () =>
      scene({ client: { attemptTimeout: 700, maxRetries: 0 } }, async ({ service, client }) => {
        service.script = (request) => (request.path === odd.path ? trickling : rightAnswer(request));
        const controller = new AbortController();
        const limit = ending === 'timeout' ? { timeout: 60 } : { signal: controller.signal };
        const call = failure(client.request({ ...odd, ...limit }));
        await service.arrived(1);
        await sleep(30);
        if (ending === 'abort') controller.abort();
        expect(await call).toBeInstanceOf(ending === 'abort' ? AbortedError : TimeoutError);
        const begun = performance.now();
        const patient = { attemptTimeout: 8_000, timeout: 8_000, maxRetries: 3 };
        await Promise.all([GET, KEYED, UNKEYED].map((kind) => kind.invoke(client, patient)));
        expect(performance.now() - begun).toBeLessThan(3_000);
        expect(service.requests.filter(({ path }) => path === '/v1/things')).toHaveLength(1);
        expect(service.refused).toEqual([]);
      }));
  }
});
