import type { Issue } from '../errors.js';
import { ownMember } from '../util/members.js';

/** A member of an answer's `data` that echoes its call: it shows if another call was answered. */
export interface Correlation {
  /** Path of the member in `data`, for example `['from', 'symbol']`. */
  readonly member: readonly string[];
  /** The path's parameter that it echoes exactly. Default: the body's member, in any case. */
  readonly param?: string;
}

/** The texts that an answer must echo, one for each correlation of the operation. */
export type Expected = readonly (string | undefined)[];

/** Of an operation whose answers are not compared with the call. */
const NOTHING_EXPECTED: Expected = [];

/** Returns the texts of a call that its answer must echo. */
export function expectedEchoes(
  correlation: readonly Correlation[] | undefined,
  params: Readonly<Record<string, unknown>>,
  body: unknown,
): Expected {
  return correlation?.map((one) => expectedEcho(one, params, body)) ?? NOTHING_EXPECTED;
}

function expectedEcho(
  { member, param }: Correlation,
  params: Readonly<Record<string, unknown>>,
  body: unknown,
): string | undefined {
  if (param === undefined) return textAt(body, member)?.toLowerCase();
  const text = ownMember(params, param);
  return typeof text === 'string' ? text : undefined;
}

/** Returns an issue for each member that shows that another call was answered. */
export function mismatches(
  correlation: readonly Correlation[] | undefined,
  expected: Expected,
  data: unknown,
): readonly Issue[] {
  if (correlation === undefined) return NONE;
  const wrong = correlation.filter(({ member, param }, index) => {
    const wanted = expected[index];
    const given = textAt(data, member);
    if (given === undefined || wanted === undefined) return false;
    return (param === undefined ? given.toLowerCase() : given) !== wanted;
  });
  return wrong.map(({ member }) => ({ path: ['data', ...member].join('.'), message: MISDIRECTED }));
}

const NONE: readonly Issue[] = [];

/** Without the value: it may be a secret of the other call. */
const MISDIRECTED = 'is not the one that this call asked for: the answer belongs to another call';

/** Returns the text at a path of own members. */
function textAt(value: unknown, path: readonly string[]): string | undefined {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return typeof at === 'string' ? at : undefined;
}
