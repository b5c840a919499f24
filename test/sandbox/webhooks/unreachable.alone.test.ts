import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSandbox } from '../support/partner.js';
import { answering, Receiver, stalling } from './support/receiver.js';

const HOUR = 3_600_000;

test('a clock that waits for deliveries goes on although many receivers never answer, and all get their retries', async () => {
  const { sandbox } = await openSandbox();
  const silent = await Receiver.open(stalling);
  const healthy = await Receiver.open(answering(204));
  const ids = Array.from({ length: 26 }, (_, place) => {
    return sandbox.webhooks.register({ url: `${silent.url}/${place}`, events: ['deposit.completed'] }).id;
  });
  sandbox.webhooks.register({ url: healthy.url, events: ['deposit.completed'] });
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '1' });
  const advanced = sandbox.clock.advance(HOUR, { deliver: true }).then(() => 'advanced');
  // Below the 30 s of a single attempt.
  expect(await Promise.race([advanced, delay(25_000, 'waits', { ref: false })])).toBe('advanced');
  expect(healthy.received).toHaveLength(1);
  for (const webhookId of ids) {
    const [delivery] = sandbox.webhooks.listDeliveries({ webhookId });
    expect([delivery?.status, delivery?.attempts.length]).toEqual(['failed', 9]);
    expect(delivery?.attempts.map(({ error }) => error)).toEqual([
      'no response within 5 s',
      ...Array(8).fill('no response within 0.1 s'),
    ]);
  }
}, 60_000);

test('a receiver that is only slow at first gets each delivery once', async () => {
  const { sandbox } = await openSandbox();
  const receiver = await Receiver.open((response) => void setTimeout(() => response.writeHead(204).end(), 700));
  sandbox.webhooks.register({ url: receiver.url, events: ['deposit.completed'] });
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '1' });
  await sandbox.clock.advance(HOUR, { deliver: true });
  expect(receiver.received).toHaveLength(1);
});

test('a delivery that began before is limited, too', async () => {
  const { sandbox } = await openSandbox();
  const receiver = await Receiver.open(stalling);
  sandbox.webhooks.register({ url: receiver.url, events: ['deposit.completed'] });
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '1' });
  sandbox.advance(0);
  await receiver.arrived(1);
  const advanced = sandbox.clock.advance(1, { deliver: true }).then(() => 'advanced');
  expect(await Promise.race([advanced, delay(25_000, 'waits', { ref: false })])).toBe('advanced');
}, 60_000);
