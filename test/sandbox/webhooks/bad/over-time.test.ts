import { expect, test } from 'vitest';
import type { DeliveryFilter } from '../../../../src/sandbox/index.js';
import { deposit, inProcess, NOWHERE, sandboxOf } from '../support/sending.js';

const SECOND = 1_000;
const HOUR = 3_600_000;
const DEPOSITS = { url: NOWHERE, events: ['deposit.completed'] };

test('a receiver that is down for a minute gets its delivery at the documented time, in one call', async () => {
  const sandbox = inProcess(() => new Response(null, { status: sandbox.clock.now() < back ? 500 : 204 }));
  const began = sandbox.clock.now();
  const back = began + 60 * SECOND;
  sandbox.webhooks.register(DEPOSITS);
  deposit(sandbox);
  await sandbox.clock.advance(2 * HOUR, { deliver: true });
  const [delivery] = sandbox.webhooks.listDeliveries();
  expect(delivery?.attempts.map(({ at, status }) => [(at - began) / SECOND, status])).toEqual([
    [0, 500],
    [1, 500],
    [3, 500],
    [7, 500],
    [15, 500],
    [31, 500],
    [63, 204],
  ]);
  expect(delivery?.status).toBe('delivered');
  expect(sandbox.clock.now()).toBe(began + 2 * HOUR);
});

test('the waits are an option; without any there is one attempt', async () => {
  const down = () => new Response(null, { status: 500 });
  const timesOf = async (webhookBackoff: readonly number[]) => {
    const sandbox = inProcess(down, { webhookBackoff });
    sandbox.webhooks.register(DEPOSITS);
    deposit(sandbox);
    await sandbox.clock.advance(HOUR, { deliver: true });
    const [{ attempts = [], status } = {}] = sandbox.webhooks.listDeliveries();
    return [attempts.map(({ at }) => at - (attempts[0]?.at ?? 0)), status];
  };
  expect(await timesOf([10, 0, 500])).toEqual([[0, 10, 10, 510], 'failed']);
  expect(await timesOf([])).toEqual([[0], 'failed']);
  for (const wrong of [1_000, ['1000'], [-1], [1.5], [2 ** 31]]) {
    expect(() => sandboxOf({ webhookBackoff: wrong as number[] })).toThrow(
      /^createSandbox: webhookBackoff(\.0)? must be a (list|whole number)/,
    );
  }
});

test('the timeline tells of attempts with their cause, and of troubles', async () => {
  const sandbox = inProcess(() => new Response('no', { status: 500 }), { inspect: true });
  const { url } = await sandbox.listen();
  sandbox.webhooks.register(DEPOSITS);
  const { id } = sandbox.troubles.add({ does: { delivery: { contentType: 'text/xml' } } });
  await fetch(`${url}/_sandbox/accounts/deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([sandbox.fixtures.accountId, { symbol: 'USD', amount: '1' }]),
  });
  await sandbox.webhooks.idle();
  const [delivery] = sandbox.webhooks.listDeliveries();
  const events = await fetch(`${url}/_sandbox/events?after=0&kinds=control,delivery,trouble`);
  const entries = await entriesOf(events, 5);
  const call = entries.find(({ kind, method }) => kind === 'control' && method === 'accounts.deposit');
  expect(call).toBeDefined();
  expect(entries.filter(({ kind }) => kind === 'delivery')).toMatchObject([
    {
      cause: call?.seq,
      delivery: { id: delivery?.id, type: 'deposit.completed', status: 'pending' },
      attempt: { status: 500, fault: id },
    },
  ]);
  expect(delivery?.cause).toBe(call?.seq);
  expect(entries.filter(({ kind }) => kind === 'trouble')).toMatchObject([
    { id, what: 'added' },
    { id, what: 'applied' },
    { id, what: 'ended' },
  ]);
});

interface Entry extends Record<string, unknown> {
  readonly seq: number;
}

/** The first entries of a stream. */
async function entriesOf(answer: Response, count: number): Promise<Entry[]> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const found = (): Entry[] => [...text.matchAll(/^data: (.*)\n/gm)].map(([, data = '']) => JSON.parse(data));
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    text += part.value;
    if (found().length >= count) break;
  }
  await reader?.cancel();
  return found();
}

test('closing a sandbox ends answers that an inbox holds back, and nothing keeps the program alive', async () => {
  const sandbox = sandboxOf();
  const { url } = await sandbox.listen();
  sandbox.webhooks.register({ url: sandbox.inbox.url('slow'), events: ['swap.failed'] });
  sandbox.inbox.answer({ delayMs: 60_000 });
  const outside = fetch(`${url}/_sandbox/inbox/other`, { method: 'POST', body: '{}' }).then(
    () => 'answered',
    () => 'cut',
  );
  const triggered = sandbox.webhooks.trigger('swap.failed');
  await expect.poll(() => sandbox.inbox.list()).toHaveLength(2);
  await sandbox.close();
  expect(await outside).toBe('cut');
  expect(await triggered).toMatchObject([{ status: 'pending', attempts: [] }]);
});

test('retryFailed leaves out what cannot be delivered any more', async () => {
  let status = 500;
  const sandbox = inProcess(() => new Response(null, { status }));
  const { id: gone } = sandbox.webhooks.register(DEPOSITS);
  const { id: kept } = sandbox.webhooks.register(DEPOSITS);
  deposit(sandbox);
  await sandbox.webhooks.idle();
  sandbox.webhooks.remove(gone);
  status = 204;
  const retried = await sandbox.webhooks.retryFailed();
  expect(retried).toMatchObject([{ webhookId: kept, status: 'delivered' }]);
  const count = (filter: DeliveryFilter): number => sandbox.webhooks.listDeliveries(filter).length;
  expect([count({ status: 'delivered' }), count({ status: 'failed' })]).toEqual([1, 1]);
  expect(await sandbox.webhooks.retryFailed()).toEqual([]);
});

test('without inspect nothing is kept of what was sent and answered', async () => {
  const sandbox = inProcess();
  sandbox.webhooks.register(DEPOSITS);
  deposit(sandbox);
  await sandbox.webhooks.idle();
  const [delivery] = sandbox.webhooks.listDeliveries();
  expect(delivery?.attempts[0]).not.toHaveProperty('request');
  expect(delivery).not.toHaveProperty('cause');
});

test('with inspect the newest thousand attempts are kept, each with the first 16 kB of its answer', async () => {
  let body = 'x'.repeat(100_000);
  const sandbox = inProcess(() => new Response(body), { inspect: true });
  sandbox.webhooks.register(DEPOSITS);
  const kept = (): string[] =>
    sandbox.webhooks.listDeliveries().flatMap(({ attempts }) => attempts.flatMap(({ answer }) => answer?.body ?? []));
  deposit(sandbox);
  await sandbox.webhooks.idle();
  expect(kept()).toEqual(['x'.repeat(16_384)]);
  body = 'short';
  for (let index = 0; index < 1_000; index += 1) deposit(sandbox);
  await sandbox.webhooks.idle();
  expect(kept()).toEqual(Array.from({ length: 1_000 }, () => 'short'));
});
