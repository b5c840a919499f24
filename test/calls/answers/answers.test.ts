import { describe, expect, it } from 'vitest';
import { ConnectionError, ResponseValidationError } from '../../../src/index.js';
import { failure, GET, KEYED, scene, USER } from '../../support/scene.js';
import { type Answer, json, rightAnswer, userOf } from '../../support/service.js';

describe.concurrent('JSON of another shape in a 2xx is a ResponseValidationError at once', () => {
  it.each<[string, Answer]>([
    ['no data', json(200, { result: 1 })],
    ['data of a wrong shape', json(200, { data: { ...userOf(USER), id: [] } })],
    ['null', json(200, null)],
    ['an array', json(200, [])],
    ['more values than are read', { body: `[${'0,'.repeat(300_000)}0]` }],
    ['more values than are read, cut short', { body: `[${'0,'.repeat(300_000)}` }],
  ])('%s', (_, answer) =>
    scene({ answers: [answer] }, async ({ service, client }) => {
      const error = await failure(GET.invoke(client), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'not_applied', operation: 'users.get', attempts: { count: 1 } });
      expect(error.notJson).toBe(false);
      expect((error as ResponseValidationError).issues.length).toBeGreaterThan(0);
      expect(service.requests).toHaveLength(1);
    }),
  );
});

describe.concurrent('a body larger than maxResponseBytes is refused while it is read', () => {
  const big = json(200, { data: { ...userOf(USER), more: 'x'.repeat(3_000_000) } });

  for (const [name, answer] of [
    ['by its length', big],
    ['in chunks', { ...big, chunked: true }],
  ] as const) {
    it(name, () =>
      scene({ answers: [answer], client: { maxResponseBytes: 100_000 } }, async ({ service, client }) => {
        await failure(GET.invoke(client), ResponseValidationError, { attempts: { count: 1 } });
        expect(service.requests).toHaveLength(1);
        expect(await GET.invoke(client)).toMatchObject({ id: USER });
      }),
    );

    it(`${name}: an error keeps its status`, () =>
      scene({ answers: [{ ...answer, status: 400 }], client: { maxResponseBytes: 100_000 } }, async ({ client }) => {
        expect(await failure(GET.invoke(client))).toMatchObject({ response: { status: 400 }, outcome: 'not_applied' });
      }));
  }

  it('exactly as large as allowed, it is read', () =>
    scene({}, async ({ service, connect }) => {
      const answer = json(200, { data: userOf(USER) });
      service.script = () => answer;
      const size = Buffer.byteLength(String(answer.body));
      expect(await GET.invoke(connect({ maxResponseBytes: size }))).toMatchObject({ id: USER });
      expect(await failure(GET.invoke(connect({ maxResponseBytes: size - 1 })))).toBeInstanceOf(
        ResponseValidationError,
      );
    }));

  it('of several megabytes, it is read by default', () =>
    scene({ answers: [{ ...big, chunked: true }] }, async ({ client }) => {
      expect(JSON.stringify(await GET.invoke(client)).length).toBeGreaterThan(3_000_000);
    }));
});

describe.concurrent('ways of the wire', () => {
  it('a connection lost after Early Hints is lost, not answered', () =>
    scene({ answers: [{ fault: 'reset', hints: true }] }, async ({ client }) => {
      const error = await failure(KEYED.invoke(client, { maxRetries: 0 }), ConnectionError);
      expect(error).toMatchObject({ outcome: 'unknown', attempts: { count: 1, failures: [{ reason: 'lost' }] } });
    }));

  it('a service that closes the connection after each answer: 40 parallel calls all succeed', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => {
        const answer = rightAnswer(request);
        return { ...answer, headers: { ...answer.headers, connection: 'close' } };
      };
      const calls = Array.from({ length: 40 }, (_, place) => (place % 2 ? KEYED : GET).invoke(client));
      await Promise.all(calls);
      const nonces = new Set(service.requests.map(({ nonce }) => nonce));
      expect(nonces.size).toBe(service.requests.length);
    }));

  it('an answer that is no HTTP is a ConnectionError', () =>
    scene({}, async ({ service, client }) => {
      service.script = () => ({ raw: 'SSH-2.0-OpenSSH_9.6\r\n' });
      await failure(KEYED.invoke(client, { maxRetries: 0 }), ConnectionError, { outcome: 'unknown' });
    }));
});
