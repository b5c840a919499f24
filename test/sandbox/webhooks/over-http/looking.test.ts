import { beforeEach, describe, expect, test } from 'vitest';
import { WEBHOOK_KINDS } from '../../../../src/resources/webhook-kinds.js';
import { askControl, sharedSandbox } from '../../support/partner.js';

const { sandbox, url } = await sharedSandbox({ inspect: true });
beforeEach(() => sandbox.reset());

const ask = (line: string, args?: unknown) => askControl({ url }, line, args);
const register = (name = 'looked-at') => sandbox.webhooks.register({ url: sandbox.inbox.url(name) });

describe('an entry of the timeline', () => {
  test('tells what the event of a delivery is about', async () => {
    register();
    const { accountId } = sandbox.fixtures;
    sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '5.00' });
    await sandbox.webhooks.idle();
    const events = sandbox.events({ after: 0, kinds: ['delivery'] });
    const { value } = await events.next();
    const [deposited] = sandbox.postings.list({ accountId, limit: 1 });
    expect(value).toMatchObject({ kind: 'delivery', about: deposited?.reference });
    expect(deposited?.reference).toMatch(/^[0-9a-f-]{36}$/);
    await events.return?.();
  });
});

describe('deliveries in short', () => {
  test('have the newest first, with the last attempt, and without bodies', async () => {
    const { id } = register();
    await sandbox.webhooks.trigger('quote.executed');
    sandbox.inbox.answer({ status: 500 });
    await sandbox.webhooks.trigger('deposit.completed');
    const { data } = await ask('GET webhooks/deliverySummaries');
    expect(data).toMatchObject([
      { type: 'deposit.completed', status: 'pending', webhookId: id, attempts: 1, last: { status: 500 } },
      { type: 'quote.executed', status: 'delivered', webhookId: id, attempts: 1, last: { status: 200 } },
    ]);
    expect(JSON.stringify(data)).not.toMatch(/"body"|"headers"/);
    expect(data).toEqual(JSON.parse(JSON.stringify(sandbox.webhooks.deliverySummaries())));
  });

  test('have the time of their event, and what it is about', async () => {
    register();
    const { accountId } = sandbox.fixtures;
    const at = sandbox.clock.now();
    sandbox.troubles.add({ does: { delivery: { delayMs: 5_000 } } });
    sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '5.00' });
    await sandbox.clock.advance(5_000, { deliver: true });
    await sandbox.webhooks.trigger('quote.executed');
    await sandbox.webhooks.trigger('webhook.test');
    const { data } = await ask('GET webhooks/deliverySummaries');
    expect(data).toMatchObject([
      { type: 'webhook.test', at: at + 5_000 },
      { type: 'quote.executed', at: at + 5_000, about: expect.stringMatching(/^250\.00 USD → 0\.\d+ BTC$/) },
      { type: 'deposit.completed', at, about: '5.00 USD', last: { at: at + 5_000 } },
    ]);
    expect(data[0]).not.toHaveProperty('about');
  });

  test.each([
    ['status=pending', ['b']],
    ['kind=quote.executed', ['a']],
    ['q=NOTE-A', ['a']],
    ['q=500', ['b']],
    ['limit=1', ['b']],
    ['webhookId=ep_none', []],
  ])('are filtered by %s', async (query, expected) => {
    register();
    await sandbox.webhooks.trigger('quote.executed', { note: 'note-a' }, { eventId: 'a' });
    sandbox.inbox.answer({ status: 500 });
    await sandbox.webhooks.trigger('deposit.completed', {}, { eventId: 'b' });
    const { data } = await ask(`GET webhooks/deliverySummaries?${query}`);
    expect(data.map(({ eventId }: { eventId: string }) => eventId)).toEqual(expected);
  });

  test('refuse a filter that is not there, or is wrong', async () => {
    for (const query of ['limit=0', 'status=late', 'before=x']) {
      const { status, error } = await ask(`GET webhooks/deliverySummaries?${query}`);
      expect([status, error?.message]).toEqual([400, expect.stringContaining('filters: status, kind')]);
    }
  });
});

describe('the signing secrets of a webhook', () => {
  test('are those that are valid, newest first', async () => {
    const first = register();
    const second = sandbox.webhooks.rotateSecret(first.id, { overlapMs: 60_000 });
    const { data } = await ask(`GET webhooks/secrets/${first.id}`);
    expect(data).toEqual([
      { secret: second.signing_secret },
      { secret: first.signing_secret, until: sandbox.clock.now() + 60_000 },
    ]);
    sandbox.advance(60_000);
    expect((await ask(`GET webhooks/secrets/${first.id}`)).data).toEqual([{ secret: second.signing_secret }]);
    expect((await ask('GET webhooks/secrets/ep_none')).status).toBe(404);
  });
});

test('samples have the payload of each kind that trigger sends', async () => {
  register();
  const { data } = await ask('GET webhooks/samples');
  expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(WEBHOOK_KINDS);
  const sample = data.find(({ kind }: { kind: string }) => kind === 'wallet.whitelisted');
  const [sent] = await sandbox.webhooks.trigger('wallet.whitelisted');
  expect(JSON.parse(sent?.body ?? '').data).toEqual(sample.data);
});

describe('the signatures of a delivery', () => {
  test('are verified as of the time when each attempt was sent, and name their secret', async () => {
    const { id, signing_secret: old } = register();
    const { signing_secret: fresh } = sandbox.webhooks.rotateSecret(id);
    sandbox.troubles.add({ does: { delivery: { signature: 'wrong' } } });
    sandbox.inbox.answer({ status: 400, times: 1 });
    const [sent] = await sandbox.webhooks.trigger('quote.executed');
    await sandbox.webhooks.retryFailed();
    const { data } = await ask(`GET webhooks/verifyDelivery/${sent?.id}`);
    const masked = (secret: string) => `…${secret.slice(-4)}`;
    expect(data).toMatchObject([
      { valid: false, signatures: [{ matchesSecret: false }, { matchesSecret: false }] },
      { valid: true, ageSeconds: 0, signatures: [{ masked: masked(fresh) }, { masked: masked(old) }] },
    ]);
    expect(JSON.stringify(data)).not.toContain(fresh);
  });

  test('are none of an attempt that was lost, nor of an unknown delivery', async () => {
    register();
    sandbox.troubles.add({ does: { delivery: { drop: true } } });
    const [lost] = await sandbox.webhooks.trigger('quote.executed');
    expect((await ask(`GET webhooks/verifyDelivery/${lost?.id}`)).data).toEqual([null]);
    expect((await ask('GET webhooks/verifyDelivery/dlv_none')).status).toBe(404);
  });

  test('are judged at the time that the caller names', async () => {
    register();
    const [sent] = await sandbox.webhooks.trigger('quote.executed');
    const request = sent?.attempts[0]?.request;
    const claim = { body: request?.body, headers: request?.headers };
    const real = (request?.real ?? 0) + 400_000;
    expect((await ask('POST webhooks/verify', [{ ...claim, real }])).data).toMatchObject({ valid: false });
    expect((await ask('POST webhooks/verify', [{ ...claim, real, toleranceSeconds: 500 }])).data.valid).toBe(true);
    expect((await ask('POST webhooks/verify', [{ ...claim, real: 'now' }])).status).toBe(400);
  });
});

test('an inbox tells how it answers, and for how long', async () => {
  expect((await ask('GET inbox/answers')).data).toEqual([]);
  await ask('POST inbox/answer', [{ name: 'moody', status: 503, delayMs: 5, times: 2 }]);
  await ask('POST inbox/answer', [{ status: 204, body: 'ok' }]);
  await fetch(sandbox.inbox.url('moody'), { method: 'POST' });
  expect((await ask('GET inbox/answers')).data).toEqual([
    { name: 'moody', status: 503, delayMs: 5, body: '', strict: false, left: 1 },
    { status: 204, delayMs: 0, body: 'ok', strict: false, left: 'always' },
  ]);
  await fetch(sandbox.inbox.url('moody'), { method: 'POST' });
  expect((await ask('GET inbox/answers')).data).toHaveLength(1);
});

test('a strict inbox refuses what is not valid, and takes what is', async () => {
  register('strict');
  await ask('POST inbox/answer', [{ name: 'strict', strict: true }]);
  sandbox.troubles.add({ does: { delivery: { signature: 'wrong' } } });
  const [sent] = await sandbox.webhooks.trigger('quote.executed');
  expect(sent).toMatchObject({ status: 'pending', attempts: [{ status: 401 }] });
  expect(await sandbox.webhooks.redeliver(sent?.id ?? '')).toMatchObject({ status: 'delivered' });
  expect(sandbox.inbox.list().map(({ status, verification }) => [status, verification.valid])).toEqual([
    [401, false],
    [200, true],
  ]);
});
