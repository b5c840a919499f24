import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fetchTransport, PartnerClient } from '../../src/index.js';
import { answerWith, bytesOf, fakeTransport } from '../support/fake-transport.js';
import { failure, GET, gate, KEYED, scene, UNKEYED } from '../support/scene.js';
import { rightAnswer } from '../support/service.js';

describe.concurrent('calls that another one’s failure broke', () => {
  it('take nothing from the retry budget: all succeed when every connection of many API keys is reset at once', () =>
    scene({}, async ({ service, connect }) => {
      const credentials = Array.from({ length: 10 }, () => ({ apiKey: randomUUID(), apiSecret: service.apiSecret }));
      for (const { apiKey, apiSecret } of credentials) service.secrets.set(apiKey, apiSecret);
      const client = connect({ credentials });
      await Promise.all(credentials.map(() => GET.invoke(client)));
      const { opened, open } = gate();
      service.script = async (request) => ({ ...rightAnswer(request), hold: opened });
      const calls = Array.from({ length: 640 }, () => KEYED.invoke(client));
      await service.arrived(650);
      service.resetAll();
      open();
      service.script = rightAnswer;
      await Promise.all(calls);
      expect(client.stats()).toMatchObject({ failed: 0, retryBudget: { available: 500 } });
    }));
});

it.each([undefined, 500])(
  'a hung write that went alone does not hold up the others once its caller is gone (timeout %s)',
  (timeout) =>
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
  const options = { baseUrl: 'http://localhost', apiKey: 'key', apiSecret: 'c2VjcmV0', transport };
  const client = new PartnerClient({ ...options, nonce: { next: () => 1n, close } });
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
  scene({ client: { transport: fetchTransport() } }, async ({ service, client }) => {
    await GET.invoke(client);
    const { opened, open } = gate();
    service.script = async (request) => ({ ...rightAnswer(request), hold: opened });
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
