import { idempotencyKeyFor } from 'partner-sdk';
import { expect } from 'vitest';
import type { Crashing } from './crash.js';

/** Everything that the journal says of a request. */
export function verdicts({ sandbox }: Crashing): Set<string> {
  return new Set(sandbox.journal.map(({ verdict }) => verdict));
}

/** By idempotency key, in order: what the journal says of the requests that were answered with success, or would have been. */
function successes({ sandbox }: Crashing): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { key = '', verdict } of sandbox.journal) {
    if (!['accepted', 'replayed', 'fault_after'].includes(verdict)) continue;
    found.set(key, [...(found.get(key) ?? []), verdict]);
  }
  return found;
}

/** Each row had its effect once: by the state of the service, and by what it did at each request. */
export function expectEachOnce(program: Crashing): void {
  const { accountId, rows, sandbox, saved } = program;
  expect(sandbox.journal.length, 'the journal is whole').toBeLessThan(10_000);
  expect(saved).toHaveLength(rows.length);
  expect(new Map(saved)).toEqual(new Map(rows.map(({ key, address }) => [key, address])));

  const keys = rows.map(({ id }) =>
    idempotencyKeyFor('address-import', 'funds.withdrawalAddresses.save', accountId, id),
  );
  const found = successes(program);
  expect([...found.keys()].sort()).toEqual(keys.sort());
  for (const [key, [first, ...repeats]] of found) {
    expect(first, `first success of ${key}`).not.toBe('replayed');
    expect(repeats, `repeats of ${key}`).not.toContain('accepted');
  }
  expect(verdicts(program)).not.toContain('conflict');
  expect(verdicts(program)).not.toContain('key_reused');

  const nonces = sandbox.journal.map(({ nonce }) => nonce);
  expect(new Set(nonces).size, 'different nonces').toBe(nonces.length);
}
