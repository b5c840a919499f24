import { expect, it } from 'vitest';
import { spanMs } from '../../src/util/spans.js';

it.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['90 s', 90_000],
  ['90 sec', 90_000],
  ['5m', 300_000],
  ['5 min', 300_000],
  ['1.5h', 5_400_000],
  ['1h30m', 5_400_000],
  ['2 h 5 min', 7_500_000],
  ['+1 D', 86_400_000],
])('%s is %i ms', (text, ms) => {
  expect(spanMs(text)).toBe(ms);
});

it.each(['', '5', 's', '5 weeks', '1h or 2', 'in 5 s', '-5 s', '1h30', '2026-02-01', '5 constructor'])(
  '%j is no time span',
  (text) => {
    expect(spanMs(text)).toBeUndefined();
  },
);
