import { describe, expect, onTestFinished, test } from 'vitest';
import { Random } from '../../../src/sandbox/core/basics/random.js';
import { drawChaos } from '../../../src/sandbox/trouble/effects.js';
import { directSandbox } from '../support/direct-partner.js';
import { PATIENCE, type Partner, type TestRequest } from '../support/partner.js';

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
  partner.sandbox.troubles.add({ does: 'chaos', probability });
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

  test('does not depend on other troubles', async () => {
    const plain = await judged(0.3, lists(200));
    const mixed = open();
    mixed.sandbox.troubles.add({ does: 'chaos', probability: 0.3 });
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

  test('is those that its match selects, as often as it may', async () => {
    const partner = open();
    partner.sandbox.troubles.add({ match: { operation: 'webhooks.list', nth: 3 }, does: 'chaos', times: 4 });
    await judgeAll(partner, [{ ...list, path: '/v1/assets' }, ...lists(10)]);
    const no = Array(3).fill(false);
    expect(struck(partner)).toEqual([...no, true, true, true, true, ...no, false]);
    expect(partner.sandbox.troubles.list()).toEqual([]);
  });
});

test('strikes with each of its faults about as often', () => {
  const random = new Random(1);
  const drawn = new Map<string, number>();
  for (let index = 0; index < 17_000; index += 1) {
    const { when, fault, retryAfterSeconds } = drawChaos(random);
    const name = `${when} ${fault} ${retryAfterSeconds ?? '-'}`;
    drawn.set(name, (drawn.get(name) ?? 0) + 1);
  }
  expect([...drawn.keys()].sort()).toEqual([
    ...['after 503 -', 'after 504 -', 'after content_type -', 'after empty -'],
    ...['after garbage -', 'after html -'],
    ...['after reset -', 'after slow -', 'after timeout -', 'after truncate -'],
    ...['before 429 -', 'before 429 1', 'before 503 -', 'before 503 1', 'before html -', 'before reset -'],
    'before timeout -',
  ]);
  for (const times of drawn.values()) expect(Math.abs(times - 1_000)).toBeLessThan(120);
});

test('one of two that is removed leaves the other', async () => {
  const partner = open();
  const { troubles } = partner.sandbox;
  const [{ id }] = [troubles.add({ does: 'chaos' }), troubles.add({ does: 'chaos' })];
  troubles.remove(id);
  await judgeAll(partner, lists(20));
  expect(count(struck(partner))).toBe(20);
});
