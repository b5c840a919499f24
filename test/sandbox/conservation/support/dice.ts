import { Random } from '../../../../src/sandbox/core/basics/random.js';

/** Random choices of one seed. */
export class Dice extends Random {
  choose<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)] as T;
  }

  weigh<T>(values: readonly (readonly [value: T, weight: number])[]): T {
    let left = this.fraction() * values.reduce((sum, [, weight]) => sum + weight, 0);
    const found = values.find(([, weight]) => {
      left -= weight;
      return left < 0;
    });
    return (found ?? values[0])?.[0] as T;
  }
}
