import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Deliver } from '../../../src/sandbox/index.js';
import { inProcess as inProcessExchange } from '../../../src/sandbox/webhooks/delivery/in-process.js';
import { Sender } from '../../../src/sandbox/webhooks/delivery/sender.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { answering, Receiver, stalling } from './support/receiver.js';
import { deposit, inProcess, NOWHERE, only, pass, sendEvents, sendingTo, withStillTimers } from './support/sending.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await Receiver.open(stalling);
});

describe('close', () => {
  test('ends attempts in flight at once, and begins none that wait', async () => {
    const sandbox = sendingTo(receiver.url, 40);
    await receiver.arrived(16);
    const idle = sandbox.webhooks.idle();
    await sandbox.close();
    await idle;
    await expect.poll(() => receiver.openSockets).toBe(0);
    expect(receiver.received).toHaveLength(16);
    expect(receiver.connections).toBe(16);
    for (const delivery of sandbox.webhooks.listDeliveries())
      expect(delivery).toMatchObject({ status: 'pending', attempts: [] });
  });

  test('is not told to onDelivery: it says nothing about the receiver', async () => {
    const onDelivery = vi.fn();
    const sandbox = inProcess(() => new Promise(() => {}), { onDelivery });
    sandbox.webhooks.register({ url: NOWHERE });
    deposit(sandbox);
    const idle = sandbox.webhooks.idle();
    await sandbox.close();
    await idle;
    expect(onDelivery).not.toHaveBeenCalled();
  });

  test('ends them also where nobody listens to their signal, and what comes late changes nothing', async () => {
    let late: (response: Response) => void = () => {};
    const sandbox = inProcess(
      () =>
        new Promise((resolve) => {
          late = resolve;
        }),
    );
    sandbox.webhooks.register({ url: NOWHERE });
    deposit(sandbox);
    const idle = sandbox.webhooks.idle();
    await new Promise((resolve) => setImmediate(resolve));
    await sandbox.close();
    await idle;
    late(new Response(null, { status: 200 }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(only(sandbox)).toMatchObject({ status: 'pending', attempts: [] });
  });

  test('leaves nothing that runs afterwards, whatever becomes due', async () => {
    receiver.behave = answering(500);
    const sandbox = sendingTo(receiver.url, 1);
    await sandbox.webhooks.idle();
    await sandbox.close();
    await pass(sandbox, 100_000_000);
    await sendEvents(sandbox);
    expect(receiver.received).toHaveLength(1);
  });

  test('leaves no timer', async () => {
    await withStillTimers(async () => {
      const sandbox = inProcess(() => new Promise(() => {}), { realTime: true });
      sandbox.webhooks.register({ url: NOWHERE });
      for (let index = 0; index < 20; index += 1) deposit(sandbox);
      const idle = sandbox.webhooks.idle();
      await vi.advanceTimersByTimeAsync(0);
      expect(vi.getTimerCount()).toBeGreaterThanOrEqual(16);
      await sandbox.close();
      await idle;
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  test('refuses redeliveries, those that wait and those that run', async () => {
    const sandbox = sendingTo(receiver.url, 1);
    await receiver.arrived(1);
    const { id } = only(sandbox);
    const asked = [sandbox.webhooks.redeliver(id), sandbox.webhooks.redeliver(id)];
    const refusals = asked.map((one) => expect(one).rejects.toThrow('redeliver: the sandbox is closed'));
    await sandbox.close();
    await Promise.all(refusals);
    await expect(sandbox.webhooks.redeliver(id)).rejects.toThrow('redeliver: the sandbox is closed');
    expect(receiver.received).toHaveLength(1);
  });
});

test('an application that does not hold its request hears of the end, also after the garbage was collected', async () => {
  let deliver: Deliver = () => new Response();
  const sender = new Sender(inProcessExchange((request) => deliver(request)));
  const send = () => sender.send({ url: receiver.url, headers: {}, body: '{}' }, []);
  // Only code that runs often is compiled so that it forgets what it will not read again.
  for (let index = 0; index < 30_000; index += 1) await send();
  // The platform's fetch holds the request's signal weakly.
  deliver = (request) => fetch(request);
  const answers = Array.from({ length: 16 }, send);
  await receiver.arrived(16);
  for (let index = 0; index < 10; index += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }
  expect(receiver.inHand).toBe(16);
  sender.close();
  expect(await Promise.all(answers)).toEqual(Array(16).fill({ status: undefined, error: 'the sandbox was closed' }));
  await expect.poll(() => receiver.inHand).toBe(0);
}, 180_000);
