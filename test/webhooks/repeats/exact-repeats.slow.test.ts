import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryReplayGuard, type ReplayGuard, signWebhook } from '../../../src/webhooks/index.js';
import { gate, until } from '../../support/until.js';
import {
  type Answered,
  executed,
  FAILED,
  OK,
  SECRET,
  type Send,
  STYLES,
  verificationClock,
} from '../support/receiving.js';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const flat = JSON.stringify({ event_type: 'deposit.completed', id: 'dep-1' });
const enveloped = JSON.stringify(executed('evt_1'));

/** What somebody has recorded on the way: it is sent again byte by byte, but for headers that are not signed. */
function captured(body: string, options: Parameters<typeof signWebhook>[0] = { body, secret: SECRET }) {
  const signature = signWebhook(options);
  return (send: Send, headers: Record<string, string> = {}): Promise<Answered> =>
    send({ body, headers: { ...signature, ...headers } });
}

const ids = (count: number, name = 'made-up'): Record<string, string>[] =>
  Array.from({ length: count }, (_, index) => ({ 'X-Webhook-ID': `${name}-${index}` }));

describe.each(STYLES)('%s: an exact repeat', (_, style) => {
  it.each([
    ['in the flat form', flat],
    ['with an id of its own', enveloped],
    ['without id', JSON.stringify(executed())],
  ])('%s is answered 200 and not handled again, whatever its headers say', async (__, body) => {
    let handled = 0;
    await style({ secret: SECRET, onEvent: () => void handled++ }, async (send) => {
      const again = captured(body);
      for (const headers of [{}, {}, ...ids(3), { 'X-Webhook-Event': 'other' }])
        expect(await again(send, headers)).toEqual(OK);
      expect(handled).toBe(1);
    });
  });

  it('by one of two signatures alone is none that is new', async () => {
    const secrets = [SECRET, Buffer.from('the other signing secret').toString('base64')];
    const timestamp = Math.floor(Date.now() / 1000);
    const [one, other] = secrets.map(
      (secret) => signWebhook({ body: flat, secret, timestampSeconds: timestamp })['X-Signature'],
    );
    let handled = 0;
    await style({ secrets, onEvent: () => void handled++ }, async (send) => {
      for (const signature of [`${one},${other?.split(',')[1]}`, other, one, one?.replace('v1=', 'V1=, v1='), other])
        expect(await send({ body: flat, headers: { 'X-Signature': String(signature) } })).toEqual(OK);
      expect(handled).toBe(1);
    });
  });

  it('of a delivery whose function failed is handled again', async () => {
    let calls = 0;
    const onEvent = () => {
      if (calls++ === 0) throw new Error('no database');
    };
    await style({ secret: SECRET, onEvent, onError: () => {} }, async (send) => {
      const again = captured(flat);
      expect(await again(send, { 'X-Webhook-ID': 'one' })).toEqual(FAILED);
      expect(await again(send, { 'X-Webhook-ID': 'one' })).toEqual(OK);
      expect(await again(send, { 'X-Webhook-ID': 'two' })).toEqual(OK);
      expect(calls).toBe(2);
    });
  });

  it('of a delivery whose guard failed is handled again', async () => {
    let calls = 0;
    const guard: ReplayGuard = {
      seen: () => {
        if (calls++ === 0) throw new Error('no Redis');
        return false;
      },
      forget: () => {},
    };
    let handled = 0;
    await style({ secret: SECRET, guard, onEvent: () => void handled++, onError: () => {} }, async (send) => {
      const again = captured(enveloped);
      expect([await again(send), await again(send), await again(send)]).toEqual([FAILED, OK, OK]);
      expect([calls, handled]).toEqual([2, 1]);
    });
  });

  it('that comes while the first is handled shares its outcome, under another id too', async () => {
    const work = gate();
    let handled = 0;
    const onEvent = () => {
      handled++;
      return work.opened;
    };
    const clock = verificationClock();
    await style({ secret: SECRET, onEvent, onError: () => {} }, async (send) => {
      const again = captured(flat);
      const answers = ids(2).map((headers) => again(send, headers));
      await until(() => clock.asked === 4 && handled > 0);
      work.fail(new Error('no database'));
      expect(await Promise.all(answers)).toEqual([FAILED, FAILED]);
      expect(handled).toBe(1);
    });
  });

  it('does not reach a guard of the program, and so takes no room there', async () => {
    const asked: string[] = [];
    const guard: ReplayGuard = { seen: (id) => asked.push(id) === 0, forget: () => {} };
    await style({ secret: SECRET, guard, onEvent: () => {} }, async (send) => {
      const again = captured(flat);
      for (const headers of ids(5)) expect(await again(send, headers)).toEqual(OK);
      expect(asked).toEqual(['made-up-0']);
    });
  });
});

const style = STYLES[0][1];

it('10,001 repeats under made-up ids push no id out of the memory guard', async () => {
  const handled: string[] = [];
  await style({ secret: SECRET, onEvent: ({ type }) => void handled.push(type) }, async (send) => {
    const payment = captured(enveloped);
    const other = captured(flat);
    expect(await payment(send)).toEqual(OK);
    for (const headers of ids(10_001)) await other(send, headers);
    expect(await payment(send)).toEqual(OK);
    expect(handled).toEqual(['quote.executed', 'deposit.completed']);
  });
});

it('10,001 real deliveries push ids out of the memory guard, and a repeat is known all the same', async () => {
  const handled: unknown[] = [];
  await style({ secret: SECRET, onEvent: ({ id }) => void handled.push(id) }, async (send) => {
    const payment = captured(enveloped);
    expect(await payment(send)).toEqual(OK);
    for (let index = 0; index <= 10_000; index++) await captured(JSON.stringify(executed(`evt_real_${index}`)))(send);
    expect(await payment(send)).toEqual(OK);
    expect(handled.filter((id) => id === 'evt_1')).toHaveLength(1);
    expect(handled).toHaveLength(10_002);
  });
});

it('is known for as long as the delivery could be fresh: signed ahead by the tolerance, repeated when as old', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  let handled = 0;
  const guard: ReplayGuard = { seen: () => false, forget: () => {} };
  await style({ secret: SECRET, guard, toleranceSeconds: 60, onEvent: () => void handled++ }, async (send) => {
    const timestamp = Math.floor(Date.now() / 1000) + 60;
    const again = captured(flat, { body: flat, secret: SECRET, timestampSeconds: timestamp });
    expect(await again(send)).toEqual(OK);
    vi.advanceTimersByTime(120_000 - (Date.now() % 1000));
    expect(await again(send)).toEqual(OK);
    expect(handled).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(await again(send)).toEqual({ status: 400, word: 'too_old' });
  });
});

it('in the scheme that signs no time is known for ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let handled = 0;
  const signed = { secret: 'any text', scheme: 'body' } as const;
  await style({ ...signed, onEvent: () => void handled++ }, async (send) => {
    const again = captured(flat, { body: flat, ...signed });
    for (const headers of ids(3)) expect(await again(send, headers)).toEqual(OK);
    vi.advanceTimersByTime(600_000);
    for (const headers of ids(3, 'later')) expect(await again(send, headers)).toEqual(OK);
    expect(handled).toBe(1);
    vi.advanceTimersByTime(601_000);
    for (const headers of ids(3, 'late')) expect(await again(send, headers)).toEqual(OK);
    expect(handled).toBe(2);
  });
});

it('is known to handlers made for each request over one guard', async () => {
  const guard = memoryReplayGuard();
  let handled = 0;
  const again = captured(flat);
  for (const headers of ids(3)) {
    await style({ secret: SECRET, guard, onEvent: () => void handled++ }, async (send) => {
      expect(await again(send, headers)).toEqual(OK);
    });
  }
  expect(handled).toBe(1);
});
