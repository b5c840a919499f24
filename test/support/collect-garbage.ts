import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** All of it, at once, in a process that was not started for it. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use, with all that is garbage gone. */
export async function heap(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    collectGarbage();
    await nextTurn();
  }
  return process.memoryUsage().heapUsed;
}
