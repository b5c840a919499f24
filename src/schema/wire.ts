import type { Decimal } from './decimal.js';

/** A documented interface as it is written on the wire: money is text. */
export type Wire<T> = T extends Decimal
  ? string
  : T extends string // before the objects: an open enumeration's `string & {}` passes for one
    ? T
    : T extends readonly (infer Item)[]
      ? Wire<Item>[]
      : T extends object
        ? { [Key in keyof T]: Wire<T[Key]> }
        : T;
