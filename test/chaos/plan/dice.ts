import { createHash } from 'node:crypto';
import { Random } from '../../../src/sandbox/core/basics/random.js';

/** Draws that follow from a label alone: the same in every run, whatever was drawn elsewhere and in whichever process. */
export class Dice extends Random {
  constructor(...label: readonly (string | number)[]) {
    super(createHash('sha256').update(label.join('\n')).digest().readUInt32LE());
  }

  between(least: number, most: number): number {
    return least + this.fraction() * (most - least);
  }

  /** Small values as likely as large ones, order of magnitude by order of magnitude. */
  magnitude(least: number, most: number): number {
    return Math.exp(this.between(Math.log(least), Math.log(most)));
  }

  override pick<T>(from: readonly T[]): T {
    const [first, ...others] = from;
    if (first === undefined) throw new Error('nothing to pick from');
    return super.pick([first, ...others]);
  }

  /** One of these, each as likely as its weight says. */
  weighted<T>(from: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.fraction() * from.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of from) {
      left -= weight;
      if (left < 0) return value;
    }
    return this.pick(from)[1];
  }
}
