import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AbortedError, ConnectionError, PartnerClient, TimeoutError } from '../../../src/index.js';
import { failure, GET, KEYED, type Kind, scene, UNKEYED, WAYS } from '../../support/scene.js';
import { type Answer, json, status } from '../../support/service.js';

const whole = json(200, { data: { key: 'cold', tag: null, more: 'x'.repeat(200) } });
const stall: Answer = { ...whole, fault: 'stall' };
const silent: Answer = { fault: 'silent' };

describe.concurrent.each(WAYS)('what ends a call between its attempts (%s)', (over) => {
  it('aborted after a 503: a write is unknown', () =>
    scene({ over, answers: [status(503, { 'retry-after': '20' })] }, async ({ service, client }) => {
      const controller = new AbortController();
      const call = failure(KEYED.invoke(client, { signal: controller.signal }));
      await service.arrived(1);
      setTimeout(() => controller.abort(), 100);
      const error = await call;
      expect(error).toBeInstanceOf(AbortedError);
      expect(error).toMatchObject({ outcome: 'unknown', attempts: { count: 1 } });
      expect(error.idempotencyKey).toBe(service.requests[0]?.key);
    }));

  const inFlight: readonly (readonly [Kind, Answer, string])[] = [
    [GET, silent, 'not_applied'],
    [KEYED, silent, 'unknown'],
    [KEYED, stall, 'applied'],
    [GET, stall, 'not_applied'],
  ];
  for (const [kind, answer, outcome] of inFlight) {
    const where = answer === stall ? 'in the body of a 2xx' : 'in flight';
    it(`deadline ${where}: ${kind.name} is ${outcome}`, () =>
      scene({ over, answers: [answer] }, async ({ service, client }) => {
        await failure(kind.invoke(client, { timeout: 1_000 }), TimeoutError, { outcome });
        expect(service.requests).toHaveLength(1);
      }));
  }
});

describe.concurrent('no byte is sent', () => {
  it('TLS that fails is not_applied, and tried again', () =>
    scene({}, async ({ service, connect }) => {
      const client = connect({ baseUrl: service.url.replace('http:', 'https:'), maxRetries: 1 });
      for (const kind of [GET, KEYED, UNKEYED]) {
        const error = await failure(kind.invoke(client), ConnectionError, { outcome: 'not_applied' });
        expect(error.attempts.failures.map(({ reason }) => reason)).toEqual(['not_sent', 'not_sent']);
      }
      expect(service.requests).toHaveLength(0);
    }));

  it('TLS that never comes about ends with the deadline, not_applied', async () => {
    const silence = createServer();
    await new Promise<void>((resolve) => silence.listen(0, '127.0.0.1', resolve));
    const { port } = silence.address() as AddressInfo;
    const client = new PartnerClient({ baseUrl: `https://127.0.0.1:${port}`, apiKey: 'tls', apiSecret: 'c2VjcmV0' });
    const ends = await Promise.all([KEYED, UNKEYED].map((kind) => failure(kind.invoke(client, { timeout: 300 }))));
    for (const end of ends) {
      expect(end).toBeInstanceOf(TimeoutError);
      expect(end.outcome).toBe('not_applied');
    }
    await client.close();
    silence.close();
  });
});
