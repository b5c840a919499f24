// The recipes of docs/webhooks/webhooks-sql.md at work: node main.mjs <postgres|sqlite> <socket folder|file>
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { signWebhook, webhookHandler } from 'partner-sdk/webhooks';
import { openStore } from './store.mjs';

const EVENTS = 60;
const RECEIVERS = 2;
/** The share of the moments at which a receiver may die. */
const DEATHS = '0.08';
const SECRET = Buffer.from('a signing secret').toString('base64');

const [kind, place] = process.argv.slice(2);
const store = await openStore(kind, place);
await store.prepare();
const book = store.handlerOf((event, client) => store.booking(event, client, () => {}));
try {
  await everyEffectTakesPlaceOnce();
  await aFailedEffectLeavesNothing();
  await aFailureThatTheEffectHidesIsAnswered500();
  if (store.breaking !== undefined) await aBrokenConnectionIsAnswered500();
  await anEventIsKnownByWhatIsSigned();
  await theGuardKnowsOtherProcesses();
} finally {
  await store.close();
}

/** Receivers die all the time, each delivery goes to two of them at once, and comes again until it is answered 200. */
async function everyEffectTakesPlaceOnce() {
  const receivers = Array.from({ length: RECEIVERS }, () => undefined);
  const began = { deaths: 0, running: true };
  const lives = receivers.map(async (_, index) => {
    while (began.running) {
      const child = fork('receiver.mjs', [kind, place, SECRET, DEATHS], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const exit = once(child, 'exit');
      [receivers[index]] = await Promise.race([once(child, 'message'), exit.then(() => [undefined])]);
      if (!began.running) child.kill();
      const stop = setInterval(() => began.running || child.kill(), 20);
      await exit;
      clearInterval(stop);
      receivers[index] = undefined;
      if (began.running) began.deaths += 1;
    }
  });

  const ids = Array.from({ length: EVENTS }, (_, index) => `event-${String(index).padStart(3, '0')}`);
  const queue = ids.values();
  const deliverAll = async () => {
    for (const id of queue) {
      for (let answered = false; !answered; ) {
        const answers = await Promise.all(receivers.map((port) => post(port, id)));
        answered = answers.includes(200);
        if (!answered) await sleep(20);
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, deliverAll));
  began.running = false;
  await Promise.all(lives);

  assert.deepEqual(await store.bookings(), ids, 'each event has one booking');
  assert.ok(began.deaths > 5, `only ${began.deaths} receivers died`);
  console.log(`${EVENTS} events, ${began.deaths} deaths, each booked once`);
}

async function post(port, id) {
  if (port === undefined) return undefined;
  const { body, headers } = deliveryOf({ id, type: 'deposit.completed', data: {} });
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
    await response.text();
    return response.status;
  } catch {
    return undefined;
  }
}

function deliveryOf(payload) {
  const body = JSON.stringify(payload);
  return { body, headers: { 'content-type': 'application/json', ...signWebhook({ body, secret: SECRET }) } };
}

/** Delivers once and gives the status. `headers` are added to those of the delivery. */
async function deliver(onEvent, payload, headers = {}) {
  const handle = webhookHandler({ secret: SECRET, guard: store.noGuard, onEvent, onError: () => {} });
  const { body, headers: own } = deliveryOf(payload);
  const init = { method: 'POST', body, headers: { ...own, ...headers } };
  return (await handle(new Request('http://localhost/', init))).status;
}

async function bookingsOf(id) {
  return (await store.bookings()).filter((booked) => booked === id).length;
}

async function aFailedEffectLeavesNothing() {
  const payload = { id: 'failed-at-first', type: 'deposit.completed', data: {} };
  const fail = () => {
    throw new Error('the effect failed');
  };
  // SQLite's effect must not wait, so both forms throw before or after their booking by one function.
  const failing = store.handlerOf((event, client) => {
    const booked = store.booking(event, client, () => {});
    return booked === undefined ? fail() : booked.then(fail);
  });
  assert.equal(await deliver(failing, payload), 500);
  assert.equal(await bookingsOf(payload.id), 0);
  assert.equal(await deliver(book, payload), 200);
  assert.equal(await deliver(book, payload), 200);
  assert.equal(await bookingsOf(payload.id), 1);
}

/** PostgreSQL: a query failed, and the effect caught it. SQLite: the effect gave a promise, so it is not over yet. */
async function aFailureThatTheEffectHidesIsAnswered500() {
  const payload = { id: 'hidden', type: 'deposit.completed', data: {} };
  assert.equal(await deliver(store.swallowing, payload), 500);
  assert.equal(await deliver(book, payload), 200);
  assert.equal(await bookingsOf(payload.id), 1);
}

/** And this process, which listens to no connection, goes on. */
async function aBrokenConnectionIsAnswered500() {
  const payload = { id: 'broken', type: 'deposit.completed', data: {} };
  assert.equal(await deliver(store.breaking, payload), 500);
  assert.equal(await deliver(book, payload), 200);
}

async function anEventIsKnownByWhatIsSigned() {
  const handled = [];
  const count = store.handlerOf((event, client) => {
    handled.push(event.data.status);
    return store.booking(event, client, () => {});
  });
  // The header is that of the subscription, and `id` that of the resource: many events have both.
  const events = ['pending', 'held', 'success'].flatMap((status) => [
    { id: 'W-1', event_type: 'withdrawal.status_updated', status },
    { id: `enveloped-${status}`, type: 'withdrawal.status_updated', data: { id: 'W-1', status } },
  ]);
  for (const subscription of ['ep_1', 'ep_1', 'made-up']) {
    for (const event of events) assert.equal(await deliver(count, event, { 'x-webhook-id': subscription }), 200);
  }
  assert.deepEqual(handled, ['pending', 'pending', 'held', 'held', 'success', 'success'], 'each event has one effect');
}

async function theGuardKnowsOtherProcesses() {
  const [mine, theirs] = [store.guardOf(60), store.guardOf(60)];
  assert.equal(await mine.seen('a'), false);
  assert.equal(await theirs.seen('a'), 'handling');
  await theirs.forget('a');
  assert.equal(await theirs.seen('a'), 'handling', 'what another process holds stays');
  await mine.handled('a');
  assert.equal(await theirs.seen('a'), true);
  await mine.forget('a');
  assert.equal(await theirs.seen('a'), true, 'what is handled stays');

  assert.equal(await mine.seen('b'), false);
  await mine.forget('b');
  assert.equal(await theirs.seen('b'), false);

  // A process that died: its time runs out.
  const dead = store.guardOf(0.05);
  assert.equal(await dead.seen('c'), false);
  await sleep(100);
  assert.equal(await mine.seen('c'), false);
  assert.equal(await dead.seen('c'), 'handling');

  const answers = await Promise.all(Array.from({ length: 20 }, () => store.guardOf(60).seen('d')));
  assert.equal(answers.filter((answer) => answer === false).length, 1, 'one of many takes it');
}
