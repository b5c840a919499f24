import type { Changes } from '../../core/basics/changes.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { Now } from '../../core/clock/clock.js';
import { ownSnapshot } from './saved-state.js';
import type { SnapshotData, WrittenSnapshot } from './snapshot-schema.js';

/** A named copy of the state. */
export interface Checkpoint {
  readonly name: string;
  /** Time of the state by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /** Time by the machine's clock: milliseconds since the epoch. */
  readonly real: number;
  /** Length of the state as JSON, in characters. */
  readonly size: number;
}

/** Limits beyond which another checkpoint is refused. */
const MAX_CHECKPOINTS = 100;
const MAX_CHARACTERS = 256_000_000;

interface Kept {
  readonly checkpoint: Checkpoint;
  /** JSON text, so that nothing can change it. */
  readonly text: string;
}

/** Copies of the state by name, oldest first. */
export class Checkpoints {
  readonly #clock: Now;
  readonly #changes: Changes;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Now, changes: Changes) {
    this.#clock = clock;
    this.#changes = changes;
  }

  list(): Checkpoint[] {
    return Array.from(this.#kept.values(), ({ checkpoint }) => checkpoint);
  }

  /** @throws TypeError for a wrong name, Error beyond the limits. */
  add(name: string, snapshot: WrittenSnapshot): Checkpoint {
    if (typeof name !== 'string' || name === '') throw new TypeError('checkpoints.add: name must be text');
    const text = JSON.stringify(snapshot);
    const others = this.list().filter((one) => one.name !== name);
    const size = others.reduce((sum, one) => sum + one.size, text.length);
    if (others.length >= MAX_CHECKPOINTS)
      throw new Error(`checkpoints.add: there are ${MAX_CHECKPOINTS} already: ${ADVICE}`);
    if (size > MAX_CHARACTERS) {
      throw new Error(`checkpoints.add: all together would have ${size} characters: ${ADVICE}`);
    }
    const checkpoint = Object.freeze({ name, at: this.#clock.now(), real: Date.now(), size: text.length });
    this.#kept.delete(name);
    this.#kept.set(name, { checkpoint, text });
    this.#changes.announce('checkpoints');
    return checkpoint;
  }

  /** @throws Error for an unknown name. */
  read(name: string): SnapshotData {
    const kept = this.#kept.get(name);
    if (kept === undefined) throw new Error(`restore: ${this.#unknown(name)}`);
    return ownSnapshot(JSON.parse(kept.text));
  }

  /** @throws Error for an unknown name. */
  remove(name: string): void {
    if (!this.#kept.delete(name)) throw new Error(`checkpoints.remove: ${this.#unknown(name)}`);
    this.#changes.announce('checkpoints');
  }

  #unknown(name: string): string {
    const names = [...this.#kept.keys()].map((one) => JSON.stringify(excerpt(one))).join(', ');
    return `there is no checkpoint ${JSON.stringify(excerpt(name))}; there are: ${names || 'none'}`;
  }
}

const ADVICE = 'remove one with checkpoints.remove';
