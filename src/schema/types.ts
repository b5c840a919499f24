import type { Decimal } from './decimal.js';

/** A documented interface as the wire has it: money is text. */
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
 * The type of a discriminating member whose value this version does not know. At run time it is any text. An open
 * string in its place would keep TypeScript from telling the known variants apart. It exists for the compiler only.
 */
export declare enum Unrecognized {
  value = '(unrecognized)',
}
