import type { Decimal } from './decimal.js';

/** A documented interface in wire form: money is a string. */
export type Wire<T> = T extends Decimal
  ? string
  : T extends string // before the objects: an open enumeration's `string & {}` passes for one
    ? T
    : T extends readonly (infer Item)[]
      ? Wire<Item>[]
      : T extends object
        ? { [Key in keyof T]: Wire<T[Key]> }
        : T;

/**
 * The type of a discriminating member whose value this version does not know. At run time it is any
 * string. With an open string TypeScript could not tell the known variants apart. It has no value.
 */
export declare enum Unrecognized {
  value = '(unrecognized)',
}
