import { beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { answering, Receiver } from './support/receiver.js';
import { deposit, only, outcomes, pass, sandboxOf, sendEvents } from './support/sending.js';

describe('what is pending ends as failed, with the reason,', () => {
  const ending = [
    ['removed', (id: string) => sending.webhooks.remove(id), 'the webhook was removed'],
    ['disabled', (id: string) => void sending.webhooks.update(id, { disabled: true }), 'the webhook was disabled'],
  ] as const;
  let receiver: Receiver;
  let sending: Sandbox;
  beforeEach(async () => {
    receiver = await Receiver.open(answering(500));
    sending = sandboxOf();
  });

  /** Ends the webhook in the middle of an attempt, which is then answered. */
  async function endMeanwhile(end: (id: string) => void, status: number): Promise<void> {
    let answer = (): void => {};
    receiver.behave = (response) => {
      answer = () => response.writeHead(status).end();
    };
    const { id } = sending.webhooks.register({ url: receiver.url });
    deposit(sending);
    await receiver.arrived(1);
    end(id);
    answer();
  }

  test.each(ending)('when its webhook is %s', async (_, end, reason) => {
    const { id } = sending.webhooks.register({ url: receiver.url });
    await sendEvents(sending);
    end(id);
    expect(only(sending)).toMatchObject({ status: 'failed', reason, attempts: [{ status: 500 }] });
    expect(only(sending).nextAttemptAt).toBeUndefined();
    receiver.behave = answering(200);
    deposit(sending);
    await pass(sending, 100_000_000);
    expect(receiver.received).toHaveLength(1);
    await expect(sending.webhooks.redeliver(only(sending).id)).rejects.toThrow(
      /^webhooks\.redeliver: the webhook ep_\w+ (was removed|is disabled)$/,
    );
  });

  test.each(ending)('also in the middle of an attempt that fails when it is %s', async (_, end, reason) => {
    await endMeanwhile(end, 500);
    await pass(sending, 100_000_000);
    expect(only(sending)).toMatchObject({ status: 'failed', reason, attempts: [{ status: 500 }] });
    expect(only(sending).nextAttemptAt).toBeUndefined();
    expect(receiver.received).toHaveLength(1);
  });

  test.each(ending)('but one that succeeds in that moment is delivered: %s', async (_, end) => {
    await endMeanwhile(end, 200);
    await sending.webhooks.idle();
    expect(only(sending)).toMatchObject({ status: 'delivered', reason: undefined });
  });

  test.each(ending)('also what waits for its turn when it is %s', async (_, end) => {
    receiver.behave = () => {};
    const { id } = sending.webhooks.register({ url: receiver.url });
    for (let index = 0; index < 20; index += 1) deposit(sending);
    await receiver.arrived(16);
    end(id);
    expect(sending.webhooks.listDeliveries().map(({ status }) => status)).toEqual(Array(20).fill('failed'));
    await receiver.close();
    await sending.webhooks.idle();
    expect(receiver.received).toHaveLength(16);
    expect(sending.webhooks.listDeliveries().filter(({ attempts }) => attempts.length > 0)).toHaveLength(16);
  });

  test('and nothing of it comes back with the webhook: it can be delivered again by hand', async () => {
    const { id } = sending.webhooks.register({ url: receiver.url, events: ['deposit.completed'] });
    await sendEvents(sending);
    sending.webhooks.update(id, { disabled: true });
    sending.webhooks.update(id, { disabled: false });
    await pass(sending, 100_000_000);
    expect(outcomes(sending)).toEqual([500]);
    receiver.behave = answering(200);
    expect(await sending.webhooks.redeliver(only(sending).id)).toMatchObject({
      status: 'delivered',
      reason: undefined,
    });
  });
});
