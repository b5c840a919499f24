import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/sandbox/index.js';
import { everything } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';
import { askControl, bodies, openSandbox, whitelisting } from '../support/partner.js';

const HOUR = 3_600_000;

const partner = directSandbox();
beforeEach(() => partner.sandbox.reset());

const ahead = () => partner.sandbox.troubles.list();
const next = (operation: string, does: Outcome) => partner.sandbox.troubles.add({ match: { operation }, does });

async function made(path: string, body?: object): Promise<Record<string, string>> {
  const answer = await partner.post(path, body, { 'API-Otp': '1' });
  expect(answer.status).toBe(200);
  return answer.body.data;
}
const statusAt = async (path: string): Promise<string> => (await partner.get(path)).body.data.status;

/** How each thing is made, and what its status is. */
const kinds = {
  'accounts.quotes.create': async () => {
    const { id } = await made(`${partner.account}/quotes`, bodies.quote);
    return () => statusAt(`${partner.account}/quotes/${id}`);
  },
  'accounts.quotes.execute': async () => {
    const { id } = await made(`${partner.account}/quotes`, bodies.quote);
    await made(`${partner.account}/quotes/${id}/execute`);
    return () => statusAt(`${partner.account}/quotes/${id}`);
  },
  'accounts.onchainQuotes.create': async () => {
    const { id = '' } = await made(`${partner.account}/onchain-quotes`, bodies.onchainQuote);
    const status = () => statusAt(`${partner.account}/onchain-quotes/${id}`);
    if ((await status()) === 'offered') partner.sandbox.onchainQuotes.submit(id);
    return status;
  },
  'accounts.priceTriggerSwaps.create': async () => {
    const { id } = await made(`${partner.account}/price-trigger-swaps`, bodies.priceTriggerSwap);
    return async () => {
      const { status, cancelled_reason: reason } = (await partner.get(`${partner.account}/price-trigger-swaps/${id}`))
        .body.data;
      return reason === undefined ? status : `${status}: ${reason.code}`;
    };
  },
  'accounts.conversions.create': async () => {
    const { id } = await made(`${partner.account}/conversions`, bodies.conversion);
    return () => statusAt(`/v1/conversions/${id}`);
  },
  'accounts.transfers.create': async () => {
    const { id } = await made(`${partner.account}/transfers`, bodies.transfer);
    return async () => {
      const { status, failure_reason: reason } = (await partner.get(`/v1/transfers/${id}`)).body.data;
      return reason === undefined ? status : `${status}: ${reason}`;
    };
  },
  'accounts.deposits.create': async () => {
    const asset = { symbol: 'USD', type: 'fiat', amount: '250.00' };
    const { id } = await made(`${partner.account}/deposits`, { asset, via: 'ach' });
    return async () => partner.sandbox.deposits.list().find((deposit) => deposit.id === id)?.status;
  },
  'funds.withdrawals.create': async () => {
    const body = { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.01' };
    const { ref_id } = await made(`${partner.account}/funds/withdrawals`, body);
    return async () => {
      const { data } = (await partner.get('/v1/funds/transactions?type=withdrawal')).body;
      return data.find((one: { ref_id: string }) => one.ref_id === ref_id)?.status;
    };
  },
  'accounts.wallets.whitelist': async () => {
    const { id } = await made(`${partner.account}/wallets/whitelist`, bodies.wallet);
    return async () => partner.sandbox.wallets.list().find((wallet) => wallet.id === id)?.status;
  },
  'users.verifications.submitUrl': async () => {
    const { id } = await made('/v1/users', { ...bodies.user, external_reference: randomUUID() });
    await made(`/v1/users/${id}/verifications/url`, bodies.document);
    return async () => {
      const [verification] = (await partner.get(`/v1/users/${id}/verifications`)).body.data.verifications;
      const { status, reasons = [] } = verification;
      return [status, ...reasons.map(({ code }: { code: string }) => code)].join(': ');
    };
  },
} satisfies Record<string, () => Promise<() => Promise<string | undefined>>>;

type Name = keyof typeof kinds;

/** Outcome and options; the status after a time that is usually enough, and after an hour. */
const outcomes: [Name, string, Partial<Outcome>, soon: string, later: string][] = [
  ['accounts.quotes.create', 'expired', {}, 'expired', 'expired'],
  ['accounts.quotes.execute', 'failed', {}, 'failed', 'failed'],
  ['accounts.quotes.execute', 'slow', {}, 'executed', 'executed'],
  ['accounts.quotes.execute', 'slow', { afterMs: HOUR }, 'executing', 'executed'],
  ['accounts.onchainQuotes.create', 'failed', {}, 'failed', 'failed'],
  ['accounts.onchainQuotes.create', 'pending', {}, 'pending', 'pending'],
  ['accounts.priceTriggerSwaps.create', 'failed', {}, 'cancelled: system', 'cancelled: system'],
  ['accounts.conversions.create', 'failed', {}, 'failed', 'failed'],
  ['accounts.conversions.create', 'slow', { afterMs: HOUR - 100_000 }, 'converting', 'completed'],
  ['accounts.transfers.create', 'failed', {}, 'failed: rejected', 'failed: rejected'],
  [
    'accounts.transfers.create',
    'failed',
    { reason: 'no_such_account' },
    'failed: no_such_account',
    'failed: no_such_account',
  ],
  ['accounts.transfers.create', 'slow', { afterMs: HOUR - 100_000 }, 'pending', 'completed'],
  ['accounts.deposits.create', 'expired', {}, 'expired', 'expired'],
  ['accounts.deposits.create', 'expired', { afterMs: HOUR }, 'pending', 'expired'],
  ['funds.withdrawals.create', 'failed', {}, 'failure', 'failure'],
  ['funds.withdrawals.create', 'slow', { afterMs: HOUR - 100_000 }, 'pending', 'success'],
  ['accounts.wallets.whitelist', 'rejected', {}, 'rejected', 'rejected'],
  ['accounts.wallets.whitelist', 'pending', {}, 'pending', 'pending'],
  ['accounts.wallets.whitelist', 'slow', { afterMs: HOUR }, 'pending', 'approved'],
  ['users.verifications.submitUrl', 'failed', {}, 'failed: unreadable', 'failed: unreadable'],
  ['users.verifications.submitUrl', 'failed', { reason: 'expired' }, 'failed: expired', 'failed: expired'],
  ['users.verifications.submitUrl', 'pending', {}, 'pending', 'pending'],
  ['users.verifications.submitUrl', 'slow', { afterMs: HOUR }, 'pending', 'completed'],
];

/** What becomes of each of them otherwise. */
const USUAL: Record<Name, string> = {
  'accounts.quotes.create': 'offered',
  'accounts.quotes.execute': 'executed',
  'accounts.onchainQuotes.create': 'executed',
  'accounts.priceTriggerSwaps.create': 'active',
  'accounts.conversions.create': 'completed',
  'accounts.transfers.create': 'completed',
  'accounts.deposits.create': 'pending',
  'funds.withdrawals.create': 'success',
  'accounts.wallets.whitelist': 'approved',
  'users.verifications.submitUrl': 'completed',
};

describe.each(outcomes)('%s: %s %j', (operation, outcome, options, soon, later) => {
  test('the next one has it, the one after it does not, and no money is lost', async () => {
    const before = await everything(partner);
    next(operation, { outcome, ...options });
    const status = await kinds[operation]();
    expect(ahead()).toEqual([]);
    partner.sandbox.advance(operation === 'accounts.quotes.create' ? 1 : 150_000);
    expect(await status()).toBe(soon);
    partner.sandbox.advance(HOUR);
    expect(await status()).toBe(later);
    const other = await kinds[operation]();
    partner.sandbox.advance(operation === 'accounts.quotes.create' ? 1 : 150_000);
    expect(await other()).toBe(USUAL[operation]);
    expect(await everything(partner)).toEqual(before);
  });
});

test('the table of tests has every outcome that there is', () => {
  const tested = new Set(outcomes.map(([operation, outcome]) => `${operation} ${outcome}`));
  const known = partner.sandbox.troubles.outcomes.map(({ operation, outcome }) => `${operation} ${outcome}`);
  expect([...tested].sort()).toEqual(known.sort());
});

describe('it is used up by the effect', () => {
  const quoting = () => partner.post(`${partner.account}/quotes`, bodies.quote);
  const execute = (id: string, headers = {}) =>
    partner.post(`${partner.account}/quotes/${id}/execute`, undefined, headers);

  test('and not by a refused request, a fault before it, or a replay', async () => {
    next('accounts.quotes.execute', { outcome: 'failed' });
    expect((await execute(randomUUID())).status).toBe(404);
    partner.sandbox.fail({ operation: 'accounts.quotes.execute', fault: 503 });
    const { id } = (await quoting()).body.data;
    expect((await execute(id)).status).toBe(503);
    expect(ahead()).toMatchObject([{ applied: 0, left: 1 }]);
    const key = { 'Idempotency-Key': randomUUID() };
    const sent = await execute(id, key);
    expect([sent.status, ahead()]).toEqual([200, []]);
    next('accounts.quotes.execute', { outcome: 'slow' });
    const replayed = await execute(id, key);
    expect([replayed.headers.get('idempotent-replayed'), ahead().length]).toEqual(['true', 1]);
    partner.sandbox.advance(2_000);
    expect(await statusAt(`${partner.account}/quotes/${id}`)).toBe('failed');
  });

  test('and by one whose answer is lost', async () => {
    next('accounts.wallets.whitelist', { outcome: 'rejected' });
    partner.sandbox.fail({ fault: 503, when: 'after' });
    expect((await partner.call(whitelisting(partner))).status).toBe(503);
    partner.sandbox.advance(5_000);
    expect([ahead(), partner.sandbox.wallets.list()[0]?.status]).toEqual([[], 'rejected']);
  });

  test('and not by a preview of a withdrawal, which makes nothing', async () => {
    next('funds.withdrawals.create', { outcome: 'failed' });
    const body = { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.01', preview: true };
    await made(`${partner.account}/funds/withdrawals`, body);
    expect(ahead()).toMatchObject([{ left: 1 }]);
  });

  test('of its account alone, if it has one', async () => {
    const { secondaryAccountId } = partner.sandbox.fixtures;
    const match = { operation: 'accounts.quotes.create', accountId: secondaryAccountId };
    partner.sandbox.troubles.add({ match, does: { outcome: 'expired' } });
    const { id } = (await quoting()).body.data;
    expect(await statusAt(`${partner.account}/quotes/${id}`)).toBe('offered');
    const other = (await partner.post(`/v1/accounts/${secondaryAccountId}/quotes`, bodies.quote)).body.data.id;
    expect(await statusAt(`/v1/accounts/${secondaryAccountId}/quotes/${other}`)).toBe('expired');
    expect(ahead()).toEqual([]);
  });
});

test('a wallet that will be rejected is so after a snapshot, too', async () => {
  next('accounts.wallets.whitelist', { outcome: 'rejected' });
  await partner.call(whitelisting(partner));
  const { sandbox } = partner.restarted();
  sandbox.advance(5_000);
  expect(sandbox.wallets.list().at(-1)?.status).toBe('rejected');
});

test('all that there are can be read over HTTP', async () => {
  expect((await askControl(await openSandbox(), 'GET troubles/outcomes')).data).toContainEqual({
    operation: 'accounts.quotes.execute',
    outcome: 'failed',
    takes: [],
    summary: 'The executor rejects the quote.',
  });
});

test('the timeline tells when troubles began, applied to which request, and ended', async () => {
  const watched = directSandbox({ inspect: true });
  const { sandbox } = watched;
  sandbox.fail({ fault: 503, forMs: 60_000 });
  await watched.get(`/v1/users/${sandbox.fixtures.userId}`);
  sandbox.advance(60_000);
  sandbox.troubles.add({ match: { operation: 'accounts.quotes.create' }, does: { outcome: 'expired' } });
  await watched.post(`${watched.account}/quotes`, bodies.quote);
  const told: string[] = [];
  const requests = new Map<number, string>();
  for await (const entry of sandbox.events({ after: 0, kinds: ['request', 'trouble'] })) {
    if (entry.kind === 'request') requests.set(entry.seq, entry.operation ?? '');
    if (entry.kind === 'trouble') told.push(`${entry.id} ${entry.what} ${requests.get(entry.cause ?? 0) ?? ''}`.trim());
    if (told.length === 6) break;
  }
  expect(told).toEqual([
    ...['trouble_1 added', 'trouble_1 applied users.get', 'trouble_1 ended'],
    ...['trouble_2 added', 'trouble_2 applied accounts.quotes.create', 'trouble_2 ended accounts.quotes.create'],
  ]);
});
