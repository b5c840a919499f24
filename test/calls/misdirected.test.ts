import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ForbiddenError } from '../../src/index.js';
import { createSandbox } from '../../src/sandbox/index.js';
import { expectSameCall, expectUniqueNonces, failure, GET, KEYED, scene } from '../support/scene.js';
import { refuse, rightAnswer } from '../support/service.js';

/** More than Node's HTTP server reads: it answers 431 at once, on a connection whose earlier requests it has not answered yet. */
const unreadable = { headers: { 'x-trace': 'a'.repeat(20_000) } };

const html = { status: 403, body: '<html>forbidden</html>', headers: { connection: 'close' } };

describe.concurrent('a refusal that closes a shared connection', () => {
  it('may be about the request of another call: the write before it is made again, with its key, and is no refusal', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = (request) => ({ ...rightAnswer(request), delay: 200 });
      const save = KEYED.invoke(client).withResponse();
      const large = failure(GET.invoke(client, unreadable));
      expect((await save).response.attempts).toBe(2);
      expect(await large).toMatchObject({ status: 431 });
      const saves = service.requests.filter(({ key }) => key !== undefined);
      expect(saves).toHaveLength(2);
      expectSameCall(saves, KEYED);
      expectUniqueNonces(service.requests);
    }));

  it('without a repeat its outcome is unknown', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = (request) => (request.key === undefined ? rightAnswer(request) : { ...html, delay: 100 });
      const save = failure(KEYED.invoke(client, { maxRetries: 1 }));
      const others = Array.from({ length: 3 }, () => GET.invoke(client));
      expect(await save).toBeInstanceOf(ForbiddenError);
      expect(await save).toMatchObject({ outcome: 'unknown' });
      // The second was alone: whatever it was answered was meant for it.
      expect((await save).attempts.failures.map(({ reason }) => reason)).toEqual(['lost', 'status']);
      await Promise.all(others);
    }));

  it('is believed when it has the service’s envelope', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      const answer = { ...refuse(403, 'forbidden', { connection: 'close' }), delay: 100 };
      service.script = (request) => (request.key === undefined ? rightAnswer(request) : answer);
      const save = failure(KEYED.invoke(client));
      const others = Array.from({ length: 3 }, () => GET.invoke(client));
      expect(await save).toMatchObject({ outcome: 'not_applied', attempts: { count: 1 } });
      await Promise.all(others);
    }));

  it('is believed when nothing else was on the connection', () =>
    scene({ answers: [html] }, async ({ client }) => {
      expect(await failure(KEYED.invoke(client))).toMatchObject({ outcome: 'not_applied', attempts: { count: 1 } });
    }));

  it('is believed when the connection stays open', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      const answer = { ...html, headers: {}, delay: 100 };
      service.script = (request) => (request.key === undefined ? rightAnswer(request) : answer);
      const save = failure(KEYED.invoke(client));
      await GET.invoke(client);
      expect(await save).toMatchObject({ outcome: 'not_applied', attempts: { count: 1 } });
    }));
});

it('the sandbox gives nobody the refusal of a request that it cannot read', async () => {
  const sandbox = createSandbox({ seed: 1, latency: 150 });
  const { url } = await sandbox.listen({ port: 0 });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answered: Buffer[] = [];
  socket.on('data', (chunk) => answered.push(chunk));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write('GET /v1/users/nobody HTTP/1.1\r\nhost: x\r\n\r\n');
  socket.write(`GET /v1/users/nobody HTTP/1.1\r\nhost: x\r\nx-trace: ${'a'.repeat(20_000)}\r\n\r\n`);
  await closed;
  expect(Buffer.concat(answered).toString()).toBe('');
  const response = await fetch(`${url}/v1/users/nobody`, { headers: unreadable.headers });
  expect(response.status).toBe(431);
  await sandbox.close();
});
