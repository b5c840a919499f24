import fs from 'node:fs';
import { Lock } from '../../../src/sandbox/cli/state/lock.js';

// A slow file system: between the last look at a lock and its replacement other processes have time.
const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  rename(from, to);
};

/** A process that takes and releases a lock when its parent says so, and answers whether it has it. */
let lock: Lock | undefined;
process.on('message', async ({ take }: { take?: string }) => {
  if (take === undefined) lock?.release();
  else lock = await taken(take);
  process.send?.(lock !== undefined);
});
process.on('disconnect', () => process.exit());

async function taken(path: string): Promise<Lock | undefined> {
  try {
    return await Lock.take(path);
  } catch {
    return undefined;
  }
}
