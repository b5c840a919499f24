import { afterEach, expect, test, vi } from 'vitest';
import { Records } from '../../../src/sandbox/core/records/records.js';
import type { BoundedMap } from '../../../src/util/bounded-map.js';
import { runSequences } from './support/whole-service.js';

const SEQUENCES = 20;

afterEach(() => {
  vi.restoreAllMocks();
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}

/** Freezes each record that is kept. Returns how many there were. */
function freezeRecords(): () => number {
  const plain = Records.prototype.of;
  const known = new WeakSet<object>();
  let count = 0;
  const freeze = <T>(record: T): T => {
    count += 1;
    return frozen(record);
  };
  vi.spyOn(Records.prototype, 'of').mockImplementation(function (this: Records, kind) {
    const records = plain.call(this, kind as never) as BoundedMap<string, unknown>;
    if (known.has(records)) return records;
    known.add(records);
    for (const record of records.values()) freeze(record);
    const [set, replace] = [records.set.bind(records), records.replace.bind(records)];
    records.set = (id, record) => set(id, freeze(record));
    records.replace = (id, record) => replace(id, freeze(record));
    return records;
  } as typeof plain);
  return () => count;
}

test(`a record never changes, so it can be frozen (${SEQUENCES} sequences)`, async () => {
  const count = freezeRecords();
  await runSequences(
    Array.from({ length: SEQUENCES }, (_, index) => 9_000 + index),
    0.6,
  );
  expect(count()).toBeGreaterThan(1_000);
}, 600_000);
