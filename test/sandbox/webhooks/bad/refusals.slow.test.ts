import { describe, expect, test, vi } from 'vitest';
import type { DeliveryEffects } from '../../../../src/sandbox/index.js';
import { type WebhookRejection, webhookHandler } from '../../../../src/webhooks/index.js';
import { inProcess, NOWHERE, pass, sendEvents } from '../support/sending.js';

/** The seed has events of its own, of other kinds. */
const DEPOSITS = { url: NOWHERE, events: ['deposit.completed'] };

/** A sandbox that delivers to the receiver of the package, and what that one made of it. */
function withReceiver(options?: { readonly scheme: 'body' }) {
  const handled: string[] = [];
  const refused: string[] = [];
  let receive: ReturnType<typeof webhookHandler> | undefined;
  const sandbox = inProcess((request) => receive?.(request) ?? new Response(null, { status: 503 }));
  const { signing_secret: secret } = sandbox.webhooks.register({
    url: NOWHERE,
    events: ['deposit.completed'],
    ...options,
  });
  receive = webhookHandler({
    secret,
    scheme: options?.scheme ?? 'timestamped',
    onEvent: ({ type }) => void handled.push(type),
    onRejected: ({ reason }: WebhookRejection) => void refused.push(reason),
  });
  return { sandbox, handled, refused };
}

describe('the receiver of the package', () => {
  test.each<[what: string, effects: DeliveryEffects, reason: string]>([
    ['a wrong signature', { signature: 'wrong' }, 'bad_signature'],
    ['a missing signature', { signature: 'missing' }, 'missing_header'],
    ['a signature by another secret', { signature: 'other_secret' }, 'bad_signature'],
    ['a header of another form', { signature: 'malformed' }, 'bad_format'],
    ['a stale time', { timestamp: 'stale' }, 'too_old'],
    ['a time in the future', { timestamp: 'future' }, 'too_new'],
    ['a time that is 301 s old', { timestamp: -302_000 }, 'too_old'],
    ['a changed body', { body: 'changed' }, 'bad_signature'],
    ['a body that was written anew', { body: 'reserialized' }, 'bad_signature'],
    ['half a body', { body: 'truncated' }, 'bad_signature'],
  ])('refuses %s, and takes the next attempt', async (_, delivery, reason) => {
    const { sandbox, handled, refused } = withReceiver();
    const { id } = sandbox.troubles.add({ does: { delivery } });
    await sendEvents(sandbox);
    expect(refused).toEqual([reason]);
    expect(handled).toEqual([]);
    expect(sandbox.webhooks.listDeliveries()).toMatchObject([
      { status: 'pending', attempts: [{ status: 400, fault: id }] },
    ]);
    await pass(sandbox, 1_000);
    expect(handled).toEqual(['deposit.completed']);
    expect(sandbox.webhooks.listDeliveries()[0]?.attempts[1]).not.toHaveProperty('fault');
    expect(sandbox.troubles.list()).toEqual([]);
  });

  test.each<[what: string, effects: DeliveryEffects, events: string[]]>([
    ['a time that is 290 s old', { timestamp: -290_000 }, ['deposit.completed']],
    ['an event of a kind that it does not know', { sentAs: 'loan.repaid' }, ['loan.repaid']],
    ['another label of the body', { contentType: 'text/plain' }, ['deposit.completed']],
    ['five copies at the same time, once', { duplicate: 5 }, ['deposit.completed']],
  ])('takes %s', async (_, delivery, events) => {
    const { sandbox, handled, refused } = withReceiver();
    sandbox.troubles.add({ does: { delivery } });
    await sendEvents(sandbox);
    expect([handled, refused]).toEqual([events, []]);
    expect(sandbox.webhooks.listDeliveries()).toMatchObject([{ status: 'delivered' }]);
  });

  test.each<[what: string, effects: DeliveryEffects, isTaken: boolean]>([
    ['refuses a wrong signature', { signature: 'wrong' }, false],
    ['refuses a changed body', { body: 'changed' }, false],
    ['takes any time, as none is signed', { timestamp: 'stale' }, true],
  ])('in the scheme body %s', async (_, delivery, isTaken) => {
    const { sandbox, handled } = withReceiver({ scheme: 'body' });
    sandbox.troubles.add({ does: { delivery } });
    await sendEvents(sandbox);
    expect(handled).toHaveLength(isTaken ? 1 : 0);
  });
});

test('copies go out together, and the log has each of them', async () => {
  let inHand = 0;
  let most = 0;
  const sandbox = inProcess(async () => {
    inHand += 1;
    most = Math.max(most, inHand);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inHand -= 1;
    return new Response(null, { status: 204 });
  });
  sandbox.webhooks.register(DEPOSITS);
  sandbox.troubles.add({ does: { delivery: { duplicate: 2 } } });
  await sendEvents(sandbox);
  expect(most).toBe(3);
  const [delivery] = sandbox.webhooks.listDeliveries();
  expect(delivery?.attempts.map(({ copy }) => copy ?? false).sort()).toEqual([false, true, true]);
  expect(delivery?.status).toBe('delivered');
});

test('a copy that fails changes neither plan nor status, and one that succeeds ends the plan', async () => {
  const answers = [500, 204, 500];
  const sandbox = inProcess(() => new Response(null, { status: answers.shift() ?? 500 }));
  sandbox.webhooks.register(DEPOSITS);
  sandbox.troubles.add({ does: { delivery: { duplicate: 2 } } });
  await sendEvents(sandbox);
  expect(sandbox.webhooks.listDeliveries()).toMatchObject([{ status: 'delivered', nextAttemptAt: undefined }]);
  await pass(sandbox, 60_000);
  expect(sandbox.webhooks.listDeliveries()[0]?.attempts).toHaveLength(3);
});

test('copies that fail are no attempts of the plan: the next one comes as early as without them', async () => {
  const sandbox = inProcess(() => new Response(null, { status: 500 }));
  sandbox.webhooks.register(DEPOSITS);
  sandbox.troubles.add({ does: { delivery: { duplicate: 8 } } });
  await sendEvents(sandbox);
  expect(sandbox.webhooks.listDeliveries()).toMatchObject([
    { status: 'pending', nextAttemptAt: sandbox.clock.now() + 1_000 },
  ]);
});

test('a lost delivery reaches nobody, and counts as delivered', async () => {
  const deliver = vi.fn(() => new Response(null, { status: 204 }));
  const sandbox = inProcess(deliver);
  sandbox.webhooks.register(DEPOSITS);
  const { id } = sandbox.troubles.add({ does: { delivery: { drop: true } } });
  await sendEvents(sandbox);
  expect(deliver).not.toHaveBeenCalled();
  expect(sandbox.webhooks.listDeliveries()).toMatchObject([
    { status: 'delivered', attempts: [{ status: 200, lost: true, fault: id }] },
  ]);
  await sendEvents(sandbox);
  expect(deliver).toHaveBeenCalledOnce();
});

test('a late delivery goes out at its time by the clock, and not before', async () => {
  const deliver = vi.fn(() => new Response(null, { status: 204 }));
  const sandbox = inProcess(deliver);
  sandbox.webhooks.register(DEPOSITS);
  const began = sandbox.clock.now();
  sandbox.troubles.add({ does: { delivery: { delayMs: 60_000 } } });
  await sendEvents(sandbox);
  expect(sandbox.webhooks.listDeliveries()).toMatchObject([{ status: 'pending', nextAttemptAt: began + 60_000 }]);
  await pass(sandbox, 59_999);
  expect(deliver).not.toHaveBeenCalled();
  await pass(sandbox, 1);
  expect(sandbox.webhooks.listDeliveries()).toMatchObject([
    { status: 'delivered', attempts: [{ at: began + 60_000 }] },
  ]);
});

describe('a delivery that shall be overtaken', () => {
  const ordered = () => {
    const ids: string[] = [];
    const sandbox = inProcess(async (request) => {
      ids.push(JSON.parse(await request.text()).id);
      return new Response(null, { status: 204 });
    });
    sandbox.webhooks.register(DEPOSITS);
    const sent = () => sandbox.webhooks.listDeliveries().map(({ eventId }) => eventId);
    return { sandbox, ids, sent };
  };

  test('goes out after the next one of its webhook', async () => {
    const { sandbox, ids, sent } = ordered();
    sandbox.troubles.add({ does: { delivery: { reorder: true } } });
    await sendEvents(sandbox);
    expect(ids).toEqual([]);
    await sendEvents(sandbox);
    expect(ids).toEqual(sent().reverse());
    await pass(sandbox, 200_000);
    expect(ids).toHaveLength(2);
  });

  test('goes out after a minute if none follows', async () => {
    const { sandbox, ids } = ordered();
    sandbox.troubles.add({ does: { delivery: { reorder: true } } });
    await sendEvents(sandbox);
    await pass(sandbox, 59_999);
    expect(ids).toEqual([]);
    await pass(sandbox, 1);
    expect(ids).toHaveLength(1);
  });

  test('changes places with its neighbour if all shall be', async () => {
    const { sandbox, ids, sent } = ordered();
    sandbox.troubles.add({ does: { delivery: { reorder: true } }, times: 'always' });
    for (let index = 0; index < 4; index += 1) await sendEvents(sandbox);
    const [first, second, third, fourth] = sent();
    expect(ids).toEqual([second, first, fourth, third]);
  });
});

describe('effects on deliveries apply to', () => {
  test('only what it names, as often as it says', async () => {
    const sandbox = inProcess();
    const delivery = { drop: true };
    const { id: other } = sandbox.webhooks.register(DEPOSITS);
    const { id: named } = sandbox.webhooks.register(DEPOSITS);
    sandbox.troubles.add({ match: { event: 'quote.executed' }, does: { delivery } });
    sandbox.troubles.add({ match: { webhookId: named, event: 'deposit.completed' }, does: { delivery }, times: 2 });
    expect(sandbox.troubles.list()).toMatchObject([{ left: 1 }, { applied: 0, left: 2 }]);
    await sendEvents(sandbox, 3);
    const lost = sandbox.webhooks.listDeliveries().filter(({ attempts }) => attempts.some((one) => one.lost));
    expect(lost.map(({ webhookId }) => webhookId)).toEqual([named, named]);
    expect(sandbox.webhooks.listDeliveries().filter(({ webhookId }) => webhookId === other)).toHaveLength(3);
    expect(sandbox.troubles.list()).toMatchObject([{ match: { event: 'quote.executed' }, applied: 0 }]);
  });

  test('one event alone, or the nth of its kind', async () => {
    const sandbox = inProcess();
    sandbox.webhooks.register(DEPOSITS);
    sandbox.troubles.add({ match: { eventId: 'evt_1' }, does: { delivery: { drop: true } }, times: 'always' });
    sandbox.troubles.add({ match: { nth: 2 }, does: { delivery: { duplicate: 1 } } });
    for (const eventId of ['evt_0', 'evt_1', 'evt_2', 'evt_3', 'evt_1']) {
      await sandbox.webhooks.trigger('deposit.completed', {}, { eventId });
    }
    const attempts = sandbox.webhooks.listDeliveries().map(({ attempts }) => attempts.map(({ lost = false }) => lost));
    expect(attempts).toEqual([[false], [true], [false, false], [false], [true]]);
  });

  test('some by chance as the seed draws it, until they are removed', async () => {
    const sandbox = inProcess();
    sandbox.webhooks.register(DEPOSITS);
    const { id, left } = sandbox.troubles.add({
      does: { delivery: { drop: true } },
      times: 'always',
      probability: 0.5,
    });
    expect(left).toBe('always');
    await sendEvents(sandbox, 40);
    const [trouble] = sandbox.troubles.list();
    expect(trouble?.applied).toBeGreaterThan(8);
    expect(trouble?.applied).toBeLessThan(32);
    sandbox.troubles.remove(id);
    await sendEvents(sandbox, 5);
    expect(
      sandbox.webhooks
        .listDeliveries()
        .slice(-5)
        .flatMap(({ attempts }) => attempts.filter((one) => one.lost)),
    ).toEqual([]);
  });

  test('redeliveries and tests too, but holds none of them back', async () => {
    const sandbox = inProcess();
    sandbox.webhooks.register(DEPOSITS);
    await sendEvents(sandbox);
    const [delivery] = sandbox.webhooks.listDeliveries();
    sandbox.troubles.add({ does: { delivery: { delayMs: 1_000 } } });
    const { id } = sandbox.troubles.add({ does: { delivery: { drop: true } } });
    const after = await sandbox.webhooks.redeliver(delivery?.id ?? '');
    expect(after.attempts.at(-1)).toMatchObject({ lost: true, fault: id, redelivery: true });
    expect(sandbox.troubles.list()).toMatchObject([{ does: { delivery: { delayMs: 1_000 } }, left: 1 }]);
  });

  test('nothing after a removal of its webhook while it holds a delivery back', async () => {
    const deliver = vi.fn(() => new Response(null, { status: 204 }));
    const sandbox = inProcess(deliver);
    const { id } = sandbox.webhooks.register(DEPOSITS);
    sandbox.troubles.add({ does: { delivery: { delayMs: 1_000 } } });
    await sendEvents(sandbox);
    sandbox.webhooks.remove(id);
    await pass(sandbox, 1_000);
    expect(deliver).not.toHaveBeenCalled();
    expect(sandbox.webhooks.listDeliveries()).toMatchObject([{ status: 'failed' }]);
  });
});

test.each<[effects: unknown, message: RegExp]>([
  [{}, /^troubles\.add: does\.delivery must say what goes wrong: drop, delayMs, duplicate/],
  [{ drop: false }, /does\.delivery must say what goes wrong/],
  [{ drop: true, signature: 'wrong' }, /does\.delivery must leave signature out: drop sends nothing/],
  [{ delayMs: 1, reorder: true }, /does\.delivery must have delayMs or reorder: both hold a delivery back/],
  [{ delayMs: 0 }, /does\.delivery\.delayMs must be a whole number from 1 to 2147483647/],
  [{ duplicate: 101 }, /duplicate must be a whole number from 1 to 100/],
  [{ timestamp: 'old' }, /timestamp must be 'stale', 'future' or milliseconds/],
  [{ timestamp: 1e13 }, /timestamp must be from -1000000000000 to 1000000000000/],
  [{ sentAs: 'a\nb' }, /sentAs must be a string of 1 to 200 printable/],
  [{ contentType: 'ä' }, /contentType must be a string of 1 to 200 printable/],
  [{ signatur: 'wrong' }, /does\.delivery must not have signatur: did you mean signature\?/],
])('the effects %j are refused', (delivery, message) => {
  const { troubles } = inProcess();
  expect(() => troubles.add({ does: { delivery: delivery as DeliveryEffects } })).toThrow(message);
  expect(troubles.list()).toEqual([]);
});
