import type { Issue } from '../errors.js';

/** A member of an answer's `data` that repeats what its call asked for: it tells the call's own answer from another call's. */
export interface Correlation {
  /** Path of the member in `data`, for example `['from', 'symbol']`. */
  readonly member: readonly string[];
  /** The parameter of the call's path that the member repeats, letter by letter. Default: the body's member of the same path, in any case. */
  readonly param?: string;
}

const NO_ISSUES: readonly Issue[] = [];

/**
 * The texts that a call asks for, one for each correlation of its operation. A single one stands for itself: an array round it takes 56 bytes
 * of every call that waits in a lane.
 */
export type Asked = string | undefined | readonly (string | undefined)[];

export function askedFor(
  correlation: readonly Correlation[] | undefined,
  params: Readonly<Record<string, unknown>>,
  body: unknown,
): Asked {
  const asked = correlation?.map(({ member, param }) =>
    param === undefined ? textAt(body, member)?.toLowerCase() : textAt(params, [param]),
  );
  return asked?.length === 1 ? asked[0] : asked;
}

/** The members of an answer that show that it belongs to another call. A member that is absent or no text shows nothing. */
export function mismatches(correlation: readonly Correlation[], asked: Asked, data: unknown): readonly Issue[] {
  let issues = NO_ISSUES;
  for (const [index, { member, param }] of correlation.entries()) {
    const wanted = typeof asked === 'object' ? asked[index] : asked;
    const given = textAt(data, member);
    if (given === undefined || wanted === undefined) continue;
    if ((param === undefined ? given.toLowerCase() : given) === wanted) continue;
    issues = [...issues, { path: ['data', ...member].join('.'), message: NOT_ITS_OWN }];
  }
  return issues;
}

/** Without the value: it belongs to another call, and may be a secret of it. */
const NOT_ITS_OWN = 'is not the one that this call asked for: the answer belongs to another call';

/** The text at a path of own members; undefined when there is none. */
function textAt(value: unknown, path: readonly string[]): string | undefined {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return typeof at === 'string' ? at : undefined;
}
