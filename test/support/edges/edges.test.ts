import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { Agent, get } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { json, refuse, Service } from '../service.js';
import { Http2Edge } from './http2-edge.js';
import { SerialEdge } from './serial-edge.js';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanup.splice(0).reverse()) await end();
});

function closing<T extends { close(): unknown }>(closable: T): T {
  cleanup.push(() => closable.close());
  return closable;
}

/** Writes these bytes on one connection; gives all that came back until it fell silent or closed. */
async function exchange(port: number, bytes: string, until: RegExp): Promise<string> {
  const socket = connectTcp({ host: '127.0.0.1', port });
  cleanup.push(() => socket.destroy());
  let read = '';
  const done = new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk) => {
      read += chunk;
      if (until.test(read)) resolve(read);
    });
    socket.on('close', () => resolve(read));
    socket.on('error', reject);
  });
  socket.write(bytes);
  return done;
}

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nhost: edge\r\n\r\n`;

test('a serial edge hands on the next request of a connection when the one before has been answered', async () => {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  // Long enough for the others to arrive meanwhile.
  service.script = ({ path }) => ({ ...json(200, { path }, { 'x-path': path }), delay: 30 });
  const edge = closing(await SerialEdge.start(service.port));
  const answered = await exchange(edge.port, GET('/a') + GET('/b') + GET('/c'), /x-path: \/c[\s\S]*"\/c"/);
  expect(answered.match(/x-path: \S+/g)).toEqual(['x-path: /a', 'x-path: /b', 'x-path: /c']);
  expect(service.requests.map(({ path, open }) => [path, open])).toEqual([
    ['/a', []],
    ['/b', []],
    ['/c', []],
  ]);
});

test('a serial edge handles requests of different connections at the same time', async () => {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  const both = service.arrived(2);
  service.script = () => ({ hold: both });
  const edge = closing(await SerialEdge.start(service.port));
  await Promise.all(['/a', '/b'].map((path) => exchange(edge.port, GET(path), /200 OK/)));
  expect(service.requests).toHaveLength(2);
});

test('a serial edge hands on body and headers, status and answer', async () => {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  service.script = ({ body, headers }) => ({
    status: 404,
    body: `${headers['x-asked']} ${body}`,
    headers: { 'x-said': '1' },
  });
  const edge = closing(await SerialEdge.start(service.port));
  const request = 'POST /a HTTP/1.1\r\nhost: edge\r\nx-asked: yes\r\ncontent-length: 5\r\n\r\nhello';
  expect(await exchange(edge.port, request, /hello/)).toMatch(/^HTTP\/1.1 404 [\s\S]*x-said: 1[\s\S]*yes hello$/);
});

test('a serial edge closes a connection without a request after the idle time that it was given', async () => {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  const edge = closing(await SerialEdge.start(service.port, 1));
  const answered = await exchange(edge.port, GET('/a'), /never/);
  expect(answered).toMatch(/^HTTP\/1.1 200 /);
});

test('a serial edge answers 502 when the service drops a request, and breaks off an answer that the service broke off', async () => {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  service.answers({ fault: 'reset' }, { fault: 'cut', body: 'x'.repeat(10) });
  const edge = closing(await SerialEdge.start(service.port));
  expect(await exchange(edge.port, GET('/a'), /\r\n\r\n/)).toMatch(/^HTTP\/1.1 502 /);
  expect(await exchange(edge.port, GET('/b'), /x{10}/)).toMatch(/\r\n\r\nx{5}$/);
});

function session(edge: Http2Edge): ClientHttp2Session {
  const opened = connectHttp2(edge.url, { ca: edge.ca });
  cleanup.push(() => opened.destroy());
  return opened;
}

async function answerOf(stream: ClientHttp2Stream): Promise<string> {
  let status = '';
  stream.once('response', (headers) => {
    status = String(headers[':status']);
  });
  stream.setEncoding('utf8');
  let body = '';
  for await (const chunk of stream) body += chunk;
  return `${status} ${body}`;
}

/** Sends reads and writes in turn, all at once; gives the order in which the service saw them. */
async function orderBehind(handling: 'in order' | 'shuffled', count: number): Promise<number[]> {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  service.script = ({ path }) => ({ body: path, delay: 5 });
  const edge = closing(await Http2Edge.start(service.port, { handling }));
  const opened = session(edge);
  const answers = Array.from({ length: count }, (_, index) => {
    const stream = opened.request({ ':path': `/${index}`, ':method': index % 2 === 0 ? 'GET' : 'POST' });
    stream.end(index % 2 === 0 ? undefined : 'body');
    return answerOf(stream);
  });
  expect(await Promise.all(answers)).toEqual(answers.map((_, index) => `200 /${index}`));
  return service.requests.map(({ path }) => Number(path.slice(1)));
}

const rising = (count: number) => Array.from({ length: count }, (_, index) => index);

test('an HTTP/2 edge in order hands requests on in the order of their HEADERS, with and without body', async () => {
  expect(await orderBehind('in order', 40)).toEqual(rising(40));
});

test('an HTTP/2 edge that shuffles hands on all requests in another order', async () => {
  const order = await orderBehind('shuffled', 40);
  expect(order).not.toEqual(rising(40));
  expect(order.toSorted((a, b) => a - b)).toEqual(rising(40));
});

test('an HTTP/2 edge speaks HTTP/1.1 with a client that asks for it', async () => {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  const edge = closing(await Http2Edge.start(service.port, { handling: 'in order' }));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${edge.url}/a`, { ca: edge.ca, agent: new Agent({ keepAlive: true }) }, resolve).on('error', reject);
  });
  answer.resume();
  expect([answer.httpVersion, answer.statusCode]).toEqual(['1.1', 200]);
});

test('an HTTP/2 edge does not hand on what was reset before its turn', async () => {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  const edge = closing(await Http2Edge.start(service.port, { handling: 'in order' }));
  const opened = session(edge);
  const first = opened.request({ ':path': '/first', ':method': 'POST' });
  first.write('half');
  while (service.requests.length === 0) await sleep(5);
  const second = opened.request({ ':path': '/second' });
  second.on('error', () => {});
  second.close();
  const third = opened.request({ ':path': '/third' });
  first.end('whole');
  await Promise.all([answerOf(first), answerOf(third)]);
  expect(service.requests.map(({ path }) => path)).toEqual(['/first', '/third']);
});

test('an HTTP/2 edge lets the streams of a session go on after it said GOAWAY', async () => {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  let release = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.script = () => ({ ...refuse(404, 'not_found'), hold });
  const edge = closing(await Http2Edge.start(service.port, { handling: 'in order' }));
  const opened = session(edge);
  const goaway = new Promise((resolve) => opened.once('goaway', resolve));
  const answer = answerOf(opened.request({ ':path': '/a' }));
  await service.arrived(1);
  edge.goAway();
  await goaway;
  release();
  expect(await answer).toMatch(/^404 /);
  for (let tries = 0; edge.sessions > 0 && tries < 500; tries++) await sleep(10);
  expect(edge.sessions).toBe(0);
});
