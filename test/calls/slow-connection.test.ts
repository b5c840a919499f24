import { expect, it } from 'vitest';
import { PartnerClient, type Transport } from '../../src/index.js';

/** A transport whose connection takes a while before the bytes of the first request leave. */
function slowToConnect(milliseconds: number): Transport {
  const answer = new TextEncoder().encode(JSON.stringify({ data: 'here' }));
  return {
    name: 'slow',
    connect: () => ({
      pipelined: true,
      send: (_request, listener) => {
        setTimeout(() => {
          listener.onSent();
          listener.onHead(200, {});
          listener.onData(answer);
          listener.onEnd();
        }, milliseconds);
        return { abandon: () => {}, destroy: () => {} };
      },
      close: async () => {},
    }),
  };
}

it('a connection slower than attemptTimeout is waited for, also with an asynchronous signer and nonce source', async () => {
  const client = new PartnerClient({
    baseUrl: 'https://api.test',
    apiKey: 'key',
    transport: slowToConnect(250),
    attemptTimeout: 60,
    nonce: { next: async () => 1n },
    signer: { sign: async () => 'signature' },
  });
  const { data, response } = await client.request({ method: 'GET', path: '/v1/slow' }).withResponse();
  expect(data).toBe('here');
  expect(response.attempts).toBe(1);
  await client.close();
});
