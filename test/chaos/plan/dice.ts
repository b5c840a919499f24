import { createHash } from 'node:crypto';
import { seeded } from '../../support/link.js';

/** Draws that follow from a label alone: the same in every run, whatever was drawn elsewhere and in whichever process. */
export class Dice {
  readonly #next: () => number;

  constructor(...label: readonly (string | number)[]) {
    this.#next = seeded(createHash('sha256').update(label.join('\n')).digest().readUInt32LE());
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  between(least: number, most: number): number {
    return least + this.#next() * (most - least);
  }

  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  /** Small values as likely as large ones, order of magnitude by order of magnitude. */
  magnitude(least: number, most: number): number {
    return Math.exp(this.between(Math.log(least), Math.log(most)));
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.#next() * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** One of these, each as likely as its weight says. */
  weighted<T>(from: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.#next() * from.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of from) {
      left -= weight;
      if (left < 0) return value;
    }
    return this.pick(from)[1];
  }
}
