import { connect, type Socket } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { bodies, openSandbox, Partner, type TestRequest } from '../support/partner.js';

let partner: Partner;
beforeEach(async () => {
  partner = await openSandbox();
});

/** A raw connection that gathers what it receives. */
function open(): { socket: Socket; statuses: () => number[] } {
  const socket = connect(Number(new URL(partner.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  return { socket, statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1])) };
}

function raw(request: TestRequest): { head: string; body: Uint8Array } {
  const { method, path, headers, bytes = new Uint8Array() } = partner.signed(request);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = bytes.length > 0 ? `Content-Length: ${bytes.length}\r\n` : '';
  return { head: `${method} ${path} HTTP/1.1\r\nHost: sandbox\r\n${lines.join('')}${length}\r\n`, body: bytes };
}

const pause = (ms = 40) => new Promise((resolve) => setTimeout(resolve, ms));
const read = (nonce: bigint) => raw({ method: 'GET', path: '/v1/webhooks?page_size=1', nonce });
const write = (nonce: bigint) => raw({ method: 'POST', path: `${partner.account}/quotes`, body: bodies.quote, nonce });

/** A request of which the head and so many bytes of the body are sent, then a whole one on another connection. */
async function slowThenFast(slowNonce: bigint, fastNonce: bigint, bytes = 0) {
  const [slow, fast] = [open(), open()];
  const first = write(slowNonce);
  slow.socket.write(first.head);
  slow.socket.write(first.body.subarray(0, bytes));
  await pause();
  fast.socket.write(read(fastNonce).head);
  await pause();
  return { slow, fast, first };
}

test('a later request waits for the verdict on an earlier one whose body is slow', async () => {
  const { slow, fast, first } = await slowThenFast(1n, 2n);
  expect(fast.statuses()).toEqual([]);
  slow.socket.write(first.body);
  await expect.poll(() => [slow.statuses(), fast.statuses()]).toEqual([[200], [200]]);
  expect(partner.sandbox.journal.map(({ nonce }) => nonce)).toEqual(['1', '2']);
});

test('a lower nonce whose head came later is refused, though its body was complete earlier', async () => {
  const { slow, fast, first } = await slowThenFast(5n, 3n);
  slow.socket.write(first.body);
  await expect.poll(() => [slow.statuses(), fast.statuses()]).toEqual([[200], [401]]);
  expect(partner.sandbox.journal.map(({ verdict }) => verdict)).toEqual(['accepted', 'nonce_not_rising']);
});

test('a request that ends in the middle of its body consumes nothing and lets the next one pass', async () => {
  const { slow, fast } = await slowThenFast(5n, 3n, 10);
  slow.socket.destroy();
  await expect.poll(fast.statuses).toEqual([200]);
  expect(partner.sandbox.journal.map(({ verdict, status }) => [verdict, status])).toEqual([
    ['broken_body', undefined],
    ['accepted', 200],
  ]);
});

test('pipelined requests are judged and answered in order, also behind a large body in pieces', async () => {
  const { socket, statuses } = open();
  const large = raw({ method: 'POST', path: `${partner.account}/quotes`, body: `${' '.repeat(300_000)}{}`, nonce: 1n });
  const rest = [2n, 3n, 4n, 3n, 6n].map((nonce) => read(nonce).head).join('');
  socket.write(large.head);
  socket.write(large.body.subarray(0, 100_000));
  await pause();
  socket.write(Buffer.concat([large.body.subarray(100_000), Buffer.from(rest)]));
  await expect.poll(statuses).toEqual([400, 200, 200, 200, 401, 200]);
  expect(partner.sandbox.journal.map(({ nonce }) => nonce)).toEqual(['1', '2', '3', '4', '3', '6']);
});

test('the body of one API key does not hold up another key', async () => {
  const slow = open();
  slow.socket.write(write(1n).head);
  await pause();
  const other = new Partner(partner.sandbox, partner.url, partner.sandbox.keys.issue());
  expect((await other.get('/v1/webhooks')).status).toBe(200);
});
