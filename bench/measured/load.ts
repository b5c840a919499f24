/** Many calls, one after another or many at once. */
export interface Load {
  /** Without: until the time is over. */
  readonly calls?: number | undefined;
  readonly milliseconds?: number | undefined;
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

/** More calls than any cell makes; reserved before, so that keeping times costs nothing. */
const MOST_CALLS = 1 << 19;

export async function run(call: () => PromiseLike<unknown>, load: Load): Promise<LoadResult> {
  const { calls = MOST_CALLS, milliseconds = Number.POSITIVE_INFINITY, inFlight } = load;
  const latencies = new Float64Array(MOST_CALLS);
  let made = 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  let now = began;
  async function caller(): Promise<void> {
    while (made < calls && now - began < milliseconds) {
      const index = made++;
      const started = performance.now();
      await call();
      now = performance.now();
      latencies[index] = now - started;
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller));
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = latencies.subarray(0, made).sort();
  const quantile = (share: number) => (sorted[Math.floor(made * share)] ?? Number.NaN) * 1000;
  return {
    calls: made,
    milliseconds: wall,
    cpuMicroseconds: user + system,
    p50Microseconds: quantile(0.5),
    p99Microseconds: quantile(0.99),
  };
}
