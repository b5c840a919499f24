import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idempotencyKeyFor } from '../../../src/index.js';
import { UUID_V4 } from '../../support/signature.js';

const parts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 });

it('is stable, and has the form that the header demands', () => {
  fc.assert(
    fc.property(fc.string(), parts, (namespace, given) => {
      const key = idempotencyKeyFor(namespace, ...given);
      expect(key).toMatch(UUID_V4);
      expect(idempotencyKeyFor(namespace, ...given)).toBe(key);
    }),
  );
});

it('differs when namespace, a part, their order or a boundary between them differs', () => {
  const keys = [
    idempotencyKeyFor('n', 'ab', 'c'),
    idempotencyKeyFor('n', 'a', 'bc'),
    idempotencyKeyFor('n', 'abc'),
    idempotencyKeyFor('n', 'abc', ''),
    idempotencyKeyFor('n', '', 'abc'),
    idempotencyKeyFor('na', 'b', 'c'),
    idempotencyKeyFor('nab', 'c'),
    idempotencyKeyFor('m', 'ab', 'c'),
    idempotencyKeyFor('n', 'c', 'ab'),
    idempotencyKeyFor('n', '2:ab', 'c'),
    idempotencyKeyFor('n', 'ab,c'),
    idempotencyKeyFor('n', 'ab\0c'),
    idempotencyKeyFor('n', '\u00e9'),
    idempotencyKeyFor('n', 'e\u0301'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

it('two different lists of parts never share a key', () => {
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      fc.pre(JSON.stringify(a) !== JSON.stringify(b));
      expect(idempotencyKeyFor('n', ...a)).not.toBe(idempotencyKeyFor('n', ...b));
    }),
  );
});

it('is the same in every version: a restarted process repeats the same write', () => {
  expect(idempotencyKeyFor('payouts', 'ACCOUNT-MAIN-0001', 'invoice-42')).toBe('6cf47a4d-0cb9-4f15-83bd-0b743453e6c3');
  expect(idempotencyKeyFor('\u00e9', '\u{1F44B}', '')).toBe('a3945ab2-2ab0-48a7-830d-b5e7cbe46299');
});
