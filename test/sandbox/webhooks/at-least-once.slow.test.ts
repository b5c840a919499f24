import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Delivery, Sandbox } from '../../../src/sandbox/index.js';
import { DEFAULT_BACKOFF_MS } from '../../../src/sandbox/webhooks/delivery/delivery.js';
import { answering, Receiver, stalling } from './support/receiver.js';
import { deposit, inProcess, NOWHERE, only, pass, sandboxOf, sendEvents, sendingTo } from './support/sending.js';
import { expectSignedBy } from './support/signed.js';

const byStatus = (deliveries: readonly Delivery[]) => {
  const counts = { pending: 0, delivered: 0, failed: 0 };
  for (const { status } of deliveries) counts[status] += 1;
  return counts;
};

/** The snapshot as it comes back from a file. */
const stored = (sandbox: Sandbox) => JSON.parse(JSON.stringify(sandbox.snapshot()));

describe('a snapshot', () => {
  test('holds what is pending: it goes on where it was, by the same plan, with the same secret', async () => {
    const receiver = await Receiver.open(answering(500));
    const before = sandboxOf();
    const { signing_secret } = before.webhooks.register({ url: receiver.url, events: ['deposit.completed'] });
    await sendEvents(before);
    await pass(before, 1_000);
    const after = sandboxOf({ snapshot: stored(before) });
    expect(after.webhooks.listDeliveries()).toEqual(before.webhooks.listDeliveries());
    receiver.behave = answering(200);
    await pass(after, 1_999);
    expect(receiver.received).toHaveLength(2);
    await pass(after, 1);
    expect(only(after)).toMatchObject({ status: 'delivered', attempts: [{}, {}, { status: 200 }] });
    expect(new Set(receiver.ids)).toEqual(new Set([only(after).eventId]));
    for (const delivery of receiver.received) expectSignedBy(delivery, [signing_secret]);
  });

  test('holds what is in flight or waits for its turn: it is sent again', async () => {
    const receiver = await Receiver.open(stalling);
    const before = sendingTo(receiver.url, 20);
    await receiver.arrived(16);
    const snapshot = stored(before);
    await before.close();
    receiver.behave = answering(200);
    const after = sandboxOf({ snapshot });
    expect(byStatus(after.webhooks.listDeliveries())).toEqual({ pending: 20, delivered: 0, failed: 0 });
    await after.webhooks.idle();
    expect(byStatus(after.webhooks.listDeliveries())).toEqual({ pending: 0, delivered: 20, failed: 0 });
    expect(new Set(receiver.ids)).toEqual(new Set(after.webhooks.listDeliveries().map(({ eventId }) => eventId)));
    expect(receiver.received).toHaveLength(36);
  });

  test('that is taken after the end holds them, too', async () => {
    const receiver = await Receiver.open(stalling);
    const before = sendingTo(receiver.url, 1);
    await receiver.arrived(1);
    await before.close();
    expect(only(before)).toMatchObject({ status: 'pending', attempts: [] });
    receiver.behave = answering(200);
    const after = sandboxOf({ snapshot: stored(before) });
    await after.webhooks.idle();
    expect(only(after)).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] });
    expect(receiver.ids).toEqual([only(after).eventId, only(after).eventId]);
  });

  test('makes no attempt twice: neither what has ended nor what is due later', async () => {
    const receiver = await Receiver.open(answering(500));
    const before = sandboxOf();
    const { id } = before.webhooks.register({ url: receiver.url, events: ['deposit.completed'] });
    await sendEvents(before);
    before.webhooks.update(id, { disabled: true });
    before.webhooks.update(id, { disabled: false });
    receiver.behave = answering(200);
    await sendEvents(before);
    receiver.behave = answering(500);
    await sendEvents(before);
    expect(byStatus(before.webhooks.listDeliveries())).toEqual({ pending: 1, delivered: 1, failed: 1 });
    receiver.behave = answering(200);
    const after = sandboxOf({ snapshot: stored(before) });
    await after.webhooks.idle();
    expect(receiver.received).toHaveLength(3);
    await pass(after, 100_000_000);
    expect(receiver.received).toHaveLength(4);
    expect(byStatus(after.webhooks.listDeliveries())).toEqual({ pending: 0, delivered: 2, failed: 1 });
  });

  test('goes on by itself where the clock runs', async () => {
    const receiver = await Receiver.open(answering(500));
    const before = sendingTo(receiver.url, 1, { realTime: true });
    await receiver.arrived(1);
    const snapshot = stored(before);
    await before.close();
    receiver.behave = answering(200);
    const after = sandboxOf({ snapshot, realTime: true });
    await receiver.arrived(2);
    await after.webhooks.idle();
    expect(only(after).status).toBe('delivered');
  });

  test('keeps the overlap of a rotation', async () => {
    const receiver = await Receiver.open();
    const before = sandboxOf();
    const { id, signing_secret: old } = before.webhooks.register({ url: receiver.url, events: ['deposit.completed'] });
    const { signing_secret: next } = before.webhooks.rotateSecret(id, { overlap: 1_000 });
    const after = sandboxOf({ snapshot: stored(before) });
    for (const ms of [999, 1]) {
      after.advance(ms);
      await sendEvents(after);
    }
    const [during, later] = receiver.received;
    if (during === undefined || later === undefined) throw new Error('two deliveries were expected');
    expectSignedBy(during, [next, old]);
    expectSignedBy(later, [next]);
  });
});

describe('a slow receiver', () => {
  test('has 16 deliveries in hand at most; the others wait, and none is lost', async () => {
    const held: ServerResponse[] = [];
    const receiver = await Receiver.open((response) => void held.push(response));
    const sandbox = sandboxOf();
    const { url } = await sandbox.listen();
    sandbox.webhooks.register({ url: receiver.url });
    for (let index = 0; index < 100; index += 1) deposit(sandbox);
    await receiver.arrived(16);
    // A whole exchange that begins after them: a 17th would be there before it is over.
    await fetch(`${url}/v1/webhooks`);
    expect(held).toHaveLength(16);
    receiver.behave = answering(204);
    for (const response of held) response.writeHead(204).end();
    await sandbox.webhooks.idle();
    expect(receiver.mostInHand).toBe(16);
    expect(new Set(receiver.ids)).toHaveProperty('size', 100);
    expect(byStatus(sandbox.webhooks.listDeliveries())).toEqual({ pending: 0, delivered: 100, failed: 0 });
  });

  test('that never answers does not keep the API waiting', async () => {
    const receiver = await Receiver.open(stalling);
    const sandbox = sendingTo(receiver.url, 30);
    await receiver.arrived(16);
    const { url } = await sandbox.listen();
    expect((await fetch(`${url}/v1/webhooks`)).status).toBe(401);
    expect(receiver.received).toHaveLength(16);
  });
});

test('500 webhooks get 25 events each, though up to two attempts of each fail', async () => {
  let [inHand, most, deliveries] = [0, 0, 0];
  const failuresLeft = new Map<string, number>();
  const arrived = new Map<string, Set<string>>();
  const sandbox = inProcess(async (request) => {
    const { url } = request;
    const { id } = JSON.parse(await request.text());
    const key = `${url} ${id}`;
    const left = failuresLeft.get(key) ?? deliveries++ % 3;
    failuresLeft.set(key, left - 1);
    inHand += 1;
    most = Math.max(most, inHand);
    await Promise.resolve();
    inHand -= 1;
    if (left > 0) return new Response(null, { status: 503 });
    arrived.set(url, (arrived.get(url) ?? new Set()).add(id));
    return new Response(null, { status: 204 });
  });
  const events = ['deposit.completed'];
  for (let index = 0; index < 500; index += 1) sandbox.webhooks.register({ url: `${NOWHERE}/${index}`, events });
  for (let index = 0; index < 25; index += 1) deposit(sandbox);
  const pending = () => byStatus(sandbox.webhooks.listDeliveries()).pending;
  expect(pending()).toBe(12_500);
  await sandbox.webhooks.idle();
  for (const wait of DEFAULT_BACKOFF_MS.slice(0, 2)) {
    expect(pending()).toBeGreaterThan(0);
    await pass(sandbox, wait);
  }
  expect(most).toBe(16);
  expect(arrived.size).toBe(500);
  for (const received of arrived.values()) expect(received.size).toBe(25);
  expect(byStatus(sandbox.webhooks.listDeliveries())).toEqual({ pending: 0, delivered: 10_000, failed: 0 });
}, 180_000);

test('of the deliveries that have ended the last 10,000 are remembered, of those that are pending all', async () => {
  let status = 500;
  const sandbox = inProcess(() => new Response(null, { status }));
  for (let index = 0; index < 500; index += 1) sandbox.webhooks.register({ url: `${NOWHERE}/${index}` });
  await sendEvents(sandbox);
  status = 204;
  await sendEvents(sandbox, 21);
  expect(byStatus(sandbox.webhooks.listDeliveries())).toEqual({ pending: 500, delivered: 10_000, failed: 0 });
  const eldest = sandbox.webhooks.listDeliveries().slice(0, 500);
  expect(new Set(eldest.map(({ eventId }) => eventId))).toHaveProperty('size', 1);
  expect(byStatus(eldest).pending).toBe(500);
  await pass(sandbox, 5_000);
  expect(byStatus(sandbox.webhooks.listDeliveries())).toEqual({ pending: 0, delivered: 10_000, failed: 0 });
  expect(sandbox.webhooks.listDeliveries().slice(0, 500)).toMatchObject(
    eldest.map(({ id }) => ({ id, attempts: [{}, {}] })),
  );
}, 180_000);

describe('a receiver that uses the sandbox while it is delivered to', () => {
  test('by its API over HTTP: both go on', async () => {
    const receiver = await Receiver.open();
    const sandbox = sandboxOf();
    const { url } = await sandbox.listen();
    sandbox.webhooks.register({ url: receiver.url });
    receiver.behave = (response) => {
      void fetch(`${url}/v1/webhooks`).then(({ status }) => response.writeHead(status === 401 ? 200 : 500).end());
    };
    await sendEvents(sandbox, 40);
    expect(byStatus(sandbox.webhooks.listDeliveries())).toEqual({ pending: 0, delivered: 40, failed: 0 });
  });

  test('by its methods: what comes of it is delivered, too', async () => {
    const sandbox = inProcess(() => {
      sandbox.advance(1);
      sandbox.snapshot();
      if (sandbox.webhooks.listDeliveries().length < 5) deposit(sandbox);
      return new Response();
    });
    sandbox.webhooks.register({ url: NOWHERE });
    await sendEvents(sandbox);
    expect(byStatus(sandbox.webhooks.listDeliveries())).toEqual({ pending: 0, delivered: 5, failed: 0 });
  });

  test('by removing its own webhook: the attempt still counts', async () => {
    const sandbox = inProcess(() => {
      sandbox.webhooks.remove(id);
      return new Response();
    });
    const { id } = sandbox.webhooks.register({ url: NOWHERE });
    await sendEvents(sandbox, 2);
    expect(
      sandbox.webhooks
        .listDeliveries()
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['delivered', 'failed']);
  });
});
