import { createServer, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { fetchTransport } from '../../src/transport/fetch.js';
import type { Transport } from '../../src/transport/transport.js';
import { undiciTransport } from '../../src/transport/undici.js';
import { gate } from '../support/until.js';
import { openings } from './support/openings.js';

const { closing, drive, listen } = openings();
const serve = (listener: RequestListener) => listen(createServer(listener));

function agent(): Agent {
  const made = new Agent();
  closing({ close: () => made.destroy() });
  return made;
}

const kinds: readonly [string, () => Transport][] = [
  ['fetch', () => fetchTransport()],
  ['dispatcher', () => undiciTransport({ dispatcher: agent() })],
];

describe.each(kinds)('over connections that %s decides about', (way, transport) => {
  it('requests are sent and answered, with no more in flight than the width', async () => {
    let [inFlight, most] = [0, 0];
    const origin = await serve((request, response) => {
      most = Math.max(most, ++inFlight);
      setTimeout(() => {
        inFlight--;
        response.end(request.url);
      }, 3);
    });
    const driver = drive(origin, { width: 7 }, transport());
    const ends = await Promise.all(Array.from({ length: 50 }, (_, at) => driver.call(`/${at}`)));
    expect(ends.map(({ end, body }) => `${end} ${body}`)).toEqual(ends.map((_, at) => `answered /${at}`));
    expect(most).toBe(7);
    expect([driver.connections.way, driver.connections.open]).toEqual([way, undefined]);
  });

  it('a request is the first use of a connection if more are in flight than lately', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const answers: (() => void)[] = [];
    const origin = await serve((_request, response) => {
      answers.push(() => response.end('ok'));
    });
    const driver = drive(origin, {}, transport());
    const round = async (count: number): Promise<boolean[]> => {
      const started = await Promise.all(Array.from({ length: count }, () => driver.start('/')));
      await expect.poll(() => answers).toHaveLength(count);
      for (const answer of answers.splice(0)) answer();
      await Promise.all(started.map(({ ended }) => ended));
      return started.map(({ firstUse }) => firstUse);
    };
    expect(await round(2)).toEqual([true, true]);
    expect(await round(3)).toEqual([false, false, true]);
    vi.advanceTimersByTime(3_000);
    expect(await round(3)).toEqual([false, false, false]);
    // Idle connections have been closed by then.
    vi.advanceTimersByTime(9_000);
    expect(await round(2)).toEqual([true, true]);
  });

  it('a place that was reserved and given back can be taken again', async () => {
    const origin = await serve((_request, response) => response.end('ok'));
    const driver = drive(origin, { width: 1 }, transport());
    const slot = driver.connections.reserve(1, false);
    expect(driver.connections.reserve(1, false)).toBeUndefined();
    const call = driver.call('/');
    expect(driver.waiting).toBe(1);
    slot?.release();
    expect((await call).end).toBe('answered');
  });

  it('an exchange that is abandoned is over at once, for its listener and for its place', async () => {
    const arrived = gate();
    const origin = await serve((request, response) => {
      if (request.url === '/slow') arrived.open();
      else response.end('ok');
    });
    const driver = drive(origin, { width: 1 }, transport());
    const slow = await driver.start('/slow');
    await arrived.opened;
    slow.exchange?.abandon();
    const end = await slow.ended;
    expect(end.end).toBe('lost');
    expect((await driver.call('/')).end).toBe('answered');
    await sleep(20);
    expect(end.after).toEqual([]);
  });

  it('a broken answer is lost; a refused connection was not sent', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('abc');
      setTimeout(() => response.destroy(), 10);
    });
    const driver = drive(origin, {}, transport());
    expect(await driver.call('/')).toMatchObject({ end: 'lost', statuses: [200] });
    const server = createServer();
    const closed = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const refused = await drive(closed, {}, transport()).call('/');
    expect(refused.end).toBe('not_sent');
  });
});

describe('a dispatcher', () => {
  it('that holds a request back must not send it any more once it was abandoned', async () => {
    let handler: { onRequestStart(controller: object, context: object): void } | undefined;
    const dispatcher = {
      dispatch: (_options: object, given: object) => {
        handler = given as typeof handler;
        return true;
      },
    };
    const driver = drive('http://localhost:1', {}, undiciTransport({ dispatcher }));
    const started = await driver.start('/');
    started.exchange?.abandon();
    expect(await started.ended).toMatchObject({ end: 'not_sent', sent: false });
    expect(() => handler?.onRequestStart({ abort: () => {} }, {})).toThrow();
    expect((await started.ended).after).toEqual([]);
  });

  it('that starts a request twice may not: the second one has the nonce of the first', async () => {
    let starts = 0;
    const dispatcher = {
      dispatch: (_options: object, given: object) => {
        const handler = given as {
          onRequestStart(c: object, x: object): void;
          onResponseError(c: object, e: Error): void;
        };
        const controller = { abort: () => {} };
        setImmediate(() => {
          handler.onRequestStart(controller, {});
          starts++;
          try {
            handler.onRequestStart(controller, {});
            starts++;
          } catch (error) {
            handler.onResponseError(controller, error as Error);
          }
        });
        return true;
      },
    };
    const end = await drive('http://localhost:1', {}, undiciTransport({ dispatcher })).call('/');
    expect(end).toMatchObject({ end: 'lost', sent: true });
    expect(starts).toBe(1);
  });

  it('that throws: the request was not sent', async () => {
    const dispatcher = {
      dispatch: () => {
        throw new Error('broken');
      },
    };
    const end = await drive('http://localhost:1', {}, undiciTransport({ dispatcher })).call('/');
    expect(end).toMatchObject({ end: 'not_sent', error: new Error('broken') });
  });
});
