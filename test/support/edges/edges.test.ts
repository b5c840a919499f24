import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { Agent, get } from 'node:https';
import { afterEach, expect, test } from 'vitest';
import { refuse, Service } from '../service.js';
import { gate, until } from '../until.js';
import { Http2Edge } from './http2-edge.js';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanup.splice(0).reverse()) await end();
});

function closing<T extends { close(): unknown }>(closable: T): T {
  cleanup.push(() => closable.close());
  return closable;
}

/** A service that minds neither nonces nor signatures, and a session with an edge before it. */
async function open(handling: 'in order' | 'shuffled' = 'in order') {
  const service = closing(await Service.start({ nonces: 'any', signatures: false }));
  const edge = closing(await Http2Edge.start(service.port, { handling }));
  const session = connectHttp2(edge.url, { ca: edge.ca });
  cleanup.push(() => session.destroy());
  return { service, edge, session };
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
  const { service, session } = await open(handling);
  service.script = ({ path }) => ({ body: path, delay: 5 });
  const answers = Array.from({ length: count }, (_, index) => {
    const stream = session.request({ ':path': `/${index}`, ':method': index % 2 === 0 ? 'GET' : 'POST' });
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

test('an HTTP/2 edge hands on body and headers, status and answer', async () => {
  const { service, session } = await open();
  service.script = ({ body, headers }) => ({ status: 404, body: `${headers['x-asked']} ${body}` });
  const stream = session.request({ ':path': '/a', ':method': 'POST', 'x-asked': 'yes' });
  stream.end('hello');
  expect(await answerOf(stream)).toBe('404 yes hello');
});

test('an HTTP/2 edge answers 502 when the service drops a request, and breaks off an answer that the service broke off', async () => {
  const { service, session } = await open();
  service.answers({ fault: 'reset' }, { fault: 'cut', body: 'x'.repeat(10) });
  expect(await answerOf(session.request({ ':path': '/a' }))).toBe('502 ');
  expect(await answerOf(session.request({ ':path': '/b' }))).toBe('200 xxxxx');
});

test('an HTTP/2 edge speaks HTTP/1.1 with a client that asks for it', async () => {
  const { edge } = await open();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${edge.url}/a`, { ca: edge.ca, agent: new Agent({ keepAlive: true }) }, resolve).on('error', reject);
  });
  answer.resume();
  expect([answer.httpVersion, answer.statusCode]).toEqual(['1.1', 200]);
});

test('an HTTP/2 edge does not hand on what was reset before its turn', async () => {
  const { service, session } = await open();
  const first = session.request({ ':path': '/first', ':method': 'POST' });
  first.write('half');
  await until(() => service.requests.length > 0);
  const second = session.request({ ':path': '/second' });
  second.on('error', () => {});
  second.close();
  const third = session.request({ ':path': '/third' });
  first.end('whole');
  await Promise.all([answerOf(first), answerOf(third)]);
  expect(service.requests.map(({ path }) => path)).toEqual(['/first', '/third']);
});

test('an HTTP/2 edge lets the streams of a session go on after it said GOAWAY', async () => {
  const { service, edge, session } = await open();
  const { opened: hold, open: release } = gate();
  service.script = () => ({ ...refuse(404, 'not_found'), hold });
  const goaway = new Promise((resolve) => session.once('goaway', resolve));
  const answer = answerOf(session.request({ ':path': '/a' }));
  await service.arrived(1);
  edge.goAway();
  await goaway;
  release();
  expect(await answer).toMatch(/^404 /);
  await until(() => edge.sessions === 0);
});
