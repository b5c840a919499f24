import { createServer as createSecureServer } from 'node:https';
import type { Server } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { DEFAULT_BACKOFF_MS } from '../../../src/sandbox/webhooks/delivery/delivery.js';
import { certificateFor } from '../../support/certificate.js';
import { answering, type Behaviour, Receiver, stalling } from './support/receiver.js';
import { deposit, only, outcomes, pass, sandboxOf, sendEvents, withStillTimers } from './support/sending.js';

let receiver: Receiver;
let sandbox: Sandbox;
beforeEach(async () => {
  receiver = await Receiver.open();
  sandbox = sandboxOf();
  sandbox.webhooks.register({ url: receiver.url, events: ['deposit.completed'] });
});

/** One event, answered in this way, until its first attempt is over. */
async function tried(behave: Behaviour): Promise<void> {
  receiver.behave = behave;
  await sendEvents(sandbox);
}

describe('an attempt succeeds', () => {
  test.each([200, 201, 202, 204, 226, 299])('with %s', async (status) => {
    await tried(answering(status));
    expect(only(sandbox)).toMatchObject({
      status: 'delivered',
      attempts: [{ at: sandbox.clock.now(), url: receiver.url, status, error: undefined, redelivery: false }],
      nextAttemptAt: undefined,
      reason: undefined,
    });
    await pass(sandbox, 10_000_000);
    expect(receiver.received).toHaveLength(1);
  });

  test('with a 2xx whose body never ends, and closes the connection', async () => {
    await tried((response) => void response.writeHead(200, { 'content-length': '100' }).write('half'));
    expect(outcomes(sandbox)).toEqual([200]);
    await expect.poll(() => receiver.openSockets).toBe(0);
  });

  test('with a 2xx whose body is huge, of which next to nothing is read, without a wait', async () => {
    let sent = 0;
    const before = process.memoryUsage().arrayBuffers;
    await withStillTimers(async () => {
      await tried((response) => {
        const chunk = Buffer.alloc(1024 * 1024);
        const more = (): void => {
          while (!response.destroyed && sent < 4096 && response.write(chunk)) sent += 1;
        };
        response.writeHead(200).on('drain', more);
        more();
      });
    });
    expect(outcomes(sandbox)).toEqual([200]);
    await expect.poll(() => receiver.openSockets).toBe(0);
    expect(sent).toBeLessThan(64);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });

  test.each([
    ['100', 'Continue'],
    ['102', 'Processing'],
    ['103', 'Early Hints\r\nLink: </a>; rel=preload'],
  ])('with a 2xx after an interim %s', async (status, rest) => {
    const end = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n';
    await tried((response) => void response.socket?.end(`HTTP/1.1 ${status} ${rest}\r\n\r\n${end}`));
    expect(outcomes(sandbox)).toEqual([204]);
  });
});

describe('an attempt fails, and is made again', () => {
  const recovers = async () => {
    expect(only(sandbox)).toMatchObject({ status: 'pending', nextAttemptAt: sandbox.clock.now() + 1_000 });
    receiver.behave = answering(200);
    await pass(sandbox, 999);
    expect(only(sandbox).attempts).toHaveLength(1);
    await pass(sandbox, 1);
    expect(only(sandbox)).toMatchObject({ status: 'delivered', nextAttemptAt: undefined });
    expect(outcomes(sandbox)).toHaveLength(2);
    expect(new Set(receiver.ids)).toHaveProperty('size', 1);
  };

  test.each([304, 400, 401, 404, 410, 429, 500, 501, 503, 599])('with %s', async (status) => {
    await tried(answering(status));
    expect(outcomes(sandbox)).toEqual([status]);
    await recovers();
  });

  test.each([301, 302, 303, 307, 308])('with a redirect (%s), which is not followed', async (status) => {
    const elsewhere = await Receiver.open();
    await tried((response) => void response.writeHead(status, { location: elsewhere.url }).end());
    expect(outcomes(sandbox)).toEqual([status]);
    await recovers();
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  test.each<[string, Behaviour]>([
    ['a reset connection', (response) => response.socket?.resetAndDestroy()],
    ['a connection that ends without an answer', (response) => response.socket?.end()],
    ['half a head', (response) => response.socket?.end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['no HTTP', (response) => response.socket?.end('no such thing\r\n\r\n')],
    ['a head without end', (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`)],
  ])('with %s', async (_, behave) => {
    await tried(behave);
    expect(outcomes(sandbox)).toEqual([expect.stringMatching(/.{4,}/)]);
    await recovers();
  });

  test('with an upgrade of the connection', async () => {
    await tried((response) => response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'));
    expect(outcomes(sandbox)).toEqual([101]);
    await recovers();
  });

  test('with a refused connection, and tells so', async () => {
    const { port } = receiver;
    await receiver.close();
    await tried(answering(204));
    expect(outcomes(sandbox)).toEqual([`connect ECONNREFUSED 127.0.0.1:${port}`]);
    receiver = await Receiver.open(answering(204), port);
    await recovers();
  });

  test('with a name that does not exist', async () => {
    await movedTo('http://nowhere.invalid/');
    expect(outcomes(sandbox).at(-1)).toMatch(/nowhere\.invalid/);
  });

  /** One event, whose second attempt goes to another address. */
  const movedTo = async (url: string) => {
    await tried(answering(500));
    sandbox.webhooks.update(only(sandbox).webhookId, { url });
    await pass(sandbox, 1_000);
  };

  const portOf = async (server: Server): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as { port: number }).port;
  };

  test('without an answer for 30 seconds, which ends the connection', async () => {
    await withStillTimers(async () => {
      receiver.behave = stalling;
      deposit(sandbox);
      await receiver.arrived(1);
      await vi.advanceTimersByTimeAsync(29_999);
      expect(only(sandbox)).toMatchObject({ status: 'pending', attempts: [] });
      await vi.advanceTimersByTimeAsync(1);
      await sandbox.webhooks.idle();
      expect(vi.getTimerCount()).toBe(0);
    });
    expect(outcomes(sandbox)).toEqual(['no response within 30 s']);
    await expect.poll(() => receiver.openSockets).toBe(0);
    await recovers();
  });

  test('with a certificate that nobody vouches for', async () => {
    const server = createSecureServer(certificateFor('localhost'), (_, response) => response.end());
    await movedTo(`HTTPS://127.0.0.1:${await portOf(server)}/`);
    expect(outcomes(sandbox)).toEqual([500, expect.stringMatching(/self-signed certificate/)]);
  });
});

describe('the waits between attempts', () => {
  test('grow exponentially, from each answer on, until the delivery has failed', async () => {
    await tried(answering(503));
    const expected = [sandbox.clock.now()];
    for (const wait of DEFAULT_BACKOFF_MS) {
      await pass(sandbox, wait - 1);
      expect(only(sandbox).attempts).toHaveLength(expected.length);
      await pass(sandbox, 1);
      expected.push((expected.at(-1) ?? 0) + wait);
      expect(only(sandbox).attempts.map(({ at }) => at)).toEqual(expected);
    }
    expect(expected).toHaveLength(9);
    expect(only(sandbox)).toMatchObject({
      status: 'failed',
      reason: 'not answered 2xx in 9 attempts',
      nextAttemptAt: undefined,
    });
    await pass(sandbox, 100_000_000);
    expect(receiver.received).toHaveLength(9);
  });

  test('make one attempt of a long leap, after which the clock says when the next one is due', async () => {
    await tried(answering(503));
    await pass(sandbox, 1_000_000);
    expect(only(sandbox)).toMatchObject({ attempts: [{}, {}], nextAttemptAt: sandbox.clock.now() + 2_000 });
  });

  test('pass by themselves where the clock runs', async () => {
    const running = sandboxOf({ realTime: true });
    running.webhooks.register({ url: receiver.url });
    receiver.behave = answering(500);
    deposit(running);
    await receiver.arrived(1);
    await running.webhooks.idle();
    receiver.behave = answering(200);
    const { nextAttemptAt = 0 } = only(running);
    running.advance(Math.max(0, nextAttemptAt - running.clock.now() - 50));
    await receiver.arrived(2);
    await running.webhooks.idle();
    expect(outcomes(running)).toEqual([500, 200]);
    expect(only(running).attempts[1]?.at).toBeGreaterThanOrEqual(nextAttemptAt);
  });
});

describe('what can be seen of a delivery', () => {
  test('does not change afterwards: it is as it was when it was read', async () => {
    await tried(answering(500));
    const before = only(sandbox);
    const copy = structuredClone(before);
    await pass(sandbox, 1_000);
    expect(before).toEqual(copy);
    expect(only(sandbox).attempts).toHaveLength(2);
    // What was read is the reader's own.
    Object.assign(before, { status: 'delivered' });
    (before.attempts as unknown[]).push(1);
    expect([only(sandbox).status, only(sandbox).attempts.length]).toEqual(['pending', 2]);
  });
});

test('every attempt has a connection of its own: what a receiver has closed meanwhile is not used again', async () => {
  await tried(answering(204));
  await expect.poll(() => receiver.openSockets).toBe(0);
  await sendEvents(sandbox, 3);
  expect(receiver.connections).toBe(4);
  await expect.poll(() => receiver.openSockets).toBe(0);
});
