import { Lock } from '../../../src/sandbox/cli/lock.js';

/** A process that takes and releases a lock when its parent says so, and answers whether it has it. */
let lock: Lock | undefined;
process.on('message', ({ take }: { take?: string }) => {
  if (take === undefined) lock?.release();
  else lock = taken(take);
  process.send?.(lock !== undefined);
});
process.on('disconnect', () => process.exit());

function taken(path: string): Lock | undefined {
  try {
    return Lock.take(path);
  } catch {
    return undefined;
  }
}
