import { expect, it } from 'vitest';
import { WaitingCalls } from '../../src/redis/waiting-calls.js';

/** In ms. A limit that passes while the event loop is blocked. */
const LIMIT = 50;

it('a reply of Redis that came while the event loop was blocked counts, although the wait is over', async () => {
  let reply: string | undefined;
  const calls = new WaitingCalls(() => reply, LIMIT);
  const waiting = calls.add();
  setImmediate(() => {
    // The event loop comes to its timers before it comes to the reply.
    setImmediate(() => {
      reply = 'lease';
      calls.settle();
    });
    for (const end = performance.now() + 2 * LIMIT; performance.now() < end; );
  });
  expect(await waiting).toBe('lease');
  await expect(calls.add()).rejects.toThrow('within 50 ms');
});
