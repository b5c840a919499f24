import { expect, it } from 'vitest';
import { WaitingCalls } from '../../src/redis/waiting-calls.js';

/** In ms. A limit that passes while the event loop is blocked. */
const LIMIT = 50;

it('a reply of Redis that came while the event loop was blocked counts, although the wait is over', async () => {
  const calls = new WaitingCalls();
  let reply: string | undefined;
  const late = () => new Error('late');
  const waiting = calls.add({ result: () => reply, timeout: LIMIT, late, group: undefined });
  setImmediate(() => {
    // The event loop comes to its timers before it comes to the reply.
    setImmediate(() => {
      reply = 'lease';
      calls.settle();
    });
    for (const end = performance.now() + 2 * LIMIT; performance.now() < end; );
  });
  expect(await waiting).toBe('lease');
  await expect(calls.add({ result: () => undefined, timeout: 1, late, group: undefined })).rejects.toThrow('late');
});
