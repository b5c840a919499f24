import { beforeEach, describe, expect, test } from 'vitest';
import { bodies, openSandbox, type Partner, whitelisting } from '../support/partner.js';

let partner: Partner;
beforeEach(async () => {
  partner = await openSandbox();
});

const quotes = () => `${partner.account}/quotes`;
const quotePath = () => `${quotes()}/${partner.sandbox.fixtures.quoteId}`;
const execute = () => partner.post(`${quotePath()}/execute`);
const status = async () => (await partner.get(quotePath())).body.data.status;

describe('the clock', () => {
  test('stands still until it is advanced', async () => {
    const before = partner.sandbox.clock.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(partner.sandbox.clock.now()).toBe(before);
    partner.sandbox.advance(1500);
    expect(partner.sandbox.clock.now()).toBe(before + 1500);
  });

  test('runs with the machine when it is asked to, and can still be advanced', async () => {
    const running = await openSandbox({ realTime: true });
    expect(Math.abs(running.sandbox.clock.now() - Date.now())).toBeLessThan(1000);
    running.sandbox.advance(60_000);
    expect(running.sandbox.clock.now() - Date.now()).toBeGreaterThan(59_000);
    const path = `${running.account}/quotes/${running.sandbox.fixtures.quoteId}`;
    await expect.poll(async () => (await running.get(path)).body.data.status).toBe('expired');
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('does not advance by %s', (ms) => {
    expect(() => partner.sandbox.advance(ms)).toThrow(TypeError);
  });
});

describe('a quote', () => {
  test('is offered for 30 seconds, then expired', async () => {
    const { expires_at } = (await partner.get(quotePath())).body.data;
    expect(Date.parse(expires_at)).toBe(partner.sandbox.clock.now() + 30_000);
    partner.sandbox.advance(29_999);
    expect(await status()).toBe('offered');
    partner.sandbox.advance(1);
    expect(await status()).toBe('expired');
  });

  test('is executing, and two seconds later executed; expiry no longer matters', async () => {
    partner.sandbox.advance(29_000);
    const answer = await execute();
    expect(answer.body).toEqual({ data: { id: partner.sandbox.fixtures.quoteId, status: 'executing' } });
    partner.sandbox.advance(1_999);
    expect(await status()).toBe('executing');
    partner.sandbox.advance(1);
    expect(await status()).toBe('executed');
  });

  test('is executed once', async () => {
    await execute();
    expect((await execute()).body.error).toMatchObject({ status: 409, code: 'conflict', type: 'state_error' });
    partner.sandbox.advance(5_000);
    expect((await execute()).status).toBe(409);
  });

  test('cannot be executed when it has expired', async () => {
    partner.sandbox.advance(30_000);
    const answer = await execute();
    expect(answer.status).toBe(410);
    expect(answer.body.error).toMatchObject({ status: 410, code: 'gone', type: 'state_error' });
    expect(await status()).toBe('expired');
  });
});

test('wallets are screened after five seconds, and one address is always rejected', async () => {
  const { rejectedWalletAddress: address, accountId } = partner.sandbox.fixtures;
  const whitelist = (body: object) => partner.call({ ...whitelisting(partner), body });
  const statuses = () => partner.sandbox.wallets.list().map((wallet) => wallet.status);
  const good = (await whitelist({ ...bodies.wallet, external_user_id: 'u-1' })).body.data;
  expect(good).toMatchObject({ account: accountId, status: 'pending', external_user_id: 'u-1' });
  await whitelist({ via: 'ethereum', address });
  partner.sandbox.advance(4_999);
  expect(statuses()).toEqual(['pending', 'pending']);
  partner.sandbox.advance(1);
  expect(statuses()).toEqual(['approved', 'rejected']);
});
