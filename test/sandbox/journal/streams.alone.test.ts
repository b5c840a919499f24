import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Timeline } from '../../../src/sandbox/core/timeline/timeline.js';
import { createSandbox, type ListenOptions } from '../../../src/sandbox/index.js';
import { LOCAL } from '../../support/tls.js';
import { openOverHttp1, openOverHttp2, readUntil } from '../support/event-text.js';

/** Number of readers that every timeline of this file has. */
let followers = 0;
beforeEach(() => {
  followers = 0;
  const { follow } = Timeline.prototype;
  vi.spyOn(Timeline.prototype, 'follow').mockImplementation(function (this: Timeline, follower) {
    followers += 1;
    const end = follow.call(this, follower);
    let hasEnded = false;
    return () => {
      if (!hasEnded) followers -= 1;
      hasEnded = true;
      end();
    };
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function listening(options: ListenOptions) {
  const sandbox = createSandbox({ inspect: true });
  onTestFinished(() => sandbox.close());
  return { sandbox, ca: options.tls?.cert, ...(await sandbox.listen(options)) };
}

describe.each([
  ['HTTP/1.1', {}, openOverHttp1],
  ['HTTP/1.1 and TLS', { tls: LOCAL }, openOverHttp1],
  ['HTTP/2', { tls: LOCAL }, openOverHttp2],
])('a stream of events over %s', (_, options, open) => {
  test('tells what happens, and leaves no listener when its client goes away', async () => {
    const { sandbox, ...address } = await listening(options);
    const streams = [await open(address), await open(address), await open(address)];
    for (const stream of streams) await readUntil(stream, /entries follow\n\n/);
    expect(followers).toBe(3);
    sandbox.accounts.setBalance(sandbox.fixtures.accountId, { symbol: 'USD', total: '1' });
    for (const stream of streams) expect(await readUntil(stream, /\n\n/)).toMatch(/^event: posting\nid: 1\ndata: /);
    streams[0]?.destroy();
    await expect.poll(() => followers).toBe(2);
    for (const stream of streams) stream.destroy();
    await expect.poll(() => followers).toBe(0);
  });

  test('ends when the sandbox closes, without an error', async () => {
    const { sandbox, ...address } = await listening(options);
    const stream = await open(address);
    const errors: unknown[] = [];
    stream.on('error', (error) => errors.push(error));
    await readUntil(stream, /entries follow\n\n/);
    const rest = readUntil(stream, /never/);
    await sandbox.close();
    expect([await rest, followers, errors]).toEqual(['', 0, []]);
  });

  test('shows that it lives after 15 s of silence, again and again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { sandbox, ...address } = await listening(options);
    const stream = await open(address);
    await readUntil(stream, /entries follow\n\n/);
    let heard = '';
    const silence = readUntil(stream, /\n\n/).then((text) => {
      heard = text;
    });
    vi.advanceTimersByTime(14_999);
    await readUntil(await open(address), /entries follow\n\n/);
    expect(heard).toBe('');
    vi.advanceTimersByTime(1);
    await silence;
    expect(heard).toBe(': still here\n\n');
    sandbox.accounts.setBalance(sandbox.fixtures.accountId, { symbol: 'USD', total: '1' });
    expect(await readUntil(stream, /\n\n/)).toMatch(/^event: posting\n/);
    vi.advanceTimersByTime(15_000);
    expect(await readUntil(stream, /\n\n/)).toBe(': still here\n\n');
  });
});

test('no listener is left by HEAD, by a refused filter, and by a loop that is left', async () => {
  const { sandbox, url } = await listening({});
  expect((await fetch(`${url}/_sandbox/events`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${url}/_sandbox/events?kinds=none`)).status).toBe(400);
  const events = sandbox.events({ after: 0 });
  sandbox.accounts.setBalance(sandbox.fixtures.accountId, { symbol: 'USD', total: '1' });
  for await (const { kind } of events) {
    expect(kind).toBe('posting');
    break;
  }
  expect(followers).toBe(0);
});
