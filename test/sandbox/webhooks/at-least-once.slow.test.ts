import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Delivery, Sandbox } from '../../../src/sandbox/index.js';
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

  test('keeps the overlap of a rotation', async () => {
    const receiver = await Receiver.open();
    const before = sandboxOf();
    const { id, signing_secret: old } = before.webhooks.register({ url: receiver.url, events: ['deposit.completed'] });
    const { signing_secret: next } = before.webhooks.rotateSecret(id, { overlapMs: 1_000 });
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
});

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
