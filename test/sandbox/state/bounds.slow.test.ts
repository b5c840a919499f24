import { beforeEach, describe, expect, test } from 'vitest';
import { executeQuote } from '../../../src/resources/accounts/quote.js';
import { createWithdrawal } from '../../../src/resources/funds/withdrawals.js';
import { Service } from '../../../src/sandbox/assembly.js';
import { find, recordsOf } from '../../../src/sandbox/core/kind/find.js';
import { Money } from '../../../src/sandbox/core/money/money.js';
import { MAX_RECORDS } from '../../../src/sandbox/core/records/records.js';
import type { AccountState, State } from '../../../src/sandbox/core/records/state.js';
import { createSandbox } from '../../../src/sandbox/index.js';
import { withdrawals } from '../../../src/sandbox/kinds/funds/withdrawals.js';
import { offerQuote, quotes } from '../../../src/sandbox/kinds/quotes.js';
import { kindControls } from '../../../src/sandbox/kinds/registry/controls.js';
import { HANDLERS } from '../../../src/sandbox/kinds/registry/derived.js';
import { entries } from '../../../src/sandbox/kinds/shared/entries.js';
import { IdempotencyMemory } from '../../../src/sandbox/service/idempotency/idempotency.js';

/** More than is kept. */
const MANY = MAX_RECORDS + 500;

let state: State;
let account: AccountState;
beforeEach(() => {
  const service = new Service({ journalLimit: 10 });
  state = service.state;
  account = state.accounts.get(service.fixtures.accountId) as AccountState;
});

const agenda = () => state.clock.save().agenda.length;
const dollars = () => account.holdings.list().find(({ asset }) => asset.symbol === 'USD');
const held = () => dollars()?.held.toFixed();
const cent = { from: { symbol: 'USD', type: 'fiat', amount: '0.10' }, to: { symbol: 'SHIB', type: 'crypto' } };

const execute = (id: string) => {
  const handler = HANDLERS.find(({ operation }) => operation === executeQuote);
  handler?.answer(state, { params: { account_id: account.id, quote_id: id }, query: {}, body: {}, origin: '' });
};

describe('a sandbox whose clock stands still while it is written to without end', () => {
  test('keeps the newest quotes, claims, and tasks, and none of what it has forgotten', () => {
    const [tasks, claims] = [agenda(), held()];
    const executed = Array.from({ length: MANY }, () => {
      const { id } = offerQuote(state, account, cent);
      execute(id);
      return id;
    });
    expect([...recordsOf(state, quotes, account).values()]).toHaveLength(MAX_RECORDS);
    expect(agenda() - tasks).toBe(MAX_RECORDS);
    expect(account.holdings.available(state.catalogue.get('USD', 'fiat')).gte(0)).toBe(true);
    expect(Number(held()) - Number(claims)).toBeCloseTo(MAX_RECORDS / 10, 5);
    expect(find(state, quotes, executed[0] ?? '')).toBeUndefined();

    state.clock.advance(2_000);
    expect(agenda()).toBe(tasks);
    expect(held()).toBe(claims);
    const states = [...recordsOf(state, quotes, account).values()].map(({ quote }) => quote.status);
    expect(new Set(states)).toEqual(new Set(['executed']));
  });

  test('ends a quote that it forgets in the middle: executed or failed, as it would have been', () => {
    const before = dollars()?.total;
    const [paid, failed] = [offerQuote(state, account, cent), offerQuote(state, account, cent)];
    kindControls(state).quotes.fail(failed.id);
    for (const { id } of [paid, failed]) execute(id);
    for (let index = 0; index < MAX_RECORDS; index += 1) offerQuote(state, account, cent);
    const notes = [...account.records.of(entries).values()].map(({ reference, status }) => [reference, status]);
    expect(notes).toEqual(
      expect.arrayContaining([
        [paid.id, 'completed'],
        [failed.id, 'failed'],
      ]),
    );
    expect(before?.minus(dollars()?.total ?? 0).toFixed()).toBe('0.1');
  });

  test('keeps the newest withdrawals, and ends those that it forgets on their way', () => {
    const handler = HANDLERS.find(({ operation }) => operation === createWithdrawal);
    const bitcoin = state.catalogue.get('BTC', 'crypto');
    account.holdings.receive({ asset: bitcoin, amount: new Money(10) });
    const bitcoins = () => account.holdings.list().find(({ asset }) => asset === bitcoin);
    const [tasks, before] = [agenda(), bitcoins()];
    const ids = Array.from({ length: MANY }, () => {
      const body = { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.0001' };
      const input = { params: { account_id: account.id }, query: {}, body, origin: '' };
      const answer = handler?.answer(state, input) as { data: { ref_id: string } } | undefined;
      return answer?.data.ref_id;
    });
    const kept = [...account.records.of(withdrawals).values()];
    expect(kept.map(({ ref_id }) => ref_id)).toEqual(ids.slice(-MAX_RECORDS));
    expect(agenda() - tasks).toBe(MAX_RECORDS);
    const paid = () => before?.total.minus(bitcoins()?.total ?? 0);
    const one = new Money('0.0001').plus(kept[0]?.fee ?? 0);
    expect(paid()?.toFixed()).toBe(one.times(MANY - MAX_RECORDS).toFixed());
    expect(
      bitcoins()
        ?.held.minus(before?.held ?? 0)
        .toFixed(),
    ).toBe(one.times(MAX_RECORDS).toFixed());
    state.clock.advance(65_000);
    expect(JSON.stringify(state.clock.save().agenda)).not.toContain('withdrawal.');
    expect(paid()?.toFixed()).toBe(one.times(MANY).toFixed());
  });

  test('remembers the newest keys', () => {
    const memory = new IdempotencyMemory(state.clock, state.changes);
    const head = { method: 'POST', target: '/', header: () => undefined, headers: () => [], origin: '' };
    const slot = (index: number) => {
      const key = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      const request = { operation: 'webhooks.create', account: undefined, seq: undefined };
      return memory.slot({ key, head, body: new Uint8Array(), ...request });
    };
    for (let index = 0; index < 25_000; index += 1) slot(index).remember({ status: 200, headers: {}, body: '' });
    expect(memory.save()).toHaveLength(20_000);
    expect(slot(24_999).recall()).toMatchObject({ status: 200 });
    expect(slot(0).recall()).toBeUndefined();
    state.clock.advance(24 * 3_600_000);
    expect(memory.save()).toEqual([]);
  });
});

test('a webhook has eight valid secrets at most, a delivery a hundred redeliveries, and the plan stays whole', async () => {
  const signatures: (string | null)[] = [];
  const deliver = (request: Request): Response => {
    signatures.push(request.headers.get('x-signature'));
    return new Response(null, { status: 500 });
  };
  await using sandbox = createSandbox({ deliver });
  const { id } = sandbox.webhooks.register({ url: 'http://127.0.0.1:9/', events: ['deposit.completed'] });
  for (let turn = 0; turn < 20; turn += 1) sandbox.webhooks.rotateSecret(id);
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '1' });
  await sandbox.webhooks.idle();
  const [delivery] = sandbox.webhooks.listDeliveries();
  for (let turn = 0; turn < 120; turn += 1) await sandbox.webhooks.redeliver(delivery?.id ?? '');
  sandbox.advance(5_000);
  await sandbox.webhooks.idle();
  const attempts = sandbox.webhooks.listDeliveries()[0]?.attempts ?? [];
  expect(attempts.filter(({ redelivery }) => redelivery)).toHaveLength(100);
  expect(attempts.filter(({ redelivery }) => !redelivery)).toHaveLength(2);
  expect(signatures[0]?.match(/v1=/g)).toHaveLength(8);
});
