import { expect, it } from 'vitest';
import { problemOf } from './judge.js';
import type { Ended } from './ledger.js';

const SLOW_MS = 1_000;
const ended = (change: Partial<Ended>): Ended => ({
  ...{ tag: 'a', kind: 'unkeyed write', end: 'success', detail: '', id: 'a', ms: 10 },
  ...change,
});
const judge = (change: Partial<Ended>, effects: readonly string[]) =>
  problemOf(ended(change), { effects: { a: effects, b: ['', ''] } }, SLOW_MS);

it.each<[string, Partial<Ended>, string[]]>([
  ['a write without key that was applied twice', {}, ['', '']],
  ['a keyed write with two effects', { kind: 'keyed write' }, ['one', 'other']],
  ['not_applied of a write that was', { end: 'not_applied' }, ['']],
  ['a success that had no effect', {}, []],
  ['applied without an effect', { end: 'applied' }, []],
  ['an outcome of a read other than not_applied', { kind: 'read', end: 'unknown' }, []],
  ['the answer of another call', { id: 'b' }, ['']],
  ['a call that took too long', { ms: 2_000 }, ['']],
  ['an error of no class of ours', { end: 'no error of ours' }, []],
])('finds %s', (_what, change, effects) => {
  expect(judge(change, effects)).toEqual(expect.any(String));
});

it.each<[string, Partial<Ended>, string[]]>([
  ['a success with one effect', {}, ['']],
  ['unknown with an effect', { end: 'unknown' }, ['']],
  ['unknown without an effect', { end: 'unknown' }, []],
  ['not_applied without an effect', { end: 'not_applied' }, []],
  ['a DELETE that was made twice', { kind: 'delete' }, ['', '']],
  ['a read', { kind: 'read' }, []],
])('finds nothing wrong about %s', (_what, change, effects) => {
  expect(judge(change, effects)).toBeUndefined();
});
