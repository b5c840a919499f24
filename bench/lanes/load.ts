import { setTimeout as sleep } from 'node:timers/promises';

/** What came of a load. */
export interface Load {
  readonly calls: number;
  readonly failures: number;
  /** Calls that ended well, per second. */
  readonly rate: number;
  /** Milliseconds from when a call was due, sorted; of the failed ones too. */
  readonly latencies: readonly number[];
  /** How often each kind of failure happened. */
  readonly errors: Readonly<Record<string, number>>;
}

export type Call = (index: number) => PromiseLike<unknown>;

/** So many callers, each making its next call when its last one is over. */
export async function closedLoop(callers: number, seconds: number, call: Call): Promise<Load> {
  const tally = new Tally();
  const end = performance.now() + seconds * 1000;
  let index = 0;
  const caller = async () => {
    while (performance.now() < end) await tally.count(performance.now(), call(index++));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return tally.load();
}

/** Calls arrive evenly, however many are still waiting. */
export async function openLoop(perSecond: number, seconds: number, call: Call): Promise<Load> {
  const tally = new Tally();
  const begun = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const due = begun + (index / perSecond) * 1000;
    const left = due - performance.now();
    if (left > 0) await sleep(left);
    running.push(tally.count(due, call(index)));
  }
  await Promise.all(running);
  return tally.load();
}

/** Counts calls as they end. */
class Tally {
  readonly #begun = performance.now();
  readonly #latencies: number[] = [];
  readonly #errors: Record<string, number> = {};
  #failures = 0;

  async count(due: number, call: PromiseLike<unknown>): Promise<void> {
    try {
      await call;
    } catch (error) {
      this.#failures++;
      const name = error instanceof Error ? error.name : 'other';
      this.#errors[name] = (this.#errors[name] ?? 0) + 1;
    }
    this.#latencies.push(performance.now() - due);
  }

  load(): Load {
    const latencies = this.#latencies.sort((a, b) => a - b);
    const calls = latencies.length;
    const rate = ((calls - this.#failures) / (performance.now() - this.#begun)) * 1000;
    return { calls, failures: this.#failures, rate, latencies, errors: this.#errors };
  }
}
