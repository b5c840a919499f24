import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server, connect as http2Connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError, nodeWebhookHandler, signWebhook, webhookHandler } from '../../../src/webhooks/index.js';
import { until } from '../../support/until.js';
import { executed, listening, recording, SECRET } from '../support/receiving.js';

const body = JSON.stringify(executed('evt_1'));
const headers = { 'content-type': 'application/json', ...signWebhook({ body, secret: SECRET }) };

type Program = ReturnType<typeof recording>;
type Build = (options: Program['options']) => RequestListener | Promise<RequestListener>;

const withExpress =
  (before: express.RequestHandler[]): Build =>
  (options) =>
    express().post('/webhooks', ...before, nodeWebhookHandler(options));

/** With a parser, and the request that the handler is given. */
const withFastify =
  (parse: (app: FastifyInstance) => unknown, given: (request: FastifyRequest) => object): Build =>
  async (options) => {
    const app = fastify();
    const receive = nodeWebhookHandler(options);
    parse(app);
    app.post('/webhooks', (request, reply) => receive(given(request) as never, reply.hijack().raw));
    await app.ready();
    return app.routing;
  };
const itself = (request: FastifyRequest) => request;
const raw = (request: FastifyRequest) => request.raw;

const withHono =
  (before: (request: Hono) => unknown): Build =>
  (options) => {
    const app = new Hono();
    before(app);
    const receive = webhookHandler(options);
    return getRequestListener(app.post('/webhooks', (c) => receive(c.req.raw)).fetch);
  };

const withItsParser = (_: FastifyInstance) => {};
const asBuffer = (app: FastifyInstance) =>
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, raw, done) => done(null, raw));
const unread = (app: FastifyInstance) =>
  app.addContentTypeParser('application/json', (_request, _payload, done) => done(null));

const RIGHT: [string, Build][] = [
  ['Express', withExpress([])],
  ['Express with express.raw()', withExpress([express.raw({ type: 'application/json' })])],
  ['Express with express.text()', withExpress([express.text({ type: 'application/json' })])],
  [
    'Express with express.json() that keeps rawBody',
    withExpress([express.json({ verify: (request, _, rawBody) => void Object.assign(request, { rawBody }) })]),
  ],
  ['Express with a parser for other content types', withExpress([express.json({ type: 'application/other' })])],
  ['Fastify with a buffer parser', withFastify(asBuffer, itself)],
  ['Fastify with a parser that reads nothing', withFastify(unread, raw)],
  ['Hono', withHono(() => {})],
];

const WRONG: [string, Build][] = [
  ['Express after express.json()', withExpress([express.json()])],
  ['Fastify with its own JSON parser', withFastify(withItsParser, itself)],
  ["Fastify with its own JSON parser, and Node's request", withFastify(withItsParser, raw)],
  [
    'Hono after c.req.json()',
    withHono((app) =>
      app.use(async (c, next) => {
        await c.req.json();
        await next();
      }),
    ),
  ],
];

async function run(build: Build, use: (url: string, program: Program) => Promise<void>): Promise<void> {
  const made = recording();
  const server = createServer(await build(made.options));
  await listening(server, (url) => use(url, made));
}

describe.each(RIGHT)('%s', (_, build) => {
  it('handles a delivery once, however often it comes', () =>
    run(build, async (url, { handled, rejected, errors }) => {
      for (let time = 0; time < 3; time++) {
        const response = await fetch(url, { method: 'POST', body, headers });
        expect([response.status, await response.text()]).toEqual([200, 'ok']);
      }
      expect([handled, rejected, errors]).toEqual([['evt_1'], [], []]);
    }));

  it('refuses a delivery that was changed by one byte', () =>
    run(build, async (url, { handled, rejected }) => {
      const response = await fetch(url, { method: 'POST', body: body.replace('q-1', 'q-2'), headers });
      expect([response.status, await response.text()]).toEqual([400, 'bad_signature']);
      expect(rejected).toMatchObject([{ reason: 'bad_signature' }]);
      expect(handled).toEqual([]);
    }));

  it('refuses a body that is too large, by itself or by its handler', () =>
    run(build, async (url, { handled }) => {
      const response = await fetch(url, { method: 'POST', body: 'x'.repeat(2 * 1024 * 1024), headers });
      await response.text();
      expect(response.status).toBe(413);
      expect(handled).toEqual([]);
    }));
});

describe.each(WRONG)('%s', (_, build) => {
  it('answers 500, so that the delivery comes again, and tells the program what to do', () =>
    run(build, async (url, { handled, rejected, errors }) => {
      expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(500);
      expect([handled, rejected]).toEqual([[], []]);
      expect(errors).toEqual([expect.any(ConfigurationError)]);
      expect(String(errors[0])).toMatch(/Express.*Fastify.*Hono/);
    }));
});

it('a server of HTTP/2 is one of Node, too', async () => {
  const warn = vi.spyOn(process, 'emitWarning');
  const { options, handled, rejected, errors } = recording();
  const handler = nodeWebhookHandler({ ...options, bodyTimeout: 50 });
  const server = createHttp2Server((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const session = http2Connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const send = (content: string, end: boolean): Promise<unknown> =>
    new Promise((resolve) => {
      const stream = session.request({ ':method': 'POST', ':path': '/webhooks', ...headers });
      stream.on('response', (head) => resolve(head[':status']));
      stream.resume();
      stream.write(content);
      if (end) stream.end();
    });
  expect(await send(body, true)).toBe(200);
  expect(await send(body.slice(0, 10), false)).toBe(408);
  await until(() => rejected.length === 1);
  expect([handled, errors]).toEqual([['evt_1'], []]);
  // A header that HTTP/2 does not have is dropped with a warning.
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  session.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
