import { createServer } from 'node:http';
import { expect, it, vi } from 'vitest';
import { ConnectionError, PartnerClient } from '../../src/index.js';
import { failure } from '../support/scene.js';
import { openings } from './support/openings.js';

vi.mock('../../src/transport/http1/undici-parts.js', () => ({
  undiciParts: () => {
    throw new Error("Cannot find module 'undici'");
  },
}));

const { closing, listen } = openings();

it('a call over HTTP/1.1 without an undici fails with the reason, and opens no second connection', async () => {
  let connections = 0;
  const server = createServer((_request, response) => response.end('{"data":{}}'));
  server.on('connection', () => connections++);
  const origin = await listen(server);
  const client = closing(new PartnerClient({ baseUrl: origin, apiKey: origin, apiSecret: 'c2VjcmV0', maxRetries: 0 }));
  const error = await failure(client.request({ method: 'GET', path: '/v1/things' }), ConnectionError);
  expect(error).toMatchObject({ outcome: 'not_applied' });
  expect(error.cause).toMatchObject({ message: 'no connection', cause: { message: "Cannot find module 'undici'" } });
  expect(connections).toBe(1);
});
