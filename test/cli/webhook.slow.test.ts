import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../src/webhooks/index.js';
import { answering, Receiver } from '../sandbox/webhooks/support/receiver.js';
import { call, offerQuote } from './support/caller.js';
import { end, type RunningCommand, startListening } from './support/command.js';
import { directory } from './support/directory.js';

/** A partner's webhook: answers with this status. */
const receiver = (status = 204): Promise<Receiver> => Receiver.open(answering(status));

/** Executes a quote, of which webhooks are told. */
async function executeQuote(command: RunningCommand, nonce: bigint): Promise<void> {
  const { data } = (await (await offerQuote(command, nonce, randomUUID())).json()) as { data: { id: string } };
  const path = `/v1/accounts/${command.fixture('accountId')}/quotes/${data.id}/execute`;
  expect((await call(command, { method: 'POST', path, nonce: nonce + 1n })).status).toBe(200);
}

async function subscribedUrls(command: RunningCommand, nonce: bigint): Promise<string[]> {
  const answer = await call(command, { path: '/v1/webhooks?page_size=25', nonce });
  const { data } = (await answer.json()) as { data: { url: string }[] };
  return data.map(({ url }) => url).filter((url) => url.startsWith('http://127.0.0.1'));
}

const deliveryLine = / webhook quote\.executed .*attempt 1 +evt_\S+ +http:\/\/127\.0\.0\.1:\d+\/webhooks/;

/** The line of the delivery of a quote that it executes. */
async function deliveryOf(command: RunningCommand): Promise<string | undefined> {
  await executeQuote(command, 1n);
  await command.until(({ stdout }) => deliveryLine.test(stdout));
  return command.lines.find((line) => deliveryLine.test(line));
}

test('events are delivered there, signed with the secret that it has printed, and each attempt is a line', async () => {
  const { url, received } = await receiver();
  const command = await startListening(['--webhook', url]);
  expect(await deliveryOf(command)).toMatch(/ 204 delivered /);
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  const event = verifyWebhook({ body, headers, secret: command.variable('PARTNER_WEBHOOK_SECRET') });
  expect(event.type).toBe('quote.executed');
});

test('an attempt that fails is a line that says why', async () => {
  const { url } = await receiver(503);
  const refusing = await startListening(['--webhook', url]);
  expect(await deliveryOf(refusing)).toMatch(/ 503 pending /);

  const absent = await startListening(['--webhook', 'http://127.0.0.1:1/webhooks']);
  expect(await deliveryOf(absent)).toMatch(/ --- pending .* attempt 1 .*\S {2}\S/);
});

test('the waits between attempts are an option', async () => {
  const { url, received } = await receiver(500);
  const command = await startListening(['--webhook', url, '--set', '{"webhookBackoff": [1, 20]}', '--json']);
  await executeQuote(command, 1n);
  await command.until(({ events }) => events.some(({ event, status }) => event === 'delivery' && status === 'failed'));
  const attempts = command.events.filter(({ event }) => event === 'delivery');
  expect(attempts.map(({ status, attempt }) => [attempt.number, status])).toEqual([
    ...[
      [1, 'pending'],
      [2, 'pending'],
    ],
    [3, 'failed'],
  ]);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});

test('with --json each attempt is an object', async () => {
  const { url, received } = await receiver(500);
  const command = await startListening(['--webhook', url, '--json']);
  await executeQuote(command, 1n);
  await command.until(({ events }) => events.some(({ event }) => event === 'delivery'));
  expect(command.events.find(({ event }) => event === 'delivery')).toMatchObject({
    event: 'delivery',
    id: expect.stringMatching(/^dlv_/),
    webhookId: received[0]?.headers['x-webhook-id'],
    eventId: JSON.parse(received[0]?.body ?? '').id,
    type: 'quote.executed',
    status: 'pending',
    nextAttemptAt: expect.any(Number),
    attempt: { number: 1, at: expect.any(Number), url, status: 500, ms: expect.any(Number) },
  });
});

test('after a restart it is the same webhook with the same secret, and another address moves it', async () => {
  const state = join(await directory(), 'state.json');
  const [before, after] = [await receiver(), await receiver()];
  const first = await startListening(['--state', state, '--webhook', before.url]);
  const secret = first.variable('PARTNER_WEBHOOK_SECRET');
  await end(first);

  const second = await startListening(['--state', state, '--webhook', before.url]);
  expect(second.variable('PARTNER_WEBHOOK_SECRET')).toBe(secret);
  expect(await subscribedUrls(second, 1n)).toEqual([before.url]);
  await end(second);

  const third = await startListening(['--state', state, '--webhook', after.url]);
  expect(third.variable('PARTNER_WEBHOOK_SECRET')).toBe(secret);
  expect(await subscribedUrls(third, 2n)).toEqual([after.url]);
  await end(third);

  const fourth = await startListening(['--state', state]);
  expect(fourth.variable('PARTNER_WEBHOOK_SECRET')).toBe(secret);
  await executeQuote(fourth, 3n);
  // Conversions of the seed end while it runs, too.
  const executed = () => after.received.filter(({ body }) => body.includes('"quote.executed"'));
  await expect.poll(() => executed().length).toBe(1);
  expect(before.received).toEqual([]);
});

test('a secret that somebody has written into the state file is no line for a shell', async () => {
  const state = join(await directory(), 'state.json');
  const { url } = await receiver();
  const first = await startListening(['--state', state, '--webhook', url]);
  await end(first);
  const saved = JSON.parse(await readFile(state, 'utf8'));
  saved.commandWebhook.signing_secret = 'x\nexport EVIL=1';
  await writeFile(state, JSON.stringify(saved));

  const second = await startListening(['--state', state]);
  expect(second.stdout).not.toContain('EVIL');
  expect(second.variable('PARTNER_WEBHOOK_SECRET')).toBe('');
});
