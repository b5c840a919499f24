import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import {
  nodeWebhookHandler,
  signWebhook,
  type WebhookHandlerOptions,
  webhookHandler,
} from '../../../src/webhooks/index.js';
import { executed, listening, recording, SECRET } from '../support/receiving.js';

const body = JSON.stringify(executed('evt_1'));
const headers = { ...signWebhook({ body, secret: SECRET }), 'Content-Length': body.length, Connection: 'close' };
const head = `POST / HTTP/1.1\r\nHost: a\r\n${Object.entries(headers)
  .map((pair) => `${pair.join(': ')}\r\n`)
  .join('')}\r\n`;

/** In ms. A limit that passes while the event loop is blocked. */
const LIMIT = 100;

function block(): void {
  const end = performance.now() + 2 * LIMIT;
  while (performance.now() < end);
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handles the requests of `node:http` as servers of the fetch standard do. */
function fetchStyle(options: WebhookHandlerOptions): Handle {
  const handler = webhookHandler(options);
  return async (request, response) => {
    const stream = Readable.toWeb(request) as ReadableStream<Uint8Array>;
    const given = { method: 'POST', headers: request.headers as Record<string, string>, body: stream, duplex: 'half' };
    response.writeHead((await handler(new Request('https://partner.test', given as RequestInit))).status).end();
  };
}

it.each([
  ['nodeWebhookHandler', nodeWebhookHandler as (options: WebhookHandlerOptions) => Handle],
  ['webhookHandler', fetchStyle],
])('a body that came while the event loop was blocked counts, although bodyTimeout passed (%s)', async (_, make) => {
  const { options, handled, rejected } = recording({ bodyTimeout: LIMIT });
  const handle = make(options);
  const server = createServer((request, response) => {
    void handle(request, response);
    sender.write(body);
    // In a later turn of the loop: by then the handler waits for the body.
    setImmediate(block);
  });
  const sender = new Socket();
  await listening(server, async (url) => {
    sender.connect(Number(new URL(url).port), '127.0.0.1', () => sender.write(head));
    expect(await text(sender)).toMatch(/^HTTP\/1.1 200 /);
  });
  expect(handled).toEqual(['evt_1']);
  expect(rejected).toEqual([]);
});
