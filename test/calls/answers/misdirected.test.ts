import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { failure, GET, KEYED, scene, UNKEYED, WAYS } from '../../support/scene.js';
import { refuse, rightAnswer } from '../../support/service.js';

/** More than Node's HTTP server reads: it answers 431, and closes the connection. */
const unreadable = { headers: { 'x-trace': 'a'.repeat(20_000) } };

const html = { status: 403, body: '<html>forbidden</html>', headers: { connection: 'close' } };

describe.concurrent('a refusal that closes its connection', () => {
  it('is about its own request: calls beside it are answered, also a write that may not be repeated', () =>
    scene({ service: { nonces: 'any' } }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = (request) => ({ ...rightAnswer(request), delay: 200 });
      const writes = [KEYED, UNKEYED].map((kind) => kind.invoke(client, { maxRetries: 0 }));
      const large = failure(GET.invoke(client, unreadable));
      expect(await large).toMatchObject({ response: { status: 431 } });
      await Promise.all(writes);
    }));

  it.each(WAYS)('is believed, whether a gateway or the service gives it (%s)', (over) =>
    scene({ over, service: { nonces: 'any' } }, async ({ service, client }) => {
      await GET.invoke(client);
      for (const answer of [html, { ...html, headers: {} }, refuse(403, 'forbidden', { connection: 'close' })]) {
        service.script = (request) => (request.key === undefined ? rightAnswer(request) : { ...answer, delay: 50 });
        const save = failure(KEYED.invoke(client));
        const others = Array.from({ length: 3 }, () => GET.invoke(client, { maxRetries: 0 }));
        // A page of a proxy does not tell whether it has handed the request on.
        const outcome = answer.status === html.status && answer.body === html.body ? 'unknown' : 'not_applied';
        expect(await save).toMatchObject({ response: { status: 403 }, outcome, attempts: { count: 1 } });
        await Promise.all(others);
      }
    }),
  );
});

it('the sandbox gives nobody the refusal of a request that it cannot read', async () => {
  await using sandbox = createSandbox({ seed: 1, troubles: [{ does: { delayMs: 150 } }] });
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
});
