import { quantile } from '../figures.js';

/** What came of a part of a load. */
export interface Part {
  readonly calls: number;
  /** Calls that ended well, per second. */
  readonly rate: number;
  /** Time in ms from when a call was due; of the failed ones too. */
  readonly p50: number;
  readonly p95: number;
  /** The longest. */
  readonly last: number;
  /** µs of CPU of this process for each call, all threads. */
  readonly cpu: number;
}

/** What came of a load. */
export interface Tallied {
  readonly whole: Part;
  /** Without the first half; absent where there are no halves. */
  readonly settled?: Part;
  /** How often each kind of failure happened. */
  readonly errors: Readonly<Record<string, number>>;
  readonly failures: number;
  /** Failures of which nobody knows whether they had an effect. */
  readonly unknown: number;
  /** Answers to another call. */
  readonly wrong: number;
}

/** Counts calls as they end. */
export class Tally {
  readonly #whole = new Counter();
  #settled: Counter | undefined;
  readonly #errors: Record<string, number> = {};
  #failures = 0;
  #unknown = 0;
  #wrong = 0;

  async count(due: number, call: Promise<boolean>): Promise<void> {
    let ok = false;
    try {
      ok = await call;
      if (!ok) this.#wrong++;
    } catch (error) {
      this.#fail(error);
    }
    const latency = performance.now() - due;
    this.#whole.add(latency, ok);
    this.#settled?.add(latency, ok);
  }

  /** The first half is over. */
  settle(): void {
    this.#settled = new Counter();
  }

  /** The load is over. */
  result(): Tallied {
    const settled = this.#settled?.part();
    return {
      whole: this.#whole.part(),
      ...(settled === undefined ? {} : { settled }),
      errors: this.#errors,
      failures: this.#failures,
      unknown: this.#unknown,
      wrong: this.#wrong,
    };
  }

  #fail(error: unknown): void {
    const { name = 'other', outcome } = error as { readonly name?: string; readonly outcome?: string };
    this.#failures++;
    this.#errors[name] = (this.#errors[name] ?? 0) + 1;
    if (outcome === 'unknown') this.#unknown++;
  }
}

/** One part of a load, from now on. */
class Counter {
  readonly #began = performance.now();
  readonly #cpu = process.cpuUsage();
  readonly #latencies: number[] = [];
  #well = 0;

  add(latency: number, ok: boolean): void {
    this.#latencies.push(latency);
    if (ok) this.#well++;
  }

  part(): Part {
    const { user, system } = process.cpuUsage(this.#cpu);
    const seconds = (performance.now() - this.#began) / 1000;
    const sorted = this.#latencies.sort((a, b) => a - b);
    const calls = sorted.length;
    return {
      calls,
      rate: this.#well / seconds,
      p50: quantile(sorted, 0.5),
      p95: quantile(sorted, 0.95),
      last: quantile(sorted, 1),
      cpu: (user + system) / calls,
    };
  }
}
