import { describe, expect, test } from 'vitest';
import {
  call,
  calls,
  hasFailed,
  NOWHERE,
  partner,
  read,
  sandbox,
  shareControlPlane,
  statusOf,
  TO_BANK,
} from './support/control-plane.js';

shareControlPlane();

describe('the flat paths of 0.4', () => {
  const accountId = () => sandbox.fixtures.accountId;
  const registered = () => sandbox.webhooks.register({ url: NOWHERE, events: ['deposit.completed'] }).id;
  const delivered = async () => {
    registered();
    sandbox.accounts.deposit(accountId(), { symbol: 'USD', amount: '1' });
    await sandbox.webhooks.idle();
    return sandbox.webhooks.deliveries[0]?.id ?? '';
  };

  test.each<[string, () => unknown]>([
    ['credentials', () => sandbox.credentials],
    ['fixtures', () => sandbox.fixtures],
    ['journal', () => sandbox.journal],
    ['wallets', () => sandbox.wallets.list()],
    ['deliveries', () => sandbox.webhooks.deliveries],
    ['books', () => sandbox.accounts.books],
    ['now', () => sandbox.clock.now()],
    ['snapshot', () => sandbox.snapshot()],
  ])('GET %s reads', async (path, expected) => {
    await partner.post(`${partner.account}/wallets/whitelist`, { via: 'sepa', address: 'x' }, { 'API-Otp': '1' });
    await delivered();
    const { status, data } = await read(path);
    expect(status).toBe(200);
    expect(data).toEqual(JSON.parse(JSON.stringify(expected())));
    expect(data).not.toEqual([]);
  });

  test.each<[string, () => readonly unknown[] | Promise<readonly unknown[]>, unknown, (() => void)?]>([
    ['advance', () => [60_000], null],
    ['fail', () => [{ fault: 503 }], null],
    ['chaos', () => [0.5], null],
    ['clearFaults', () => [], null],
    ['failQuote', () => [sandbox.fixtures.quoteId], null],
    ['rejectAddress', () => ['an address'], null],
    ['convert', () => [accountId(), TO_BANK], { status: 'converting' }],
    ['deposit', () => [accountId(), { symbol: 'USD', amount: '1' }], { method_id: expect.any(String) }],
    ['linkBank', () => [accountId()], { status: 'linked' }],
    ['unlinkBank', () => [sandbox.fixtures.bankLinkId], null],
    ['setUserStatus', () => [sandbox.fixtures.userId, { state: 'x' }], { status: { state: 'x' } }],
    ['registerWebhook', () => [{ url: NOWHERE }], { url: NOWHERE }],
    ['updateWebhook', () => [registered(), { disabled: true }], { disabled: true }],
    ['rotateWebhookSecret', () => [registered()], { signing_secret: expect.any(String) }],
    ['removeWebhook', () => [registered()], null],
    ['redeliver', async () => [await delivered()], { attempts: [{}, { redelivery: true }] }],
    ['idle', () => [], null],
    ['issueCredentials', () => [], { apiKey: expect.any(String), apiSecret: expect.any(String) }],
  ])('POST %s calls', async (path, args, data) => {
    const answer = await call(path, ...(await args()));
    if (data === null) expect(answer).toEqual({ status: 200, data });
    else expect(answer).toMatchObject({ status: 200, data });
    expect(calls).toMatchObject([{ method: path, status: 200 }]);
  });

  test('take effect', async () => {
    await call('fail', { fault: 503, times: 2, retryAfter: 7 });
    const { status, headers } = await partner.get('/v1/webhooks');
    expect([status, headers.get('retry-after')]).toEqual([503, '7']);
    await call('clearFaults');
    expect(await hasFailed()).toBe(false);
    await call('chaos', 1);
    expect(sandbox.faults.list()).toMatchObject([{ fault: 'chaos' }]);
    await call('clearFaults');
    await call('failQuote', sandbox.fixtures.quoteId);
    await partner.post(`${partner.account}/quotes/${sandbox.fixtures.quoteId}/execute`);
    await call('advance', 2_000);
    expect(await statusOf(sandbox.fixtures.quoteId)).toBe('failed');
  });

  test.each([
    ['failQuote', ['no-quote'], /^failQuote: there is no quote no-quote$/],
    ['updateWebhook', ['ep_none', {}], /^updateWebhook: there is no webhook ep_none$/],
    ['fail', [{ fault: 1 }], /^fail: fault must be/],
    ['chaos', [2], /^chaos: probability must be above 0/],
    ['advance', [-1], /^advance: must be 0 or more/],
  ])('%s names itself in its refusal', async (path, args, message) => {
    const { status, error } = await call(path, ...args);
    expect(status).toBe(400);
    expect(error?.message).toMatch(message);
  });
});
