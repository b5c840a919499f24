import { describe, expect, onTestFinished, test } from 'vitest';
import type { FailOptions, SandboxOptions, TroubleOptions } from '../../../src/sandbox/index.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies } from '../support/partner.js';

function open(troubles: readonly TroubleOptions[], options: SandboxOptions = {}): DirectPartner {
  const partner = directSandbox({ ...options, troubles });
  onTestFinished(() => partner.sandbox.close());
  return partner;
}

const list = '/v1/webhooks?page_size=1';
const wrong = '/v1/webhooks?page_size=0';

/** The ids of the troubles that have applied, as often as they have. */
const applied = ({ sandbox }: DirectPartner) =>
  Object.fromEntries(sandbox.troubles.list().map(({ id, applied: times }) => [id, times]));

async function statuses(partner: DirectPartner, path: string, count: number): Promise<number[]> {
  const seen: number[] = [];
  for (let turn = 0; turn < count; turn += 1) seen.push((await partner.get(path)).status);
  return seen;
}

/** Executes a quote, and returns its status after a while. */
async function executed(partner: DirectPartner): Promise<string> {
  const { id } = (await partner.post(`${partner.account}/quotes`, bodies.quote)).body.data;
  await partner.post(`${partner.account}/quotes/${id}/execute`);
  partner.sandbox.advance(2_000);
  return (await partner.get(`${partner.account}/quotes/${id}`)).body.data.status;
}

describe('the order in which troubles apply', () => {
  test('1: the oldest fault before the effect answers, whatever the request', async () => {
    const partner = open([
      { does: 418, when: 'after' },
      { does: 503, when: 'before' },
      { does: 500, when: 'before' },
    ]);
    expect(await statuses(partner, wrong, 3)).toEqual([503, 500, 400]);
    expect(await statuses(partner, list, 2)).toEqual([418, 200]);
  });

  test('2: the check of a request comes before outcomes and faults after the effect', async () => {
    const settings = { quota: { requests: 1, perMs: 60_000 } };
    const partner = open([{ does: 503, when: 'after', times: 'always' }], { settings });
    expect(await statuses(partner, wrong, 2)).toEqual([400, 429]);
    expect(applied(partner)).toEqual({ trouble_1: 0 });
  });

  test('2: what a fault before the effect answers counts for no quota and no idempotency key', async () => {
    const settings = { quota: { requests: 1, perMs: 60_000 } };
    const partner = open([{ does: 503, times: 2 }], { settings });
    expect(await statuses(partner, list, 4)).toEqual([503, 503, 200, 429]);
  });

  test('3: the oldest outcome decides the effect', async () => {
    const match = { operation: 'accounts.quotes.execute' };
    const partner = open([
      { match, does: { outcome: 'slow', afterMs: 60_000 } },
      { match, does: { outcome: 'failed' }, times: 'always' },
    ]);
    expect([await executed(partner), await executed(partner)]).toEqual(['executing', 'failed']);
  });

  test('3: an outcome decides also the effect whose answer a fault replaces, older or not', async () => {
    const match = { operation: 'accounts.quotes.execute' };
    const partner = open([
      { match, does: 503, when: 'after' },
      { match, does: { outcome: 'failed' } },
    ]);
    expect(await executed(partner)).toBe('failed');
    expect(partner.sandbox.journal.map(({ status }) => status)).toEqual([200, 503, 200]);
  });

  test('4: the oldest fault after the effect replaces an answer, unless it is a refusal', async () => {
    const partner = open([
      { does: 503, when: 'after' },
      { does: 500, when: 'after' },
    ]);
    expect(await statuses(partner, wrong, 1)).toEqual([400]);
    expect(await statuses(partner, list, 3)).toEqual([503, 500, 200]);
  });

  test('5: all delays hold back an answer, whoever gives it', async () => {
    const partner = open([{ does: { delayMs: 1 } }, { does: 503 }, { does: { delayMs: 2 } }]);
    for (const path of [list, wrong, list]) await partner.get(path);
    expect(partner.sandbox.journal.map(({ status, latency }) => [status, latency])).toEqual([
      [503, 3],
      [400, 3],
      [200, 3],
    ]);
  });

  test.each(['before', 'after'] as const)('other faults %s the effect have priority over chaos', async (when) => {
    const partner = open([{ does: 'chaos' }, { does: 418, when, times: 'always' }], { seed: 3 });
    const answers = Array.from({ length: 60 }, () => partner.get(list).catch(() => undefined));
    await expect.poll(() => partner.sandbox.journal.length).toBe(60);
    const [chaos, own] = ['trouble_1', 'trouble_2'].map((id) =>
      partner.sandbox.journal.filter(({ faultId }) => faultId === id),
    );
    expect(own?.length).toBeGreaterThan(0);
    expect(chaos?.every(({ verdict }) => verdict !== `fault_${when}`)).toBe(true);
    // What is not struck at the one time is at the other.
    expect((chaos?.length ?? 0) + (own?.length ?? 0)).toBe(60);
    void answers;
  });

  test('of the effects on deliveries the oldest that matches applies to an attempt', async () => {
    const partner = open([
      { match: { event: 'deposit.completed' }, does: { delivery: { sentAs: 'a' } } },
      { match: { event: 'quote.executed' }, does: { delivery: { sentAs: 'b' } } },
      { does: { delivery: { sentAs: 'c' } } },
    ]);
    const { inbox, webhooks, troubles } = partner.sandbox;
    webhooks.register({ url: inbox.url('shop') });
    for (let turn = 0; turn < 3; turn += 1) await webhooks.trigger('quote.executed');
    expect(inbox.list().map(({ body }) => JSON.parse(body).type)).toEqual(['b', 'c', 'quote.executed']);
    expect(troubles.list()).toMatchObject([{ id: 'trouble_1', applied: 0 }]);
  });
});

describe('draws', () => {
  const half: TroubleOptions = { does: 503, times: 'always', probability: 0.5 };

  test('of a trouble do not change with other troubles, nor with what the service draws', async () => {
    const alone = open([half]);
    const among = open([half, { does: { delayMs: [0, 1] } }, { does: 'chaos', probability: 0.2, times: 5 }]);
    among.sandbox.troubles.add({ match: { operation: 'users.get' }, does: 500, probability: 0.5 });
    const fates = (partner: DirectPartner) => partner.sandbox.journal.map(({ faultId }) => faultId === 'trouble_1');
    for (const partner of [alone, among]) {
      for (let turn = 0; turn < 60; turn += 1) void partner.get(list).catch(() => undefined);
      await expect.poll(() => partner.sandbox.journal.length).toBe(60);
    }
    expect(fates(among)).toEqual(fates(alone));
    expect(new Set(fates(alone)).size).toBe(2);
  });

  test('of two troubles alike differ', async () => {
    const partner = open([half, half]);
    const seen = await statuses(partner, list, 60);
    const [first, second] = partner.sandbox.troubles.list();
    expect(seen.filter((status) => status === 503)).toHaveLength((first?.applied ?? 0) + (second?.applied ?? 0));
    // The second one is asked only where the first one leaves a request.
    expect(second?.applied).toBeGreaterThan(5);
    expect(seen).toContain(200);
  });

  test('are those of the seed, and the same after a reset', async () => {
    const partner = open([half]);
    const before = await statuses(partner, list, 40);
    partner.sandbox.reset();
    expect(await statuses(partner, list, 40)).toEqual(before);
    expect(await statuses(open([half], { seed: 2 }), list, 40)).not.toEqual(before);
  });
});

test.each<[FailOptions, TroubleOptions]>([
  [{ fault: 503 }, { does: 503 }],
  [
    { fault: 'reset', operation: 'users.get' },
    { match: { operation: 'users.get' }, does: 'reset' },
  ],
  [
    { fault: 429, operation: 'Get user', match: { userId: 'u', nth: 2 }, retryAfterSeconds: 'left', forMs: 60_000 },
    {
      match: { operation: 'Get user', userId: 'u', nth: 2 },
      forMs: 60_000,
      does: { fault: 429, retryAfterSeconds: 'left' },
    },
  ],
  [
    { fault: 'slow', bytesPerSecond: 5, when: 'before', times: 'always', afterMs: 5, probability: 0.5 },
    {
      does: { fault: 'slow', bytesPerSecond: 5 },
      when: 'before',
      times: 'always',
      afterMs: 5,
      probability: 0.5,
    },
  ],
])('fail(%j) adds the trouble %j', (flat, options) => {
  const { sandbox } = open([]);
  sandbox.fail(flat);
  sandbox.troubles.add(options);
  const [ofFail, added] = sandbox.troubles.list().map(({ id, real, match = {}, does, ...rest }) => {
    const fault = typeof does === 'object' ? does : { fault: does };
    return JSON.parse(JSON.stringify({ ...rest, match, does: fault }));
  });
  expect(ofFail).toEqual(added);
});

test.each<[object, string]>([
  [{}, 'fault must be a status from 200 to 599 or one of reset, timeout'],
  [{ fault: 'chaos' }, 'fault must be a status from 200 to 599 or one of reset, timeout'],
  [{ fault: 503, match: { operation: 'users.get' } }, 'match must not have operation; known are accountId, userId'],
  [{ fault: 503, match: { event: 'quote.executed' } }, 'match must not have event; known are accountId, userId'],
  [{ fault: 503, operation: 'quotes.delete' }, 'there is no operation "quotes.delete"'],
  [{ fault: 'reset', code: 'forbidden' }, 'code is for a status of 400 or more'],
])('fail(%j) is refused', (options, message) => {
  const { sandbox } = open([]);
  expect(() => sandbox.fail(options as FailOptions)).toThrow(`fail: ${message}`);
  expect(sandbox.troubles.list()).toEqual([]);
});
