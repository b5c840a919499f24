import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ConfigurationError,
  memoryReplayGuard,
  type ReplayGuard,
  signWebhook,
  webhookHandler,
} from '../../../src/webhooks/index.js';
import { gate, until } from '../../support/until.js';
import {
  endpoint,
  executed,
  FAILED,
  failuresOf,
  OK,
  roundTrip,
  SECRET,
  STYLES,
  throwing,
  verificationClock,
} from '../support/receiving.js';

afterEach(() => void vi.restoreAllMocks());

describe.each(STYLES)('%s: a repeated delivery', (_, style) => {
  it('is answered 200 and not handled again', () =>
    endpoint(style, {}, async ({ deliver, handled }) => {
      for (const id of ['evt_1', 'evt_1', 'evt_2', 'evt_1']) expect(await deliver(executed(id))).toEqual(OK);
      expect(handled.map(({ id }) => id)).toEqual(['evt_1', 'evt_2']);
    }));

  it('is not handled again by another handler over the same guard', async () => {
    const guard = memoryReplayGuard();
    let count = 0;
    for (let handler = 0; handler < 2; handler++) {
      await endpoint(style, { guard }, async ({ deliver, handled }) => {
        expect(await deliver(executed('evt_1'))).toEqual(OK);
        count += handled.length;
      });
    }
    expect(count).toBe(1);
  });

  it.each([
    ['without id', executed()],
    ['in the flat form', { event_type: 'deposit.status_updated', id: 'dep-1' }],
  ])('%s, signed anew, is known by its bytes', (__, event) =>
    endpoint(style, {}, async ({ deliver, handled }) => {
      for (const id of ['ep_1', 'ep_1', 'ep_2']) expect(await deliver(event, { 'X-Webhook-ID': id })).toEqual(OK);
      expect(handled).toHaveLength(1);
    }),
  );

  it('is recorded only when it is proven: a forged one does not hold up the true one', () =>
    endpoint(style, {}, async ({ send, deliver, handled }) => {
      expect((await send({ body: JSON.stringify(executed('evt_1')) })).status).toBe(400);
      expect(await deliver(executed('evt_1'))).toEqual(OK);
      expect(handled).toHaveLength(1);
    }));
});

describe.each(STYLES)('%s: the same delivery twice at once', (_, style) => {
  /** Delivers an event twice, the second while the first is being handled, and tells in which order things happened. */
  async function twice(end: (work: ReturnType<typeof gate>) => void, guard: ReplayGuard = memoryReplayGuard()) {
    const work = gate();
    const order: unknown[] = [];
    const clock = verificationClock();
    const calls = { handled: 0, failures: 0 };
    await endpoint(style, { guard, onEvent: () => work.opened }, async ({ send, deliver, handled, failures }) => {
      const one = () => deliver(executed('evt_1')).then((answer) => order.push(answer));
      const first = one();
      await until(() => handled.length === 1);
      const second = one();
      await until(() => clock.asked === 4);
      // An answer that comes too early is there afterwards.
      await roundTrip(send);
      order.push('end of the work');
      end(work);
      await Promise.all([first, second]);
      Object.assign(calls, { handled: handled.length, failures: failures.length });
    });
    return { order, ...calls };
  }

  it('is handled once, and both answers wait for the work', async () => {
    const { order, handled } = await twice((work) => work.open());
    expect(order).toEqual(['end of the work', OK, OK]);
    expect(handled).toBe(1);
  });

  it('fails for both when the work fails, is reported once, and forgotten', async () => {
    const guard = memoryReplayGuard();
    const { order, handled, failures } = await twice((work) => work.fail(new Error('no database')), guard);
    expect(order).toEqual(['end of the work', FAILED, FAILED]);
    expect([handled, failures]).toEqual([1, 1]);
    expect(guard.seen('evt_1')).toBe(false);
  });

  it('is handled once also while a slow guard is asked', async () => {
    const asked = gate();
    let questions = 0;
    const guard: ReplayGuard = {
      seen: async () => {
        questions++;
        await asked.opened;
        return false;
      },
    };
    const clock = verificationClock();
    await endpoint(style, { guard }, async ({ deliver, handled }) => {
      const answers = [deliver(executed('evt_1')), deliver(executed('evt_1'))];
      // Both have come to the guard.
      await until(() => clock.asked === 4);
      asked.open();
      expect(await Promise.all(answers)).toEqual([OK, OK]);
      expect([questions, handled.length]).toEqual([1, 1]);
    });
  });

  it('of different ids do not wait for each other', () => {
    const work = gate();
    const onEvent = ({ id }: { id?: string | undefined }) => (id === 'slow' ? work.opened : undefined);
    return endpoint(style, { onEvent }, async ({ deliver }) => {
      const slow = deliver(executed('slow'));
      expect(await deliver(executed('quick'))).toEqual(OK);
      work.open();
      expect(await slow).toEqual(OK);
    });
  });
});

it('handlers made for each request over one guard still join the same delivery', async () => {
  const guard = memoryReplayGuard();
  const work = gate();
  const clock = verificationClock();
  let handled = 0;
  const onEvent = () => {
    handled++;
    return work.opened;
  };
  const failures: unknown[] = [];
  const onError = (error: unknown) => failures.push(error);
  const body = JSON.stringify(executed('evt_1'));
  const deliver = async () => {
    const init = { method: 'POST', body, headers: signWebhook({ body, secret: SECRET }) };
    const handler = webhookHandler({ secret: SECRET, guard, onEvent, onError });
    return (await handler(new Request('https://partner.test', init))).status;
  };
  const first = deliver();
  await until(() => handled === 1);
  const second = deliver();
  await until(() => clock.asked === 4);
  work.fail(new Error('no database'));
  expect(await Promise.all([first, second])).toEqual([500, 500]);
  expect(handled).toBe(1);
  expect(failures).toMatchObject([{ message: 'no database' }]);
});

describe.each(STYLES)('%s: a guard', (_, style) => {
  const broken = throwing(new Error('no Redis'));

  it.each(failuresOf('no Redis'))('whose seen %s lets nothing be handled, and nothing be lost', (__, failing) => {
    const recorded = new Set<string>();
    let calls = 0;
    // The worst case: the store has recorded the id, and its answer was lost.
    const seen = (id: string) => {
      const before = recorded.has(id);
      recorded.add(id);
      return calls++ === 0 ? failing() : before;
    };
    const guard: ReplayGuard = { seen, forget: (id) => recorded.delete(id) };
    return endpoint(style, { guard }, async ({ deliver, handled, failures }) => {
      expect(await deliver(executed('evt_1'))).toEqual(FAILED);
      expect(handled).toEqual([]);
      expect(failures).toMatchObject([{ error: { message: 'no Redis' }, event: { id: 'evt_1' } }]);
      expect(await deliver(executed('evt_1'))).toEqual(OK);
      expect(handled).toHaveLength(1);
    });
  });

  it('whose seen throws has the id of a handled event forgotten: better twice than never', () => {
    const store = memoryReplayGuard();
    let fails = false;
    const guard: ReplayGuard = { seen: (id) => (fails ? broken() : store.seen(id)), forget: (id) => store.forget(id) };
    return endpoint(style, { guard }, async ({ deliver, handled }) => {
      expect(await deliver(executed('evt_1'))).toEqual(OK);
      fails = true;
      expect(await deliver(executed('evt_1'))).toEqual(FAILED);
      fails = false;
      expect(await deliver(executed('evt_1'))).toEqual(OK);
      expect(handled).toHaveLength(2);
    });
  });

  it.each(['OK', null, undefined, 1])(
    'that answers %j instead of true or false is refused, since every event could be lost',
    (answer) =>
      endpoint(style, { guard: { seen: () => answer as never, forget: () => {} } }, async (made) => {
        expect(await made.deliver(executed('evt_1'))).toEqual(FAILED);
        expect(made.handled).toEqual([]);
        expect(made.failures).toEqual([{ error: expect.any(ConfigurationError), event: expect.anything() }]);
      }),
  );

  it('whose forget fails is reported beside the failure, and the answer stays 500', () => {
    const guard: ReplayGuard = { seen: () => false, forget: async () => broken() };
    const onEvent = throwing(new Error('no database'));
    return endpoint(style, { guard, onEvent }, async ({ deliver, failures }) => {
      expect(await deliver(executed('evt_1'))).toEqual(FAILED);
      expect(failures.map(({ error }) => (error as Error).message)).toEqual(['no database', 'no Redis']);
    });
  });

  it('that cannot forget is told of when it matters', () => {
    const ids = new Set<string>();
    const guard: ReplayGuard = { seen: (id) => ids.size === ids.add(id).size };
    let fails = false;
    const onEvent = () => {
      if (fails) throw new Error('no database');
    };
    return endpoint(style, { guard, onEvent }, async ({ deliver, failures }) => {
      expect(await deliver(executed('evt_1'))).toEqual(OK);
      expect(failures).toEqual([]);
      fails = true;
      expect(await deliver(executed('evt_2'))).toEqual(FAILED);
      expect(failures[1]?.error).toBeInstanceOf(ConfigurationError);
      expect(String(failures[1]?.error)).toContain('forget');
    });
  });
});
