import { setTimeout as sleep } from 'node:timers/promises';

/** What the process holds once its garbage has been collected, in bytes. */
export interface Held {
  readonly heap: number;
  /** Buffers and whatever else belongs to objects of the heap and is not in it. */
  readonly outside: number;
  /** The whole process, as the system counts it. */
  readonly resident: number;
}

export async function held(): Promise<Held> {
  if (global.gc === undefined) throw new Error('the process was not started with --expose-gc');
  // Collecting calls finalizers, and what those let go is collected in the next pass.
  for (let pass = 0; pass < 4; pass++) {
    await sleep(20);
    global.gc();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed, outside: external, resident: rss };
}

/** What `after` holds more than `before`, for each of `count`. */
export function each(before: Held, after: Held, count: number): Held {
  return {
    heap: (after.heap - before.heap) / count,
    outside: (after.outside - before.outside) / count,
    resident: (after.resident - before.resident) / count,
  };
}
