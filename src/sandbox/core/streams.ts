import { Random } from './basics/random.js';

/**
 * The random streams of one sandbox, by their labels. The ids of a generation differ from those of
 * all others, so a sandbox that continues from a saved state gives out no id twice.
 */
export class Streams {
  readonly #seed: number;
  readonly #byLabel = new Map<string, Random>();
  #generation: number;
  /** The highest one so far. */
  #last: number;

  constructor(seed: number, generation: number) {
    this.#seed = seed;
    this.#generation = generation;
    this.#last = generation;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Returns the stream of the label, at its beginning. It is the same object each time. */
  of(label: string): Random {
    const random = new Random(this.#seed);
    const runtime = this.#generation === 0 ? random : random.fork(`generation ${this.#generation}`);
    const drawn = runtime.fork(label);
    const stream = this.#byLabel.get(label) ?? drawn;
    stream.become(drawn);
    this.#byLabel.set(label, stream);
    return stream;
  }

  /** Begins a generation that differs from all before, and from this one of another sandbox. */
  begin(other: number = this.#generation): void {
    this.#last = Math.max(this.#last, other) + 1;
    this.#generation = this.#last;
    for (const label of this.#byLabel.keys()) this.of(label);
  }

  /** Draws from now on what the others would draw. */
  become(others: Streams): void {
    this.#generation = others.#generation;
    for (const [label, stream] of others.#byLabel) this.#byLabel.get(label)?.become(stream);
  }
}
