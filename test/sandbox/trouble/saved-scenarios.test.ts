import { describe, expect, onTestFinished, test } from 'vitest';
import { PartnerClient } from '../../../src/index.js';
import { Service } from '../../../src/sandbox/assembly.js';
import { subjectOf } from '../../../src/sandbox/core/clock/task.js';
import { all } from '../../../src/sandbox/core/kind/find.js';
import type { SandboxOptions } from '../../../src/sandbox/index.js';
import { users } from '../../../src/sandbox/kinds/users.js';
import { InProcess } from '../../../src/sandbox/serve/in-process.js';
import type { ScenarioName, ScenarioOptions } from '../../../src/sandbox/trouble/scenarios/scenario.js';
import { SCENARIO_NAMES } from '../../../src/sandbox/trouble/scenarios/table.js';

const MINUTE_MS = 60_000;

function open(options: SandboxOptions = {}): Service {
  const service = new Service(options);
  onTestFinished(() => service.close());
  return service;
}

const start = ({ trouble }: Service, name: ScenarioName, options: ScenarioOptions = {}) =>
  trouble.scenarios.start(name, options);
const running = ({ trouble }: Service) => trouble.scenarios.list().filter((scenario) => scenario.running);
const copied = (data: object) => JSON.parse(JSON.stringify(data));

/** A service in the state of another, with the scenarios that run there: as after a restart. */
function restarted(service: Service, options: SandboxOptions = {}): Service {
  const next = open({ snapshot: copied(service.snapshot()), ...options });
  next.trouble.scenarios.restore('restart', copied(service.trouble.scenarios.save()));
  return next;
}

function clientOf(service: Service): PartnerClient {
  const transport = new InProcess(service.requests).transport();
  const client = new PartnerClient({ baseUrl: 'https://sandbox.example', ...service.keys.first(), transport });
  onTestFinished(() => client.close());
  return client;
}

/** Executes a quote, and returns a function that reads its status. */
async function executing(service: Service): Promise<(of: Service) => Promise<string>> {
  const { quotes } = clientOf(service).accounts;
  const { accountId } = service.fixtures;
  const from = { symbol: 'USD', type: 'fiat', amount: '100.00' } as const;
  const { id } = await quotes.create(accountId, { from, to: { symbol: 'BTC', type: 'crypto' } });
  await quotes.execute(accountId, id);
  return async (of) => (await clientOf(of).accounts.quotes.get(accountId, id)).status;
}

/** All that scenarios change. */
function changeable({ state, keys, trouble }: Service) {
  const { faults, webhookFaults, quota, stepTimes } = trouble;
  return {
    prices: state.catalogue.savePrices(),
    users: all(state, users).map(({ record }) => record.user),
    keys: keys.save().map(({ apiKey, apiSecret, revoked }) => ({ apiKey, apiSecret, revoked })),
    agenda: state.clock.agenda.map(({ at, task }) => ({ at, ...subjectOf(task) })),
    enforced: state.enforceUserStatus,
    ...{ quota: quota.current, times: stepTimes.current },
    ...{ faults: faults.list(), webhookFaults: webhookFaults.list() },
  };
}

describe('a scenario that ran when its sandbox ended', () => {
  test.each(SCENARIO_NAMES)('%s: its end in the next sandbox restores what it would have restored', async (name) => {
    const service = open();
    await executing(service);
    start(service, name);
    const next = restarted(service);
    expect(running(next)).toEqual(running(service));
    service.trouble.scenarios.stop('stop', name);
    next.trouble.scenarios.stop('stop', name);
    expect(running(next)).toEqual([]);
    expect(changeable(next)).toEqual(changeable(service));
  });

  test.each(['price_drop', 'kyc_review', 'revoked_key', 'rotated_key'] as const)(
    '%s: its end leaves nothing of it',
    (name) => {
      const service = open();
      const [{ prices, ...before }, usd] = [changeable(service), usdOf(service)];
      start(service, name);
      const next = restarted(service);
      expect([changeable(next), usdOf(next)]).not.toMatchObject([before, usd]);
      next.trouble.scenarios.stopAll();
      expect([changeable(next), usdOf(next)]).toMatchObject([before, usd]);
    },
  );

  const usdOf = ({ state }: Service) => state.catalogue.assets.map(({ usd }) => usd.toFixed());

  test('slow_execution: what waits because of it is due at once, what was planned before keeps its time', async () => {
    const service = open({ executionTimes: { 'quote.finish': 10 * MINUTE_MS } });
    const early = await executing(service);
    start(service, 'slow_execution', { ms: 20 * MINUTE_MS });
    const late = await executing(service);
    const next = restarted(service);
    expect([await early(next), await late(next)]).toEqual(['executing', 'executing']);
    next.trouble.scenarios.stop('stop', 'slow_execution');
    expect([await early(next), await late(next)]).toEqual(['executing', 'executed']);
    next.state.clock.advance(10 * MINUTE_MS);
    expect(await early(next)).toBe('executed');
  });

  test('ends by the clock at the moment at which it would have ended', () => {
    const service = open();
    const before = changeable(service).users;
    start(service, 'kyc_review', { for: 10 * MINUTE_MS });
    service.state.clock.advance(MINUTE_MS);
    const next = restarted(service);
    next.state.clock.advance(9 * MINUTE_MS - 1);
    expect(running(next)).toHaveLength(1);
    next.state.clock.advance(1);
    expect([running(next), changeable(next).users]).toEqual([[], before]);
  });

  test('leaves the settings and faults of the next sandbox alone, though they are like its own', () => {
    const service = open();
    for (const name of SCENARIO_NAMES) start(service, name, name === 'kyc_review' ? { enforce: true } : {});
    const next = restarted(service, {
      ...{ enforceUserStatus: true, quota: { requests: 5, per: 10_000 } },
      executionTimes: { 'quote.finish': 300_000 },
    });
    next.trouble.faults.add('fail', { fault: 503 });
    next.trouble.webhookFaults.add('add', { drop: true });
    const { enforced, quota, times, faults, webhookFaults } = changeable(next);
    next.trouble.scenarios.stopAll();
    expect(faults).toMatchObject([{ id: 'fault_1' }]);
    expect(webhookFaults).toMatchObject([{ id: 'webhook_fault_1' }]);
    expect(changeable(next)).toMatchObject({ enforced, quota, times, faults, webhookFaults });
    expect([enforced, quota?.requests, times['quote.finish']]).toEqual([true, 5, 300_000]);
  });

  test('can be saved and restored again', () => {
    const service = open();
    for (const name of SCENARIO_NAMES) start(service, name, { for: MINUTE_MS });
    const next = restarted(restarted(service));
    expect(next.trouble.scenarios.save()).toEqual(service.trouble.scenarios.save());
    expect(next.trouble.scenarios.save().map(({ name }) => name)).toEqual(SCENARIO_NAMES);
  });
});

test.each<[saved: unknown, message: string]>([
  [{}, 'scenarios: '],
  [[{ name: 'fire' }], 'scenarios: 0.name'],
  [[{ name: 'maintenance', given: {}, since: 'now', undo: {} }], 'scenarios: 0.since'],
  [[{ name: 'maintenance', given: {}, since: 1, undo: null }], 'scenarios: 0.undo'],
  [[{ name: 'revoked_key', given: {}, since: 1, undo: {} }], 'scenarios: 0.undo.apiKey'],
  [
    [{ name: 'price_drop', given: {}, since: 1, undo: { prices: [{ asset: 'x' }] } }],
    'scenarios: 0.undo.prices.0.asset',
  ],
])('saved scenarios %j are refused', (saved, message) => {
  const service = open();
  expect(() => service.trouble.scenarios.restore('restart', saved)).toThrow(`restart: ${message}`);
  expect(running(service)).toEqual([]);
});
