import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fetchTransport } from '../../../src/index.js';
import type { CoordinatedNonceSource } from '../../../src/signing/nonce.js';
import { answerWith, bytesOf, clientOver, fakeTransport } from '../../support/fake-transport.js';
import { failure, GET, KEYED, scene, UNKEYED } from '../../support/scene.js';
import { rightAnswer } from '../../support/service.js';

describe.concurrent.each([
  // A session takes all of its streams with it: that is one failure.
  ['http2', 64],
  // Connections with one call each fail each by themselves, and their repeats come out of the budget.
  ['http', 40],
] as const)('every connection of ten API keys is reset at once (%s)', (over, callsPerKey) => {
  it('all calls succeed, and the retry budget is full again', () =>
    scene({ over, service: { nonces: 'any' } }, async ({ service, connect }) => {
      const credentials = Array.from({ length: 10 }, () => ({ apiKey: randomUUID(), apiSecret: service.apiSecret }));
      for (const { apiKey, apiSecret } of credentials) service.secrets.set(apiKey, apiSecret);
      const client = connect({ credentials });
      await Promise.all(credentials.map(() => GET.invoke(client)));
      const open = service.hold();
      // Reads are spread evenly over the API keys, keyed writes by the hashes of their keys.
      const calls = Array.from({ length: 10 * callsPerKey }, () => GET.invoke(client));
      await service.arrived(10 + 10 * callsPerKey);
      service.resetAll();
      open();
      service.script = rightAnswer;
      await Promise.all(calls);
      expect(client.stats()).toMatchObject({ failed: 0, retryBudget: { available: 500 } });
    }));
});

it.each([undefined, 500])('a hung write that may not be repeated does not hold up the others (timeout %s)', (timeout) =>
  scene({}, async ({ service, client }) => {
    await GET.invoke(client);
    service.script = (request) => (request.path === '/v1/things' ? { fault: 'silent' } : rightAnswer(request));
    const controller = new AbortController();
    const hung = failure(UNKEYED.invoke(client, { signal: controller.signal, ...(timeout && { timeout }) }));
    await service.arrived(2);
    if (timeout === undefined) controller.abort();
    const begun = performance.now();
    await GET.invoke(client);
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(await hung).toMatchObject({ outcome: 'unknown' });
  }),
);

it('what was shared is given back also when the transport cannot close', async () => {
  let closed = 0;
  const close = async () => {
    closed += 1;
  };
  const transport = fakeTransport(
    (listener) => answerWith(listener, bytesOf({ data: 1 })),
    () => Promise.reject(new Error('stuck')),
  );
  const source: CoordinatedNonceSource = { next: () => 1n, close };
  const client = clientOver(transport, { nonce: source });
  expect(await client.request({ method: 'GET', path: '/v1/x' })).toBe(1);
  await expect(client.close()).rejects.toThrow('stuck');
  expect(closed).toBe(1);
});

it.each([
  ['connect', 'not_applied', 4],
  ['read', 'unknown', 1],
] as const)('fetch: "host unreachable" of %s makes a write %s', (syscall, outcome, attempts) =>
  scene({}, async ({ connect }) => {
    const unreachable = () =>
      Promise.reject(
        new TypeError('fetch failed', {
          cause: Object.assign(new Error('no route'), { code: 'EHOSTUNREACH', syscall }),
        }),
      );
    const error = await failure(UNKEYED.invoke(connect({ transport: fetchTransport({ fetch: unreachable }) })));
    expect(error).toMatchObject({ outcome, attempts: { count: attempts } });
  }),
);

it('fetch: one signal that aborts many begins none of those that wait', () =>
  scene({ client: { transport: fetchTransport() }, service: { nonces: 'any' } }, async ({ service, client }) => {
    await GET.invoke(client);
    const open = service.hold();
    const controller = new AbortController();
    const calls = Array.from({ length: 100 }, () => failure(KEYED.invoke(client, { signal: controller.signal })));
    const width = 64;
    await service.arrived(1 + width);
    controller.abort();
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'unknown')).toHaveLength(width);
    expect(outcomes.filter((outcome) => outcome === 'not_applied')).toHaveLength(100 - width);
    open();
    expect(service.requests).toHaveLength(1 + width);
  }));
