/**
 * The used parts of zod: import them from here. The build for Node has them in one file, which
 * loads in 3 ms of CPU; `zod/mini` with all its languages takes 33 (`npm run
 * bench:start`).
 */

export type * from 'zod/mini';
export {
  array,
  boolean,
  catch,
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
