import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError, PartnerClient, type PartnerError } from '../../../src/index.js';
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type ScenarioName,
  type ScenarioOptions,
} from '../../../src/sandbox/index.js';
import { everything } from '../support/balances.js';
import { askControl, Partner } from '../support/partner.js';

/** What the tests of a file share: each begins with it as new. */
let shared: Awaited<ReturnType<typeof opened>>;
let sandbox: Sandbox;
let client: PartnerClient;
let partner: Partner;
beforeAll(async () => {
  shared = await opened();
});
afterAll(() => shared.close());
beforeEach(() => {
  ({ sandbox, client, partner } = shared);
  sandbox.reset();
  // The reset has taken the partner's own key back.
  sandbox.keys.issue();
});

async function opened(options: SandboxOptions = {}) {
  const made = createSandbox(options);
  const { url } = await made.listen();
  const ours = new PartnerClient({ baseUrl: url, ...made.credentials, maxRetries: 0, attemptTimeout: 2_000 });
  const close = async () => {
    await ours.close();
    await made.close();
  };
  return { sandbox: made, client: ours, partner: new Partner(made, url, made.keys.issue()), close };
}

/** A sandbox of its own for one test. */
async function open(options: SandboxOptions): Promise<void> {
  const own = await opened(options);
  onTestFinished(own.close);
  ({ sandbox, client, partner } = own);
}

const start = (name: ScenarioName, options?: ScenarioOptions) => sandbox.scenarios.start(name, options);
const stop = (name: ScenarioName) => sandbox.scenarios.stop(name);
const ids = () => sandbox.fixtures;
const getUser = () => client.users.get(ids().userId);
const usdToBtc = {
  from: { symbol: 'USD', type: 'fiat', amount: '100.00' },
  to: { symbol: 'BTC', type: 'crypto' },
} as const;
const quoting = () => client.accounts.quotes.create(ids().accountId, usdToBtc);
const quoteStatus = async (id: string) => (await client.accounts.quotes.get(ids().accountId, id)).status;

/** The end of a call: `200`, the status of its error, or the name of an error without one. */
const endOf = (call: PromiseLike<unknown>): Promise<number | string> =>
  Promise.resolve(call).then(
    () => 200,
    (error: PartnerError) => (error instanceof ApiError ? error.response.status : error.name),
  );

describe('maintenance', () => {
  test('answers 503 with what is left as Retry-After, and ends by the clock', async () => {
    const { until } = start('maintenance', { for: 600_000 });
    expect(until).toBe(sandbox.clock.now() + 600_000);
    sandbox.advance(570_000);
    const error = await getUser().then(undefined, (reason: unknown) => reason);
    expect(error).toMatchObject({ response: { status: 503 }, code: 'unavailable', retryAfter: 30_000 });
    sandbox.advance(30_000);
    expect(await endOf(getUser())).toBe(200);
    expect(sandbox.scenarios.list().filter(({ running }) => running)).toEqual([]);
  });

  test('of some operations leaves the others; stop ends it', async () => {
    start('maintenance', { operations: ['accounts.quotes.create', 'Get quote'] });
    expect([await endOf(quoting()), await endOf(getUser())]).toEqual([503, 200]);
    expect(sandbox.faults.list()).toMatchObject([{ scenario: 'maintenance' }, { scenario: 'maintenance' }]);
    stop('maintenance');
    expect([await endOf(quoting()), sandbox.faults.list()]).toEqual([200, []]);
  });

  test('with an unknown operation does not begin at all', () => {
    expect(() => start('maintenance', { operations: ['users.get', 'users.fly'] })).toThrow(
      'scenarios.start: there is no operation "users.fly"',
    );
    expect(sandbox.faults.list()).toEqual([]);
    expect(sandbox.scenarios.list().some(({ running }) => running)).toBe(false);
  });

  test('is not taken back by faults.remove and faults.clear, which say whose it is', async () => {
    start('maintenance');
    const [fault] = sandbox.faults.list();
    expect(() => sandbox.faults.remove(fault?.id ?? '')).toThrow('belongs to the scenario maintenance: scenarios.stop');
    sandbox.faults.clear();
    expect(await endOf(getUser())).toBe(503);
  });
});

test('rate_limited: requests above a small quota are 429 and told when to come back; stop puts the old quota back', async () => {
  sandbox.quota.set({ requests: 1_000, per: 60_000 });
  start('rate_limited', { requests: 2, per: 30_000 });
  expect([await endOf(getUser()), await endOf(getUser()), await endOf(getUser())]).toEqual([200, 200, 429]);
  const error = await getUser().then(undefined, (reason: unknown) => reason);
  expect(error).toMatchObject({ response: { status: 429 }, retryAfter: 30_000 });
  sandbox.advance(30_000);
  expect(await endOf(getUser())).toBe(200);
  stop('rate_limited');
  expect(sandbox.quota.level().quota).toEqual({ requests: 1_000, per: 60_000 });
  expect([await endOf(getUser()), await endOf(getUser()), await endOf(getUser())]).toEqual([200, 200, 200]);
});

test('flaky_network: connections break in every way, before and after the effect, and heal', async () => {
  const impatient = new PartnerClient({
    ...{ baseUrl: partner.url, ...sandbox.credentials, maxRetries: 0, attemptTimeout: 50 },
  });
  onTestFinished(() => impatient.close());
  start('flaky_network', { share: 1 });
  const ends: (number | string)[] = [];
  for (let turn = 0; turn < 25; turn += 1) ends.push(await endOf(impatient.users.get(ids().userId)));
  expect(ends).not.toContain(200);
  const struck = new Set(sandbox.journal.map(({ fault, verdict }) => `${verdict} ${fault}`));
  expect([...struck].sort()).toEqual([
    ...['fault_after reset', 'fault_after timeout', 'fault_after truncate'],
    ...['fault_before reset', 'fault_before timeout'],
  ]);
  stop('flaky_network');
  expect(await endOf(getUser())).toBe(200);
});

test('flaky_network: a share of the requests, drawn by the seed', async () => {
  start('flaky_network', { share: 0.3 });
  // Some are never answered.
  const enough = new AbortController();
  onTestFinished(() => enough.abort());
  for (let turn = 0; turn < 40; turn += 1) {
    void partner.send({ method: 'GET', path: '/v1/webhooks' }, enough.signal).catch(() => {});
  }
  await expect.poll(() => sandbox.journal.length).toBe(40);
  const struck = sandbox.journal.filter(({ faultId }) => faultId !== undefined).length;
  expect(struck).toBeGreaterThan(3);
  expect(struck).toBeLessThan(25);
});

test('slow_execution: a quote executes for minutes; stop lets it happen, and no money is lost', async () => {
  const before = await everything(partner);
  const early = await quoting();
  await client.accounts.quotes.execute(ids().accountId, early.id);
  start('slow_execution');
  const { id } = await quoting();
  await client.accounts.quotes.execute(ids().accountId, id);
  sandbox.advance(120_000);
  expect([await quoteStatus(early.id), await quoteStatus(id)]).toEqual(['executed', 'executing']);
  stop('slow_execution');
  expect([await quoteStatus(id), sandbox.executionTimes.get()]).toEqual(['executed', {}]);
  expect(await everything(partner)).toEqual(before);
});

test('nightly_settlement: writes of money are 503, reads go on, what settles waits; the end lets it settle', async () => {
  const from = { asset: { symbol: 'USD', type: 'fiat', amount: '20.00' } } as const;
  const conversion = await client.accounts.conversions.create(ids().accountId, {
    ...{ from, to: { asset: { symbol: 'BTC', type: 'crypto' } } },
  });
  const status = async () => (await client.conversions.get(conversion.id)).status;
  start('nightly_settlement', { for: 3_600_000 });
  sandbox.advance(600_000);
  expect([await endOf(quoting()), await endOf(getUser()), await status()]).toEqual([503, 200, 'settling']);
  sandbox.advance(3_000_000);
  expect([await endOf(quoting()), await status()]).toEqual([200, 'completed']);
  expect(sandbox.executionTimes.get()).toEqual({});
});

test('two scenarios that hold the same steps leave nothing of them, whichever ends first', () => {
  for (const [first, second] of [
    ['slow_execution', 'nightly_settlement'],
    ['nightly_settlement', 'slow_execution'],
  ] as const) {
    start('slow_execution');
    start('nightly_settlement');
    stop(first);
    expect(sandbox.executionTimes.get()['transfer.finish']).toBe(second === 'slow_execution' ? 300_000 : 3_600_000);
    stop(second);
    expect(sandbox.executionTimes.get()).toEqual({});
  }
});

test('a time of a step that was set while a scenario held it stays', () => {
  start('slow_execution');
  sandbox.executionTimes.set({ 'transfer.finish': 7 });
  expect(sandbox.executionTimes.get()).toMatchObject({ 'transfer.finish': 7, 'transfer.process': 300_000 });
  stop('slow_execution');
  expect(sandbox.executionTimes.get()).toEqual({ 'transfer.finish': 7 });
  start('slow_execution');
  sandbox.executionTimes.clear();
  stop('slow_execution');
  expect(sandbox.executionTimes.get()).toEqual({});
});

describe('price_drop', () => {
  const value = async () => (await client.accounts.portfolio.summary(ids().accountId)).value?.toNumber() ?? 0;
  const bought = async () => (await quoting()).to.amount.toNumber();
  const prices = () => new Map(sandbox.prices.list().map(({ type, symbol, usd }) => [`${type}:${symbol}`, usd]));

  test('re-quotes are other ones, and the portfolio is worth less; stop puts every price back to the digit', async () => {
    const [before, worth, amount] = [prices(), await value(), await bought()];
    start('price_drop', { percent: 50 });
    expect(Number(prices().get('crypto:BTC'))).toBeCloseTo(Number(before.get('crypto:BTC')) / 2, 6);
    expect(prices().get('fiat:EUR')).toBe(before.get('fiat:EUR'));
    expect(await value()).toBeLessThan(worth);
    expect(await bought()).toBeCloseTo(amount * 2, 6);
    stop('price_drop');
    expect(prices()).toEqual(before);
    expect([await value(), await bought()]).toEqual([worth, amount]);
  });

  test('of some tickers leaves the others, and a price that was set meanwhile stays', () => {
    const before = prices();
    start('price_drop', { symbols: ['BTC', 'ETH'] });
    expect(prices().get('crypto:SOL')).toBe(before.get('crypto:SOL'));
    sandbox.prices.set('BTC', '1234.5');
    stop('price_drop');
    expect(prices()).toEqual(new Map(before).set('crypto:BTC', '1234.5'));
  });

  test('every price is put back when the clock ticks between two looks at it', async () => {
    await open({ realTime: true });
    const before = prices();
    let tick = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      tick += 1;
      return tick;
    });
    onTestFinished(() => clock.mockRestore());
    start('price_drop');
    stop('price_drop');
    expect(prices()).toEqual(before);
  });
});

describe('kyc_review', () => {
  const statusOf = async () => (await getUser()).status;
  const portfolio = () => client.accounts.portfolio.details(ids().accountId);

  test('users have something to do again, and their accounts are closed if wanted; stop puts it back', async () => {
    const before = sandbox.users.list();
    start('kyc_review', { enforce: true });
    expect(await statusOf()).toMatchObject({ state: 'pending', required_actions: [{ type: 'submit_verification' }] });
    expect(await endOf(portfolio())).toBe(403);
    stop('kyc_review');
    expect(await endOf(portfolio())).toBe(200);
    expect(sandbox.users.list()).toEqual(before);
  });

  test('one user alone; nothing is closed unless the sandbox enforces it; who is ok meanwhile stays so', async () => {
    start('kyc_review', { users: [ids().userId] });
    expect([(await statusOf()).state, await endOf(portfolio())]).toEqual(['pending', 200]);
    const others = sandbox.users.list().filter(({ id }) => id !== ids().userId);
    expect(others.some(({ status }) => status.state === 'ok')).toBe(true);
    sandbox.users.setStatus(ids().userId, { state: 'blocked' });
    stop('kyc_review');
    expect((await statusOf()).state).toBe('blocked');
    expect(() => start('kyc_review', { users: ['nobody'] })).toThrow('scenarios.start: there is no user nobody');
  });
});

test('revoked_key: every request is 401 until the key is given back', async () => {
  start('revoked_key');
  expect([await endOf(getUser()), (await partner.get('/v1/webhooks')).status]).toEqual([401, 200]);
  expect(sandbox.journal.some(({ verdict }) => verdict === 'revoked_key')).toBe(true);
  stop('revoked_key');
  const again = new PartnerClient({ baseUrl: partner.url, ...sandbox.credentials, maxRetries: 0 });
  onTestFinished(() => again.close());
  expect(await endOf(again.users.get(ids().userId))).toBe(200);
  sandbox.keys.revoke(partner.credentials.apiKey);
  expect(() => start('revoked_key', { apiKey: partner.credentials.apiKey })).toThrow('is revoked already');
  expect(() => start('revoked_key', { apiKey: 'pk_none' })).toThrow('there is no API key pk_none');
});

test('rotated_key: the old secret is 401 until it is put back; a secret that was set meanwhile stays', async () => {
  const { apiKey, apiSecret } = sandbox.credentials;
  start('rotated_key');
  expect([await endOf(getUser()), (await partner.get('/v1/webhooks')).status]).toEqual([401, 200]);
  expect(sandbox.journal.at(-2)?.likely).toContain('secret');
  expect(sandbox.credentials.apiSecret).not.toBe(apiSecret);
  stop('rotated_key');
  expect([await endOf(getUser()), sandbox.credentials.apiSecret]).toEqual([200, apiSecret]);
  start('rotated_key', { apiKey });
  const kept = sandbox.keys.rotateSecret(apiKey);
  stop('rotated_key');
  expect(sandbox.credentials).toEqual(kept);
  expect(() => start('rotated_key', { apiKey: 'pk_none' })).toThrow('there is no API key pk_none');
});

test('lossy_webhooks: events are lost, late or doubled; stop makes deliveries whole', async () => {
  const received: string[] = [];
  await open({
    deliver: async (request) => {
      received.push(JSON.parse(await request.text()).id);
      return new Response();
    },
  });
  sandbox.webhooks.register({ url: 'https://partner.example/hook', events: ['quote.executed'] });
  const executeAll = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) {
      await client.accounts.quotes.execute(ids().accountId, (await quoting()).id);
    }
    sandbox.advance(2_000);
    await sandbox.webhooks.idle();
  };
  start('lossy_webhooks', { share: 1 });
  await executeAll(30);
  const events = sandbox.webhooks.listDeliveries().map(({ eventId }) => eventId);
  const times = (id: string) => received.filter((one) => one === id).length;
  const soon = new Set(events.map(times));
  expect([...soon].sort()).toEqual([0, 2]);
  sandbox.advance(60_000);
  await sandbox.webhooks.idle();
  expect(new Set(events.map(times))).toEqual(new Set([0, 1, 2]));
  stop('lossy_webhooks');
  expect(sandbox.webhooks.faults.list()).toEqual([]);
  received.length = 0;
  await executeAll(5);
  const after = sandbox.webhooks
    .listDeliveries()
    .slice(-5)
    .map(({ eventId }) => eventId);
  expect(after.map(times)).toEqual([1, 1, 1, 1, 1]);
});

describe('all of them', () => {
  test('are listed with a sentence and their options, whether they run or not', () => {
    const list = sandbox.scenarios.list();
    expect(list.map(({ name }) => name).sort()).toEqual([
      ...['flaky_network', 'kyc_review', 'lossy_webhooks', 'maintenance', 'nightly_settlement', 'price_drop'],
      ...['rate_limited', 'revoked_key', 'rotated_key', 'slow_execution'],
    ]);
    for (const { summary, options, running } of list) {
      expect(summary).toMatch(/^[A-Z].*\.$/);
      expect(Object.keys(options)[0]).toBe('for');
      expect(running).toBe(false);
    }
  });

  test('begin anew when they are started again, end by the clock, and all at once', async () => {
    start('maintenance', { for: 1_000 });
    start('maintenance', { for: 5_000 });
    start('price_drop');
    sandbox.advance(1_000);
    expect(sandbox.faults.list()).toHaveLength(1);
    const running = () => sandbox.scenarios.list().flatMap(({ name, running: runs }) => (runs ? [name] : []));
    expect(running()).toEqual(['maintenance', 'price_drop']);
    sandbox.scenarios.stopAll();
    sandbox.scenarios.stopAll();
    stop('maintenance');
    expect([running(), await endOf(getUser())]).toEqual([[], 200]);
  });

  test('are ended by reset, and leave the state of a new sandbox', async () => {
    const before = [sandbox.prices.list(), sandbox.users.list(), sandbox.keys.list().length];
    for (const { name } of sandbox.scenarios.list()) start(name, { for: 1_000_000 });
    sandbox.reset();
    expect(sandbox.scenarios.list().some(({ running }) => running)).toBe(false);
    expect([sandbox.prices.list(), sandbox.users.list(), sandbox.faults.list()]).toEqual([before[0], before[1], []]);
    expect(sandbox.quota.level().quota).toBeUndefined();
    expect(await endOf(getUser())).toBe(200);
  });

  test('a snapshot in the middle can be read, and nothing of them runs in it', () => {
    for (const { name } of sandbox.scenarios.list()) start(name, { for: 1_000_000 });
    const restored = createSandbox({ snapshot: JSON.parse(JSON.stringify(sandbox.snapshot())) });
    expect(restored.scenarios.list().some(({ running }) => running)).toBe(false);
  });

  test.each<[string, object, string]>([
    [
      'maintenence',
      {},
      'there is no scenario "maintenence": did you mean maintenance? Known: maintenance, rate_limited',
    ],
    ['toString', {}, 'there is no scenario "toString"'],
    [
      'maintenance',
      { percent: 5 },
      'maintenance: percent is not an option; known are for, operations, retryAfterSeconds',
    ],
    ['maintenance', { for: 0 }, 'maintenance: for must be milliseconds above 0'],
    ['maintenance', { operations: [] }, 'maintenance: operations must be a list'],
    ['price_drop', { percent: 100 }, 'price_drop: percent must be above 0, below 100'],
    ['price_drop', { percent: '20' }, 'price_drop: percent must be above 0, below 100'],
    ['price_drop', { symbols: ['NOPE'] }, 'there is no asset NOPE whose price can fall'],
    ['flaky_network', { share: 2 }, 'flaky_network: share must be above 0, at most 1'],
    ['kyc_review', { enforce: 'yes' }, 'kyc_review: enforce must be true or false'],
  ])('%s %j is refused', (name, options, message) => {
    expect(() => start(name as ScenarioName, options)).toThrow(`scenarios.start: ${message}`);
    expect(sandbox.scenarios.list().some(({ running }) => running)).toBe(false);
  });

  test('are started, read and stopped over HTTP', async () => {
    const started = await askControl(partner, 'POST scenario', ['maintenance', { for: 600_000 }]);
    expect(started.data).toMatchObject({ name: 'maintenance', running: true, given: { for: 600_000 } });
    expect(await endOf(getUser())).toBe(503);
    expect((await askControl(partner, 'GET scenarios')).data).toContainEqual(started.data);
    expect((await askControl(partner, 'GET scenarios/maintenance')).data).toEqual(started.data);
    expect((await askControl(partner, 'DELETE scenarios/maintenance')).status).toBe(200);
    expect(await endOf(getUser())).toBe(200);
    expect((await askControl(partner, 'GET scenarios/maintenance')).data).toMatchObject({ running: false });
    expect((await askControl(partner, 'GET scenarios/nothing')).status).toBe(404);
    const wrong = await askControl(partner, 'POST scenario', ['maintenance', {}, 1]);
    expect(wrong.error?.message).toBe('scenarios.start takes [name, options?], not 3 arguments');
  });
});

test('the timeline tells when faults, outcomes and scenarios began, applied to which request, and ended', async () => {
  await open({ inspect: true });
  start('maintenance', { for: 60_000 });
  await endOf(getUser());
  sandbox.advance(60_000);
  sandbox.outcomes.add({ operation: 'accounts.quotes.create', outcome: 'expired' });
  await quoting();
  const told: string[] = [];
  const requests = new Map<number, string>();
  for await (const entry of sandbox.events({ after: 0, kinds: ['request', 'fault'] })) {
    if (entry.kind === 'request') requests.set(entry.seq, entry.operation ?? '');
    if (entry.kind === 'fault') told.push(`${entry.id} ${entry.what} ${requests.get(entry.cause ?? 0) ?? ''}`.trim());
    if (told.length === 8) break;
  }
  expect(told).toEqual([
    ...['fault_1 added', 'maintenance added', 'fault_1 applied users.get', 'fault_1 ended', 'maintenance ended'],
    ...['outcome_1 added', 'outcome_1 applied accounts.quotes.create', 'outcome_1 ended accounts.quotes.create'],
  ]);
});
