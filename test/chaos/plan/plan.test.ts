import { expect, it } from 'vitest';
import { KINDS } from './kinds.js';
import { kindOf, mustNotRepeat, planOf } from './plan.js';

const course = { seed: 1, phase: 'test', resumable: false };
const plans = Array.from({ length: 2_000 }, (_, id) => planOf(course, id));

it('is the same in every process, and another with another seed or phase', () => {
  expect(plans[1_500]).toEqual(planOf({ ...course }, 1_500));
  const kinds = (change: object) => plans.map(({ id }) => planOf({ ...course, ...change }, id).kind).join();
  expect(kinds({})).not.toBe(kinds({ seed: 2 }));
  expect(kinds({})).not.toBe(kinds({ phase: 'other' }));
});

it('has every kind of call, and calls that are aborted, short and without repeats', () => {
  expect(new Set(plans.map(({ kind }) => kind))).toEqual(new Set(KINDS.keys()));
  for (const retries of [0, 1, 2, 3, 5]) expect(plans.some(({ maxRetries }) => maxRetries === retries)).toBe(true);
  expect(new Set(plans.map(({ signal }) => signal))).toEqual(new Set(['none', 'long-lived', 'own']));
  expect(plans.some(({ timeout }) => timeout < 50)).toBe(true);
});

it('gives twins one subject and one key, and nobody else', () => {
  const twins = plans.filter(({ id, subject }) => subject !== id);
  expect(twins.length).toBeGreaterThan(20);
  for (const { id, subject, kind, idempotencyKey } of twins) {
    expect(subject).toBe(id - 1);
    const { repeats } = kindOf(kind);
    expect(['keyed', 'trade']).toContain(repeats);
    expect(idempotencyKey !== undefined).toBe(repeats === 'keyed');
    expect(plans[subject]).toMatchObject({ kind, idempotencyKey });
  }
  const keys = plans.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const keyedTwins = twins.filter(({ kind }) => kindOf(kind).repeats === 'keyed');
  expect(new Set(keys).size).toBe(keys.length - keyedTwins.length);
});

it('gives a process that may be killed a key for each keyed write, and marks what it must not make twice', () => {
  const resumable = { ...course, resumable: true };
  for (const { id } of plans) {
    const plan = planOf(resumable, id);
    const { repeats } = kindOf(plan.kind);
    expect(plan.idempotencyKey !== undefined).toBe(repeats === 'keyed');
    expect(mustNotRepeat(resumable, plan)).toBe(repeats === 'bare' || repeats === 'delete');
    expect(mustNotRepeat(course, plan)).toBe(false);
  }
});
