import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OutcomeOptions } from '../../../src/sandbox/index.js';
import { everything } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';
import { askControl, bodies, openSandbox, whitelisting } from '../support/partner.js';

const HOUR = 3_600_000;

const partner = directSandbox();
beforeEach(() => partner.sandbox.reset());

const ahead = () => partner.sandbox.outcomes.list();
const next = (options: OutcomeOptions) => partner.sandbox.outcomes.add(options);

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
const outcomes: [Name, string, Partial<OutcomeOptions>, soon: string, later: string][] = [
  ['accounts.quotes.create', 'expired', {}, 'expired', 'expired'],
  ['accounts.quotes.execute', 'failed', {}, 'failed', 'failed'],
  ['accounts.quotes.execute', 'slow', {}, 'executed', 'executed'],
  ['accounts.quotes.execute', 'slow', { ms: HOUR }, 'executing', 'executed'],
  ['accounts.onchainQuotes.create', 'failed', {}, 'failed', 'failed'],
  ['accounts.onchainQuotes.create', 'pending', {}, 'pending', 'pending'],
  ['accounts.priceTriggerSwaps.create', 'failed', {}, 'cancelled: system', 'cancelled: system'],
  ['accounts.conversions.create', 'failed', {}, 'failed', 'failed'],
  ['accounts.conversions.create', 'slow', { ms: HOUR - 100_000 }, 'converting', 'completed'],
  ['accounts.transfers.create', 'failed', {}, 'failed: rejected', 'failed: rejected'],
  [
    'accounts.transfers.create',
    'failed',
    { reason: 'no_such_account' },
    'failed: no_such_account',
    'failed: no_such_account',
  ],
  ['accounts.transfers.create', 'slow', { ms: HOUR - 100_000 }, 'pending', 'completed'],
  ['accounts.deposits.create', 'expired', {}, 'expired', 'expired'],
  ['accounts.deposits.create', 'expired', { ms: HOUR }, 'pending', 'expired'],
  ['funds.withdrawals.create', 'failed', {}, 'failure', 'failure'],
  ['funds.withdrawals.create', 'slow', { ms: HOUR - 100_000 }, 'pending', 'success'],
  ['accounts.wallets.whitelist', 'rejected', {}, 'rejected', 'rejected'],
  ['accounts.wallets.whitelist', 'pending', {}, 'pending', 'pending'],
  ['accounts.wallets.whitelist', 'slow', { ms: HOUR }, 'pending', 'approved'],
  ['users.verifications.submitUrl', 'failed', {}, 'failed: unreadable', 'failed: unreadable'],
  ['users.verifications.submitUrl', 'failed', { reason: 'expired' }, 'failed: expired', 'failed: expired'],
  ['users.verifications.submitUrl', 'pending', {}, 'pending', 'pending'],
  ['users.verifications.submitUrl', 'slow', { ms: HOUR }, 'pending', 'completed'],
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
    next({ operation, outcome, ...options });
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
  const known = partner.sandbox.outcomes.known().map(({ operation, outcome }) => `${operation} ${outcome}`);
  expect([...tested].sort()).toEqual(known.sort());
});

describe('it is used up by the effect', () => {
  const quoting = () => partner.post(`${partner.account}/quotes`, bodies.quote);
  const execute = (id: string, headers = {}) =>
    partner.post(`${partner.account}/quotes/${id}/execute`, undefined, headers);

  test('and not by a refused request, a fault before it, or a replay', async () => {
    next({ operation: 'accounts.quotes.execute', outcome: 'failed' });
    expect((await execute(randomUUID())).status).toBe(404);
    partner.sandbox.fail({ operation: 'accounts.quotes.execute', fault: 503 });
    const { id } = (await quoting()).body.data;
    expect((await execute(id)).status).toBe(503);
    expect(ahead()).toMatchObject([{ applied: 0, left: 1 }]);
    const key = { 'Idempotency-Key': randomUUID() };
    const sent = await execute(id, key);
    expect([sent.status, ahead()]).toEqual([200, []]);
    next({ operation: 'accounts.quotes.execute', outcome: 'slow' });
    const replayed = await execute(id, key);
    expect([replayed.headers.get('idempotent-replayed'), ahead().length]).toEqual(['true', 1]);
    partner.sandbox.advance(2_000);
    expect(await statusAt(`${partner.account}/quotes/${id}`)).toBe('failed');
  });

  test('and by one whose answer is lost', async () => {
    next({ operation: 'accounts.wallets.whitelist', outcome: 'rejected' });
    partner.sandbox.fail({ fault: 503, when: 'after' });
    expect((await partner.call(whitelisting(partner))).status).toBe(503);
    partner.sandbox.advance(5_000);
    expect([ahead(), partner.sandbox.wallets.list()[0]?.status]).toEqual([[], 'rejected']);
  });

  test('and not by a preview of a withdrawal, which makes nothing', async () => {
    next({ operation: 'funds.withdrawals.create', outcome: 'failed' });
    const body = { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.01', preview: true };
    await made(`${partner.account}/funds/withdrawals`, body);
    expect(ahead()).toMatchObject([{ left: 1 }]);
  });

  test('of its account alone, if it has one', async () => {
    const { accountId, secondaryAccountId } = partner.sandbox.fixtures;
    next({ operation: 'accounts.quotes.create', outcome: 'expired', account: secondaryAccountId });
    const { id } = (await quoting()).body.data;
    expect(await statusAt(`${partner.account}/quotes/${id}`)).toBe('offered');
    const other = (await partner.post(`/v1/accounts/${secondaryAccountId}/quotes`, bodies.quote)).body.data.id;
    expect(await statusAt(`/v1/accounts/${secondaryAccountId}/quotes/${other}`)).toBe('expired');
    next({ operation: 'accounts.quotes.create', outcome: 'expired', account: accountId });
    expect(ahead()).toMatchObject([{ id: 'outcome_2', account: accountId }]);
  });

  test('as often as it is wanted, oldest first', async () => {
    next({ operation: 'accounts.quotes.execute', outcome: 'failed', times: 2 });
    next({ operation: 'Execute quote', outcome: 'slow', ms: 90_000, times: 'always' });
    const statuses: (() => Promise<string | undefined>)[] = [];
    for (let turn = 0; turn < 5; turn += 1) statuses.push(await kinds['accounts.quotes.execute']());
    partner.sandbox.advance(2_000);
    const shown = await Promise.all(statuses.map((status) => status()));
    expect(shown).toEqual(['failed', 'failed', 'executing', 'executing', 'executing']);
    expect(ahead()).toMatchObject([{ operation: 'accounts.quotes.execute', times: 'always', applied: 3 }]);
    partner.sandbox.outcomes.clear();
    expect(ahead()).toEqual([]);
  });
});

test('a wallet that will be rejected is so after a snapshot, too', async () => {
  next({ operation: 'accounts.wallets.whitelist', outcome: 'rejected' });
  await partner.call(whitelisting(partner));
  const { sandbox } = partner.restarted();
  sandbox.advance(5_000);
  expect(sandbox.wallets.list().at(-1)?.status).toBe('rejected');
});

test.each<[object, string]>([
  [{ operation: 'accounts.quotes.execute' }, 'outcome must be text'],
  [
    { operation: 'accounts.quotes.execute', outcome: 'explode' },
    'accounts.quotes.execute has no outcome "explode". Known: failed, slow',
  ],
  [{ operation: 'accounts.quotes.execute', outcome: 'toString' }, 'accounts.quotes.execute has no outcome "toString"'],
  [
    { operation: 'accounts.quotes.get', outcome: 'failed' },
    'no outcome of accounts.quotes.get can be set. Operations: users.verifications.submitUrl,',
  ],
  [{ operation: 'quotes.fly', outcome: 'failed' }, 'there is no operation "quotes.fly"'],
  [{ operation: 'accounts.quotes.execute', outcome: 'failed', ms: 5 }, 'ms is not for accounts.quotes.execute failed'],
  [
    { operation: 'accounts.quotes.execute', outcome: 'slow', reason: 'x' },
    'reason is not for accounts.quotes.execute slow',
  ],
  [{ operation: 'accounts.quotes.execute', outcome: 'failed', account: 'AA0' }, 'there is no account AA0'],
  [
    { operation: 'users.verifications.submitUrl', outcome: 'failed', account: 'AA0' },
    'users.verifications.submitUrl is not an operation of an account',
  ],
  [{ operation: 'accounts.quotes.execute', outcome: 'failed', times: 0 }, 'times must be a whole number'],
  [{ operation: 'accounts.quotes.execute', outcome: 'failed', tmes: 1 }, 'tmes is not an option: did you mean times?'],
])('%j is refused', (options, message) => {
  expect(() => next(options as OutcomeOptions)).toThrow(`outcomes.add: ${message}`);
  expect(ahead()).toEqual([]);
});

test('over HTTP it is set, listed, read and taken back', async () => {
  const listening = await openSandbox();
  const ask = (line: string, ...args: readonly unknown[]) =>
    askControl(listening, line, line.startsWith('POST') ? args : undefined);
  const { data } = await ask('POST outcomes/add', {
    operation: 'accounts.quotes.execute',
    outcome: 'failed',
    times: 'always',
  });
  expect(data).toMatchObject({
    id: 'outcome_1',
    operation: 'accounts.quotes.execute',
    outcome: 'failed',
    left: 'always',
  });
  expect((await ask('GET outcomes')).data).toEqual([data]);
  expect((await ask('GET outcomes/outcome_1')).data).toEqual(data);
  expect((await ask('GET outcomes')).data).toEqual([data]);
  expect((await ask('DELETE outcomes/outcome_1')).status).toBe(200);
  expect([(await ask('GET outcomes')).data, (await ask('DELETE outcomes/outcome_1')).status]).toEqual([[], 404]);
  expect((await ask('GET outcomes/known')).data).toContainEqual({
    ...{ operation: 'accounts.quotes.execute', outcome: 'failed', takes: [] },
    summary: 'The executor rejects the quote.',
  });
  const wrong = await ask('POST outcomes/add', { operation: 'accounts.quotes.execute', outcome: 'gone' });
  expect([wrong.status, wrong.error?.message]).toEqual([400, expect.stringContaining('Known: failed, slow')]);
});

test('the timeline tells when faults and outcomes began, applied to which request, and ended', async () => {
  const watched = directSandbox({ inspect: true });
  const { sandbox } = watched;
  sandbox.fail({ fault: 503, for: 60_000 });
  await watched.get(`/v1/users/${sandbox.fixtures.userId}`);
  sandbox.advance(60_000);
  sandbox.outcomes.add({ operation: 'accounts.quotes.create', outcome: 'expired' });
  await watched.post(`${watched.account}/quotes`, bodies.quote);
  const told: string[] = [];
  const requests = new Map<number, string>();
  for await (const entry of sandbox.events({ after: 0, kinds: ['request', 'fault'] })) {
    if (entry.kind === 'request') requests.set(entry.seq, entry.operation ?? '');
    if (entry.kind === 'fault') told.push(`${entry.id} ${entry.what} ${requests.get(entry.cause ?? 0) ?? ''}`.trim());
    if (told.length === 6) break;
  }
  expect(told).toEqual([
    ...['fault_1 added', 'fault_1 applied users.get', 'fault_1 ended'],
    ...['outcome_1 added', 'outcome_1 applied accounts.quotes.create', 'outcome_1 ended accounts.quotes.create'],
  ]);
});
