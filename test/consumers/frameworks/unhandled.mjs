// A rejection of the service that no handler catches: the application answers its own user with 500, and with nothing
// of the service's response. A member of the error such as `status` or `headers` would be answered by most frameworks.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { serve } from '@hono/node-server';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express from 'express';
import express4 from 'express4';
import fastify from 'fastify';
import { H3, toNodeHandler } from 'h3';
import * as h3v1 from 'h3v1';
import { Hono } from 'hono';
import Koa from 'koa';
import { PartnerClient } from 'partner-sdk';

/** A response that contradicts itself never ends for its reader: this ends the wait. */
const MAX_WAIT_MS = 20_000;

/** Headers of the service that must not reach a user of the application. */
const HEADERS = {
  'set-cookie': 'service_session=abc; HttpOnly',
  'access-control-allow-origin': 'https://elsewhere.example',
  'retry-after': '3600',
  'x-service-host': 'ip-10-0-3-7.internal',
};
const ENVELOPE = { error: { type: 'request_error', code: 'unauthenticated', instance: 'in-1', causes: [] } };

/** What the service answers: a rejection, a gateway's page, or a success that is no JSON. */
const RESPONSES = [401, 403, 404, 429, 503, 502, 200].map((status) => [status, status === 502 || status === 200]);

const service = http.createServer((request, response) => {
  const [status, isPage] = RESPONSES[Number(new URL(request.url, 'http://service').searchParams.get('number'))];
  response.writeHead(status, {
    ...HEADERS,
    'content-type': isPage ? 'text/html' : 'application/json',
    'transfer-encoding': 'chunked',
  });
  response.end(isPage ? '<html>a page of the service</html>' : JSON.stringify(ENVELOPE));
});
service.listen(0, '127.0.0.1');
await once(service, 'listening');
const client = new PartnerClient({
  baseUrl: `http://127.0.0.1:${service.address().port}`,
  apiKey: 'key',
  apiSecret: Buffer.alloc(32).toString('base64'),
  maxRetries: 0,
});
const call = (number) => client.request({ method: 'GET', path: '/v1/x', query: { number } });

/** Each starts an application whose route lets the error through, and returns its server. */
const APPLICATIONS = {
  'Express 5': () =>
    express()
      .get('/:number', async ({ params }, response) => response.json(await call(params.number)))
      .listen(0, '127.0.0.1'),
  'Express 4': () =>
    express4()
      .get('/:number', ({ params }, response, next) => {
        call(params.number).then((value) => response.json(value), next);
      })
      .listen(0, '127.0.0.1'),
  Koa: () => {
    const app = new Koa();
    app.silent = true;
    app.use(async (context) => {
      context.body = await call(context.path.slice(1));
    });
    return app.listen(0, '127.0.0.1');
  },
  Fastify: async () => {
    const app = fastify();
    app.get('/:number', async ({ params }) => call(params.number));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app.server;
  },
  'h3 1': () => {
    const app = h3v1.createApp({ onError: () => {} });
    app.use(h3v1.eventHandler((event) => call(event.path.slice(1))));
    return http.createServer(h3v1.toNodeListener(app)).listen(0, '127.0.0.1');
  },
  'h3 2': () => {
    const app = new H3({ silent: true }).get('/:number', (event) => call(event.context.params.number));
    return http.createServer(toNodeHandler(app)).listen(0, '127.0.0.1');
  },
  Hono: () => {
    const app = new Hono().get('/:number', async (context) => context.json(await call(context.req.param('number'))));
    return serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  },
  Nest: async () => {
    class Calls {
      get(number) {
        return call(number);
      }
    }
    Controller()(Calls);
    Get(':number')(Calls.prototype, 'get', Object.getOwnPropertyDescriptor(Calls.prototype, 'get'));
    Param('number')(Calls.prototype, 'get', 0);
    class AppModule {}
    Module({ controllers: [Calls] })(AppModule);
    const app = await NestFactory.create(AppModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    return app.getHttpServer();
  },
};

/** The head as it stands on the wire: `fetch` would hide some of it. */
async function headOf(port, path) {
  const socket = net.connect(port, '127.0.0.1');
  socket.setTimeout(MAX_WAIT_MS, () => socket.destroy(new Error('the response does not end')));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: app\r\nConnection: close\r\n\r\n`);
  const text = Buffer.concat(await socket.toArray()).toString();
  return text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
}

console.error = () => {}; // Express, Hono and others print the error.
for (const [name, start] of Object.entries(APPLICATIONS)) {
  const server = await start();
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address();
  for (const [number, [status]] of RESPONSES.entries()) {
    const what = `${name}, the service answers ${status}`;
    const head = await headOf(port, `/${number}`);
    assert.match(head, /^http\/1\.1 500 /, what);
    for (const header of Object.keys(HEADERS)) assert.ok(!head.includes(`\n${header}:`), `${what}: ${header}`);
    assert.ok(!/\ntransfer-encoding:/.test(head) || !/\ncontent-length:/.test(head), `${what}: two lengths`);
    const response = await fetch(`http://127.0.0.1:${port}/${number}`, { signal: AbortSignal.timeout(MAX_WAIT_MS) });
    const body = await response.text();
    assert.equal(response.status, 500, what);
    assert.doesNotMatch(body, /a page of the service|service_session|ip-10-0-3-7/, what);
  }
  server.closeAllConnections();
  server.close();
}
await client.close();
service.closeAllConnections();
service.close();
