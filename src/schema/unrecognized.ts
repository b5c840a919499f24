/**
 * The type of a discriminating member whose value this version does not know; at run time it is any text. An open string in its
 * place would keep TypeScript from telling the known variants apart. It exists for the compiler only.
 */
export declare enum Unrecognized {
  value = '(unrecognized)',
}
