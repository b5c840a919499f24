import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConnectionError, PartnerClient, type RetryEvent } from '../../../src/index.js';
import { freePort } from '../../support/free-port.js';
import { expectSameCall, failure, KEYED, KINDS, scene } from '../../support/scene.js';
import { html, Service, status } from '../../support/service.js';
import { type Event, expectPredicted, OF_PROXIES } from '../support/retry-model.js';

const now = { 'retry-after': '0' };

const EVENTS: readonly Event[] = [
  ...(['reset', 'cut', 'stall', 'silent'] as const),
  ...[300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 408, 409, 410, 418, 422, 429, 499],
  ...[500, 501, 502, 503, 504, 505, 520],
  ...[
    ...[200, 401, 402, 403, 407, 408, 409, 410, 418, 421, 425, 428, 429, 451, 460, 499, ...OF_PROXIES],
    ...[500, 501, 502, 503, 504, 505, 520, 521, 522, 523, 524, 525, 526, 527, 530, 599],
  ].map((number) => `gateway ${number}` as const),
];

describe.concurrent('retrying, cell by cell of the tables in docs/calls/errors-and-retries.md', () => {
  // Full jitter of nothing: the waits cost no time here.
  beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
  afterAll(() => void vi.restoreAllMocks());

  // Long enough for a right answer on a busy machine.
  const options = { maxRetries: 1, attemptTimeout: 800 };

  describe.each(KINDS)('$name', (kind) => {
    it.each(EVENTS)('%s once', (event) => expectPredicted('http', kind, [event], options));
    it.each(EVENTS)('%s again and again', (event) => expectPredicted('http', kind, [event, event, event], options));
  });
});

// Not beside the table, whose calls have no backoff: here it gives the service time to begin to listen.
describe('a connection that is refused', () => {
  for (const kind of KINDS) {
    it(`${kind.name} is made again`, async () => {
      const service = new Service({ port: await freePort() });
      const { url: baseUrl, apiKey, apiSecret } = service;
      const listening: Promise<void>[] = [];
      const onRetry = () => {
        if (listening.length === 0) listening.push(service.listen());
      };
      const client = new PartnerClient({ baseUrl, apiKey, apiSecret, hooks: { onRetry } });
      try {
        const { response } = await kind.invoke(client).withResponse();
        expect(response.attempts).toBeGreaterThan(1);
        expect(service.requests).toHaveLength(1);
        expectSameCall(service.requests, kind);
      } finally {
        await Promise.all(listening);
        await service.close();
        await client.close();
      }
    });

    it(`to the end: ${kind.name} is not_applied`, async () => {
      await using client = new PartnerClient({
        baseUrl: `http://127.0.0.1:${await freePort()}`,
        apiKey: `closed-${kind.column}`,
        apiSecret: 'c2VjcmV0',
        maxRetries: 1,
      });
      const error = await failure(kind.invoke(client), ConnectionError, { outcome: 'not_applied' });
      const refused = { reason: 'not_sent', code: 'ECONNREFUSED' };
      expect(error.attempts).toMatchObject({ count: 2, failures: [refused, refused] });
    });
  }
});

describe.concurrent('the attempts of a call', () => {
  it.each(KINDS)('maxRetries 0: $name is exactly one request', (kind) =>
    scene({ answers: [status(429, now)] }, async ({ service, client }) => {
      const error = await failure(kind.invoke(client, { maxRetries: 0 }));
      expect(error).toMatchObject({ response: { status: 429 }, outcome: 'not_applied', attempts: { count: 1 } });
      expect(service.requests).toHaveLength(1);
    }),
  );

  it('a caller-given key is sent with every attempt', () =>
    scene({ answers: [status(503, now), { fault: 'reset' }] }, async ({ service, client }) => {
      const idempotencyKey = 'A0000000-0000-4000-8000-00000000000F';
      const { response } = await KEYED.invoke(client, { idempotencyKey }).withResponse();
      expect(service.requests.map(({ key }) => key)).toEqual([idempotencyKey, idempotencyKey, idempotencyKey]);
      expect(response.idempotencyKey).toBe(idempotencyKey);
    }));

  it('idempotent: true gives a generic write a key and repeats it', () =>
    scene({ answers: [status(503, now), { fault: 'reset' }] }, async ({ service, client }) => {
      await client.request({ method: 'POST', path: '/v1/things', body: { a: 1 }, idempotent: true });
      expectSameCall(service.requests, KEYED);
      expect(service.requests).toHaveLength(3);
    }));

  it('the hooks and the error tell each attempt by its status', () =>
    scene({}, async ({ service, connect }) => {
      const told: unknown[] = [];
      const onRetry = ({ reason, status: number, code }: RetryEvent) => told.push([reason, number, code]);
      service.answers({ ...html(502), headers: now }, status(503, now), { ...html(520), headers: now }, status(500));
      const error = await failure(KEYED.invoke(connect({ hooks: { onRetry } })));
      const repeated = [
        ['status', 502, undefined],
        ['status', 503, 'unavailable'],
        ['status', 520, undefined],
      ];
      expect(told).toEqual(repeated);
      expect(error.attempts.count).toBe(4);
      expect(error.attempts.failures.map(({ reason, status: number, code }) => [reason, number, code])).toEqual([
        ...repeated,
        ['status', 500, 'internal'],
      ]);
      expect(error.outcome).toBe('unknown');
    }));
});
