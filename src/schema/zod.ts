/**
 * The used parts of zod: import them from here. The build for Node takes them from `zod.node.ts`,
 * and bundlers from `zod/mini`.
 */

export type * from 'zod/mini';
export {
  array,
  boolean,
  compile,
  config,
  guid,
  int,
  literal,
  looseObject,
  maximum,
  maxLength,
  minimum,
  minLength,
  nonoptional,
  nullable,
  nullish,
  number,
  object,
  optional,
  overwrite,
  pipe,
  refine,
  regex,
  safeParse,
  string,
  union,
  unknown,
  validate,
} from 'zod/mini';
