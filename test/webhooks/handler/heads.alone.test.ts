import { once as emitted } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  nodeWebhookHandler,
  signWebhook,
  type WebhookHandlerOptions,
  webhookHandler,
} from '../../../src/webhooks/index.js';
import { gate, until } from '../../support/until.js';
import { executed, listening, recording, SECRET, STYLES, seconds, verificationClock } from '../support/receiving.js';

afterEach(() => void vi.restoreAllMocks());

const body = JSON.stringify(executed('evt_1'));
const signed = (timestampSeconds: number) => signWebhook({ body, secret: SECRET, timestampSeconds })['X-Signature'];

/** Heads that no body can make good, and why. */
const HOPELESS: readonly (readonly [string, Record<string, string>, string])[] = [
  ['no signature', {}, 'missing_header'],
  ['an empty signature', { 'X-Signature': ' ' }, 'missing_header'],
  ['another form of signature', { 'X-Signature': 'sha256=00' }, 'bad_format'],
  ['two times', { 'X-Signature': `t=1,${signed(seconds(0))}` }, 'bad_format'],
  ['a time that is past', { 'X-Signature': signed(seconds(-302)) }, 'too_old'],
  ['a time to come', { 'X-Signature': signed(seconds(302)) }, 'too_new'],
];

const nodeServer = (options: WebhookHandlerOptions): Server => {
  const handler = nodeWebhookHandler(options);
  return createServer((request, response) => void handler(request, response));
};
const SERVERS: readonly (readonly [string, (options: WebhookHandlerOptions) => Server])[] = [
  ['nodeWebhookHandler', nodeServer],
  ['webhookHandler in Hono', (options) => createServer(getRequestListener(webhookHandler(options)))],
];

const connections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

/** Opens a connection and sends a head whose body is larger than what comes. */
function sendHead(url: string, headers: Record<string, string>): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /webhooks HTTP/1.1\r\nHost: partner.test\r\nContent-Length: 1000000\r\n${lines.join('')}\r\n`);
  return socket;
}

describe('webhookHandler, given a request with', () => {
  it.each(HOPELESS)('%s, answers without a look at its body', async (_, headers, reason) => {
    const handler = webhookHandler(recording().options);
    let pulled = 0;
    const stream = new ReadableStream<Uint8Array>({ pull: () => void pulled++ }, { highWaterMark: 0 });
    const request = new Request('https://partner.test', { method: 'POST', headers, body: stream, duplex: 'half' });
    const response = await handler(request);
    expect([response.status, await response.text()]).toEqual([400, reason]);
    expect([pulled, request.bodyUsed]).toEqual([0, false]);
  });
});

describe('nodeWebhookHandler, given a request with', () => {
  it.each(HOPELESS)('%s, answers without a look at its body', async (_, headers, reason) => {
    const handler = nodeWebhookHandler(recording().options);
    const listened: string[] = [];
    const answered: unknown[] = [];
    const request = { method: 'POST', headers, on: (event: string) => listened.push(event), off: () => {} };
    const open = { headersSent: false, destroyed: false, writeHead: () => {} };
    const response = { ...open, end: (word: string) => answered.push(word) };
    await handler(request, response);
    expect([answered, listened]).toEqual([[reason], []]);
  });
});

describe.each(SERVERS)('%s, behind a server', (_, serve) => {
  it('answers a hundred senders without signature at once, whose bodies have not come, and holds no connection', async () => {
    const { options, rejected } = recording();
    const server = serve(options);
    await listening(server, async (url) => {
      const sockets = Array.from({ length: 100 }, () => sendHead(url, {}));
      for (const socket of sockets) socket.write(Buffer.alloc(500_000));
      const answers = await Promise.all(sockets.map((socket) => text(socket)));
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 400 .*missing_header/s);
      expect(rejected.map(({ reason }) => reason)).toEqual(Array(100).fill('missing_header'));
      await until(async () => (await connections(server)) === 0);
    });
  });

  it('gets its answer to a sender that is still sending', async () => {
    await listening(serve(recording().options), async (url) => {
      const response = await fetch(url, { method: 'POST', body: Buffer.alloc(20_000_000) });
      expect([response.status, await response.text()]).toEqual([400, 'missing_header']);
    });
  });

  it('keeps the connection of a sender whose body has come', async () => {
    await listening(serve(recording().options), async (url) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const request = 'POST /webhooks HTTP/1.1\r\nHost: partner.test\r\nContent-Length: 2\r\n\r\n{}';
      let answers = '';
      socket.on('data', (data) => {
        answers += data;
      });
      socket.write(request);
      await until(() => answers.split('missing_header').length === 2);
      socket.write(request);
      await until(() => answers.split('missing_header').length === 3);
      socket.destroy();
    });
  });
});

describe('nodeWebhookHandler, behind a server', () => {
  it('ends its side of the connection with the answer, and the other side when the sender goes on for too long', async () => {
    const server = nodeServer(recording().options);
    await listening(server, async (url) => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      socket.write('POST /webhooks HTTP/1.1\r\nHost: partner.test\r\nTransfer-Encoding: chunked\r\n\r\n');
      const start = performance.now();
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      await emitted(socket, 'end');
      expect(answer).toMatch(/^HTTP\/1.1 400 .*connection: close.*missing_header$/s);
      expect(performance.now() - start).toBeLessThan(1_500);
      expect(await connections(server)).toBe(1);
      const sending = setInterval(() => socket.write('1\r\nx\r\n'), 10);
      await until(async () => (await connections(server)) === 0);
      clearInterval(sending);
      socket.destroy();
    });
  });

  it('gives the answers before it on the same connection their time', async () => {
    const work = gate();
    const handler = nodeWebhookHandler(recording({ onEvent: () => work.opened }).options);
    let requests = 0;
    const server = createServer((request, response) => {
      requests++;
      void handler(request, response);
    });
    await listening(server, async (url) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const line = 'POST /webhooks HTTP/1.1\r\nHost: partner.test\r\n';
      socket.write(`${line}X-Signature: ${signed(seconds(0))}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      socket.write(`${line}Content-Length: 10\r\n\r\n`);
      const answers = text(socket);
      await until(() => requests === 2);
      setTimeout(work.open, 50);
      expect(await answers).toMatch(/^HTTP\/1.1 200 .*ok.*HTTP\/1.1 400 .*missing_header$/s);
    });
  });
});

describe.each(STYLES)('%s: the time of a delivery', (_, style) => {
  it('is judged again when its body has come: a slow sender does not make an old delivery fresh', async () => {
    const timestamp = 1_800_000_000;
    const times = [timestamp + 300, timestamp + 301];
    const { options, rejected } = recording();
    verificationClock(() => (times.shift() ?? 0) * 1000);
    await style(options, async (send) => {
      const answer = await send({ body, headers: { 'X-Signature': signed(timestamp) } });
      expect(answer).toEqual({ status: 400, word: 'too_old' });
      expect([times, rejected]).toMatchObject([[], [{ reason: 'too_old' }]]);
    });
  });
});
