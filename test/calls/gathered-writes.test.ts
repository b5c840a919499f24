import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { PartnerClient } from '../../src/index.js';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"data":{}}';

/** How often the client wrote to its sockets, for how many requests. */
async function writesOf(
  calls: (client: PartnerClient) => Promise<void>,
): Promise<{ requests: number; writes: number }> {
  let requests = 0;
  let writes = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      const arrived = piece.toString('latin1').split('\r\n\r\n').length - 1;
      requests += arrived;
      socket.write(ANSWER.repeat(arrived));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new PartnerClient({ baseUrl, apiKey: 'gathered', apiSecret: 'c2VjcmV0' });
  const watch = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    // What a stream calls for one chunk, and for all that have been gathered.
    for (const name of ['_write', '_writev'] as const) {
      const write = socket[name] as (...args: unknown[]) => void;
      Object.defineProperty(socket, name, {
        value(...args: unknown[]) {
          writes++;
          write.apply(socket, args);
        },
      });
    }
  };
  subscribe('net.client.socket', watch);
  try {
    await calls(client);
  } finally {
    unsubscribe('net.client.socket', watch);
    await client.close();
    server.close();
  }
  return { requests, writes };
}

const call = (client: PartnerClient) => client.request({ method: 'GET', path: '/v1/assets' });

describe('requests that are sent in one turn of the loop', () => {
  it('leave together, whether the connection was idle or has just answered', async () => {
    const twice = async (client: PartnerClient) => {
      await call(client);
      await call(client);
    };
    const made = await writesOf(async (client) => {
      await call(client);
      await Promise.all(Array.from({ length: 20 }, () => twice(client)));
    });
    expect(made).toEqual({ requests: 41, writes: 3 });
  });

  it('a single one leaves at once', async () => {
    const made = await writesOf(async (client) => {
      await call(client);
      await call(client);
    });
    expect(made).toEqual({ requests: 2, writes: 2 });
  });
});
