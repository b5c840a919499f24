import { Random } from './basics/random.js';

/**
 * The random streams of one sandbox, by label. Each generation has other ids, so a sandbox that
 * continues from a saved state never issues an id twice.
 */
export class Streams {
  readonly #seed: number;
  readonly #byLabel = new Map<string, Random>();
  #generation: number;
  /** The highest generation so far. */
  #last: number;

  constructor(seed: number, generation: number) {
    this.#seed = seed;
    this.#generation = generation;
    this.#last = generation;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Returns the stream of a label, from its start. It is the same object each time. */
  of(label: string): Random {
    const random = new Random(this.#seed);
    const runtime = this.#generation === 0 ? random : random.fork(`generation ${this.#generation}`);
    const drawn = runtime.fork(label);
    const stream = this.#byLabel.get(label) ?? drawn;
    stream.copyFrom(drawn);
    this.#byLabel.set(label, stream);
    return stream;
  }

  /** Starts a generation that differs from all before it, and from that of another sandbox. */
  begin(other: number = this.#generation): void {
    this.#last = Math.max(this.#last, other) + 1;
    this.#generation = this.#last;
    for (const label of this.#byLabel.keys()) this.of(label);
  }

  /** Continues with the draws of other streams. */
  copyFrom(others: Streams): void {
    this.#generation = others.#generation;
    for (const [label, stream] of others.#byLabel) this.#byLabel.get(label)?.copyFrom(stream);
  }
}
