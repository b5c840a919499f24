/** Many calls, one after another or many at once. */
export interface Load {
  readonly inFlight: number;
  /** Numbers of calls after which CPU is read, in order. The last one is the number of calls that are made. */
  readonly marks: readonly number[];
}

/** Returns the microseconds of CPU until each mark, of all threads of this process: with collection of garbage and compilation. */
export async function run(call: () => PromiseLike<unknown>, { inFlight, marks }: Load): Promise<number[]> {
  const began = process.cpuUsage();
  const last = marks.at(-1) ?? 0;
  const spent: number[] = [];
  let made = 0;
  let ended = 0;
  async function caller(): Promise<void> {
    while (made < last) {
      made++;
      await call();
      ended++;
      if (ended === marks[spent.length]) spent.push(cpuSince(began));
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller));
  return spent;
}

function cpuSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return user + system;
}
