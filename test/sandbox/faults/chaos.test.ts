import { describe, expect, onTestFinished, test } from 'vitest';
import { Random } from '../../../src/sandbox/core/basics/random.js';
import { drawChaos } from '../../../src/sandbox/trouble/faults/chaos.js';
import { directSandbox } from '../support/direct-partner.js';
import { openSandbox, PATIENCE, type Partner, type TestRequest } from '../support/partner.js';

function open(seed = 1): Partner {
  const partner = directSandbox({ seed });
  onTestFinished(() => partner.sandbox.close());
  return partner;
}

/** Sends without waiting for answers, of which some never come; returns when all are judged. */
async function judgeAll(partner: Partner, requests: readonly TestRequest[]): Promise<void> {
  const { sandbox } = partner;
  const judged = sandbox.journal.length + requests.length;
  for (const request of requests) partner.send(request).catch(() => {});
  await expect.poll(() => sandbox.journal.length, PATIENCE).toBe(judged);
}

const list: TestRequest = { method: 'GET', path: '/v1/webhooks?page_size=1' };
const lists = (count: number) => Array.from({ length: count }, () => list);
const fates = ({ sandbox }: Partner) => sandbox.journal.map(({ verdict, status }) => `${verdict} ${status}`);
const struck = ({ sandbox }: Partner) => sandbox.journal.map(({ verdict }) => verdict.startsWith('fault'));
const count = (values: readonly boolean[]) => values.filter(Boolean).length;

/** A partner whose requests are judged under a chaos of this probability. */
async function judged(probability: number, requests: readonly TestRequest[], seed?: number): Promise<Partner> {
  const partner = open(seed);
  const chaos = partner.sandbox.faults.chaos(probability);
  expect(partner.sandbox.faults.list()).toEqual([chaos]);
  await judgeAll(partner, requests);
  return partner;
}

describe('which requests it strikes', () => {
  const pattern = async (seed: number): Promise<string[]> => fates(await judged(0.3, lists(200), seed));

  test('follows the seed', async () => {
    expect(await pattern(5)).toEqual(await pattern(5));
    expect(await pattern(5)).not.toEqual(await pattern(6));
  });

  test('is a share of them: the probability holds for before and after together', async () => {
    const times = count(struck(await judged(0.2, lists(3_000))));
    // 600 are expected; three standard deviations are 66.
    expect(times).toBeGreaterThan(534);
    expect(times).toBeLessThan(666);
  });

  test('does not depend on other faults', async () => {
    const plain = await judged(0.3, lists(200));
    const mixed = open();
    mixed.sandbox.faults.chaos(0.3);
    mixed.sandbox.fail({ fault: 418, when: 'before', times: 50, probability: 0.5 });
    await judgeAll(mixed, lists(200));
    const expected = fates(plain).map((fate, index) =>
      fates(mixed)[index]?.endsWith('418') ? 'fault_before 418' : fate,
    );
    expect(fates(mixed)).toEqual(expected);
    expect(fates(mixed).filter((fate) => fate.endsWith('418'))).toHaveLength(50);
  });

  test('leaves refusals to the faults before the effect', async () => {
    const wrong = { ...list, path: '/v1/webhooks?page_size=0' };
    const partner = await judged(1, Array<TestRequest>(200).fill(wrong));
    const verdicts = partner.sandbox.journal.map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(['fault_before', 'bad_request']));
  });
});

test('strikes with each of its faults about as often', () => {
  const random = new Random(1);
  const drawn = new Map<string, number>();
  for (let index = 0; index < 34_000; index += 1) {
    const fault = drawChaos(0.5, random);
    const name = fault === undefined ? 'none' : `${fault.when} ${fault.fault} ${fault.retryAfterSeconds ?? '-'}`;
    drawn.set(name, (drawn.get(name) ?? 0) + 1);
  }
  const { none, ...faults } = Object.fromEntries(drawn);
  expect(Object.keys(faults).sort()).toEqual([
    ...['after 503 -', 'after 504 -', 'after content_type -', 'after empty -'],
    ...['after garbage -', 'after html -'],
    ...['after reset -', 'after slow -', 'after timeout -', 'after truncate -'],
    ...['before 429 -', 'before 429 1', 'before 503 -', 'before 503 1', 'before html -', 'before reset -'],
    'before timeout -',
  ]);
  expect(none).toBeGreaterThan(16_500);
  expect(none).toBeLessThan(17_500);
  for (const times of Object.values(faults)) expect(Math.abs(times - 1_000)).toBeLessThan(120);
});

describe('taking back', () => {
  test('ends this chaos and no other fault', async () => {
    const { sandbox, ...partner } = await openSandbox();
    const { id } = sandbox.faults.chaos(1);
    sandbox.fail({ fault: 418, when: 'before' });
    sandbox.faults.remove(id);
    expect(() => sandbox.faults.remove(id)).toThrow(`faults.remove: there is no fault ${id}`);
    expect((await fetch(`${partner.url}/v1/webhooks`)).status).toBe(418);
    expect((await fetch(`${partner.url}/v1/webhooks`)).status).toBe(401);
  });

  test('one of two leaves the other', async () => {
    const partner = open();
    partner.sandbox.faults.chaos(1);
    const { id } = partner.sandbox.faults.chaos(1);
    partner.sandbox.faults.remove(id);
    await judgeAll(partner, lists(20));
    expect(count(struck(partner))).toBe(20);
  });

  test('clear takes back all, and what is taken back then harms nothing', async () => {
    const partner = open();
    const { sandbox } = partner;
    sandbox.faults.chaos(1);
    sandbox.faults.chaos(0.5);
    const takeBack = [
      sandbox.fail({ fault: 503, times: 'always' }),
      sandbox.fail({ fault: 'garbage', operation: 'webhooks.list' }),
    ];
    sandbox.faults.clear();
    await judgeAll(partner, lists(20));
    for (const run of takeBack) run();
    await judgeAll(partner, lists(20));
    expect(count(struck(partner))).toBe(0);
    sandbox.fail({ fault: 503 });
    sandbox.faults.clear();
    sandbox.faults.clear();
    await judgeAll(partner, lists(1));
    expect(count(struck(partner))).toBe(0);
  });
});

test('a probability of 0 ends it, and leaves other faults', async () => {
  const partner = open();
  const { faults } = partner.sandbox;
  faults.chaos(1);
  faults.chaos(0.5);
  faults.add({ fault: 418, times: 'always' });
  expect(faults.chaos(0)).toMatchObject({ fault: 'chaos', probability: 0, left: 0 });
  await judgeAll(partner, lists(20));
  expect(new Set(fates(partner))).toEqual(new Set(['fault_before 418']));
  expect(faults.list()).toHaveLength(1);
});

test.each([-0.1, 1.1, Number.NaN, '0.5', undefined])('chaos(%j) is refused', (probability) => {
  const { sandbox } = open();
  expect(() => sandbox.faults.chaos(probability as number)).toThrow(
    new TypeError('faults.chaos: probability must be above 0, at most 1, or 0 to end chaos'),
  );
});
