import { runInNewContext } from 'node:vm';
import { Hono } from 'hono';
import { Response as UndiciResponse } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import type { Deliver, Delivery, Sandbox } from '../../../src/sandbox/index.js';
import { webhookHandler } from '../../../src/webhooks/index.js';
import { deposit, inProcess, NOWHERE, only, outcomes, pass, sendEvents, withStillTimers } from './support/sending.js';

/** One event, delivered by this function, until its first attempt is over. */
async function delivered(deliver: unknown, url = NOWHERE): Promise<Sandbox> {
  const sandbox = inProcess(deliver as Deliver);
  sandbox.webhooks.register({ url, events: ['deposit.completed'] });
  await sendEvents(sandbox);
  return sandbox;
}

const thrown = (error: unknown): never => {
  throw error;
};
const unreadable = new Proxy({}, { get: () => thrown(new Error('get')) });
const endingWith = (cancel: () => Promise<void>) => new ReadableStream({ cancel });
const accepted = (body: string | ReadableStream = 'x') => new Response(body, { status: 202 });

describe('deliver', () => {
  test('hands a delivery to an application, as a server would', async () => {
    const handled: string[] = [];
    const app = new Hono();
    const sandbox = inProcess((request) => app.fetch(request));
    const { signing_secret: secret } = sandbox.webhooks.register({ url: 'https://partner.test/hooks?a=%20' });
    const handler = webhookHandler({ secret, on: { 'deposit.completed': ({ id = '' }) => void handled.push(id) } });
    app.post('/hooks', ({ req }) => handler(req.raw));
    await sendEvents(sandbox);
    const { status, attempts, eventId } = only(sandbox);
    expect(status).toBe('delivered');
    expect(attempts).toMatchObject([{ status: 200, url: 'https://partner.test/hooks?a=%20' }]);
    expect(handled).toEqual([eventId]);
  });

  test('gets new ids of events after a reset and a restore, for receivers that handle each id once', async () => {
    const ids = async () => {
      const got = new Set<string>();
      const sandbox = inProcess(() => new Response());
      const send = async () => {
        sandbox.webhooks.register({ url: NOWHERE, events: ['deposit.completed'] });
        await sendEvents(sandbox);
        got.add(only(sandbox).eventId).add(only(sandbox).id);
      };
      const fresh = sandbox.snapshot();
      for (const rewind of [() => {}, () => sandbox.reset(), () => sandbox.restore(fresh), () => sandbox.reset()]) {
        rewind();
        await send();
      }
      return [...got];
    };
    const first = await ids();
    expect(first).toHaveLength(8);
    expect(await ids()).toEqual(first);
  });

  test('is called after the event, never in the middle of what brings it about', async () => {
    let calls = 0;
    const sandbox = inProcess(() => {
      calls += 1;
      return new Response();
    });
    sandbox.webhooks.register({ url: NOWHERE });
    deposit(sandbox);
    expect(calls).toBe(0);
    await sandbox.webhooks.idle();
    expect(calls).toBe(1);
  });

  const fails: [string, unknown, string][] = [
    ['throws', () => thrown(new Error('no database')), 'no database'],
    ['rejects', async () => thrown(new Error('no database')), 'no database'],
    ['fails as fetch does', async () => thrown(new TypeError('fetch failed', { cause: new Error('reset') })), 'reset'],
    ['rejects with a bare code', () => Promise.reject(Object.assign(new Error(''), { code: 'EPIPE' })), 'EPIPE'],
    ['rejects with an error of another realm', () => Promise.reject(runInNewContext('new Error("far")')), 'far'],
    ['throws a text', () => thrown('no'), 'no'],
    ['throws nothing', () => thrown(undefined), 'undefined'],
    ['throws an object without a message', () => thrown({}), 'unknown failure'],
    ['throws what cannot be read', () => thrown(unreadable), 'unknown failure'],
    ['throws what is no text', () => thrown({ message: Symbol('x') }), 'unknown failure'],
    ['gives nothing', () => undefined, 'deliver gave no Response'],
    ['gives a status alone', () => ({ status: 200 }), 'deliver gave no Response'],
    ['gives a number', async () => 200, 'deliver gave no Response'],
    ['gives a network error', () => Response.error(), 'the connection was lost'],
  ];
  test.each(fails)('that %s makes a failed attempt', async (_, deliver, error) => {
    const sandbox = await delivered(deliver);
    expect(only(sandbox)).toMatchObject({ status: 'pending', attempts: [{ status: undefined, error }] });
  });

  test.each([
    ['of another copy of fetch', () => new UndiciResponse(null, { status: 202 })],
    [
      'that is read already',
      async () => {
        const response = accepted();
        await response.text();
        return response;
      },
    ],
    [
      'that somebody reads',
      () => {
        const response = accepted();
        response.body?.getReader();
        return response;
      },
    ],
    ['whose body cannot be cancelled', () => accepted(endingWith(() => Promise.reject(new Error('no'))))],
    ['whose body never says that it is cancelled', () => accepted(endingWith(() => new Promise(() => {})))],
  ])('may give a Response %s', async (_, deliver) => {
    expect(outcomes(await delivered(deliver))).toEqual([202]);
  });

  test('has the body of its answer cancelled, unread', async () => {
    let [pulled, cancelled] = [0, 0];
    const source = {
      pull: () => {
        pulled += 1;
      },
      cancel: () => {
        cancelled += 1;
      },
    };
    await delivered(() => new Response(new ReadableStream(source, { highWaterMark: 0 })));
    await expect.poll(() => cancelled).toBe(1);
    expect(pulled).toBe(0);
  });

  test('that never answers is given up after 30 seconds, even when it does not listen to the signal', async () => {
    await withStillTimers(async () => {
      let late: (response: Response) => void = () => {};
      let [aborted, cancelled] = [false, false];
      const sandbox = inProcess(({ signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        return new Promise((resolve) => {
          late = resolve;
        });
      });
      sandbox.webhooks.register({ url: NOWHERE });
      deposit(sandbox);
      const idle = sandbox.webhooks.idle();
      await vi.advanceTimersByTimeAsync(30_000);
      await idle;
      expect(only(sandbox)).toMatchObject({ status: 'pending', attempts: [{ error: 'no response within 30 s' }] });
      expect(aborted).toBe(true);
      const cancel = () => {
        cancelled = true;
      };
      late(new Response(new ReadableStream({ cancel }), { status: 200 }));
      await vi.advanceTimersByTimeAsync(0);
      expect(cancelled).toBe(true);
      expect(outcomes(sandbox)).toEqual(['no response within 30 s']);
    });
  });

  test('takes a whole error text, but no endless one', async () => {
    const sandbox = await delivered(() => Promise.reject(new Error('x'.repeat(1_000_000))));
    expect(only(sandbox).attempts[0]?.error).toHaveLength(1_001);
  });
});

describe('onDelivery', () => {
  const listening = (onDelivery: (delivery: Delivery) => unknown): Sandbox => {
    const sandbox = inProcess(() => new Response(null, { status: 500 }), { onDelivery: onDelivery as () => void });
    sandbox.webhooks.register({ url: NOWHERE, events: ['deposit.completed'] });
    return sandbox;
  };

  test('hears of each attempt, with the delivery as it then is', async () => {
    const heard: Delivery[] = [];
    const sandbox = listening((delivery) => {
      expect(sandbox.webhooks.listDeliveries()).toEqual([delivery]);
      heard.push(delivery);
    });
    await sendEvents(sandbox);
    await pass(sandbox, 5_000);
    await sandbox.webhooks.redeliver(only(sandbox).id);
    expect(heard.map(({ attempts }) => attempts.length)).toEqual([1, 2, 3]);
    expect(heard.at(-1)).toEqual(only(sandbox));
  });

  test.each<[string, () => unknown]>([
    ['throws', () => thrown(new Error('private'))],
    ['rejects', () => Promise.reject(new Error('private'))],
  ])('may fail: one that %s changes no delivery and is reported once, without its error', async (_, onDelivery) => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const sandbox = listening(onDelivery);
    await sendEvents(sandbox);
    await pass(sandbox, 5_000);
    expect(await sandbox.webhooks.redeliver(only(sandbox).id)).toMatchObject({ attempts: [{}, {}, {}] });
    await expect.poll(() => warnings.length).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toMatchObject([
      {
        code: 'PARTNER_SDK_SANDBOX_HOOK',
        message: 'onDelivery given to createSandbox failed; the sandbox is not affected (reported once)',
      },
    ]);
  });
});
