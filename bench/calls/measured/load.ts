/** Many calls, one after another or many at once, until one of the two is reached. */
export interface Load {
  readonly calls?: number | undefined;
  /** Of this process's CPU time, not by the clock: on a busy machine V8 would else have compiled less when the measurement begins. */
  readonly cpuMilliseconds?: number | undefined;
  readonly inFlight: number;
}

export interface LoadResult {
  readonly calls: number;
  readonly milliseconds: number;
  /** Of all threads of this process: with collection of garbage and compilation. */
  readonly cpuMicroseconds: number;
  readonly p50Microseconds: number;
  readonly p99Microseconds: number;
}

/** More calls than any cell makes. */
const MOST_CALLS = 1 << 19;
/** Made once: 4 MB for each load made V8 collect all garbage every other time, and the client was charged for that. */
const latencies = new Float64Array(MOST_CALLS);
/** CPU time is asked for once in so many calls: to ask takes about a microsecond. */
const CALLS_BETWEEN_LOOKS = 16;

export async function run(call: () => PromiseLike<unknown>, load: Load): Promise<LoadResult> {
  const cpu = process.cpuUsage();
  const mayGoOn = limit(load, cpu);
  const began = performance.now();
  let made = 0;
  async function caller(): Promise<void> {
    while (mayGoOn(made)) {
      const index = made++;
      const started = performance.now();
      await call();
      latencies[index] = performance.now() - started;
    }
  }
  await Promise.all(Array.from({ length: load.inFlight }, caller));
  const milliseconds = performance.now() - began;
  const cpuMicroseconds = cpuSince(cpu);
  const sorted = latencies.subarray(0, made).sort();
  const quantile = (share: number) => (sorted[Math.floor(made * share)] ?? Number.NaN) * 1000;
  return {
    calls: made,
    milliseconds,
    cpuMicroseconds,
    p50Microseconds: quantile(0.5),
    p99Microseconds: quantile(0.99),
  };
}

/** Whether one more call is to be made after so many. */
function limit(load: Load, began: NodeJS.CpuUsage): (made: number) => boolean {
  const { calls = MOST_CALLS, cpuMilliseconds = Number.POSITIVE_INFINITY } = load;
  let over = false;
  return (made) => {
    if (made % CALLS_BETWEEN_LOOKS === 0) over ||= cpuSince(began) >= cpuMilliseconds * 1000;
    return !over && made < calls;
  };
}

function cpuSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return user + system;
}
