import * as z from 'zod/mini';
import { messageOf } from '../../../schema/messages.js';
import type { IN_OUR_WORDS } from '../../../schema/validate/validate.js';
import { nearestName } from '../../../util/did-you-mean.js';
import { copyMembers, isPlain } from '../../../util/members.js';
import { isRecord, MAX_TIMER_MS } from '../../../util/options.js';
import { readBySchema } from './read-by-schema.js';

export const text = z.string().check(z.minLength(1));

/** A whole number of 0 or more, and one of 1 or more. */
export const count = z.int().check(z.nonnegative());
export const countAboveZero = z.int().check(z.minimum(1));

/** Milliseconds that a timer can wait: whole ones of 0 or more, of 1 or more, and any. */
export const wholeMs = count.check(z.maximum(MAX_TIMER_MS));
export const wholeMsAboveZero = countAboveZero.check(z.maximum(MAX_TIMER_MS));
export const anyMs = z.number().check(z.nonnegative(), z.maximum(MAX_TIMER_MS));

/** Names the known members beside those that are unknown: an argument may have a misspelt one. */
const IN_WORDS_FOR_ARGUMENTS: typeof IN_OUR_WORDS = {
  error(issue) {
    if (issue.code !== 'unrecognized_keys') return messageOf(issue);
    const { shape = {} } = (issue.inst?._zod.def ?? {}) as { readonly shape?: object };
    const known = Object.keys(shape);
    const [meant] = issue.keys.slice(0, MAX_NAMED_ISSUES).flatMap((name) => nearestName(name, known) ?? []);
    const hint = meant === undefined ? '; known' : `: did you mean ${meant}? Known`;
    return `${messageOf(issue)}${hint} are ${known.join(', ')}`;
  },
};

/** Maximum number of broken rules in an error message; the rest are left out. */
const MAX_NAMED_ISSUES = 10;

/**
 * Reads an argument, each member once, and checks it. `method` starts the error's message.
 *
 * @throws TypeError that names what is wrong.
 */
export function checked<T>(method: string, schema: z.core.$ZodType<T>, value: unknown, name = 'argument'): T {
  const { value: read, issues } = readBySchema(schema, ownData(`${method}: ${name}`, value), IN_WORDS_FOR_ARGUMENTS);
  if (issues === undefined) return read;
  const named = issues.slice(0, MAX_NAMED_ISSUES).map(({ path, message }) => `${path || name} ${message}`);
  const further = issues.length > MAX_NAMED_ISSUES ? ['and more'] : [];
  throw new TypeError(`${method}: ${[...named, ...further].join('; ')}`);
}

/** Maximum depth of an argument. The limit also stops an argument that contains itself. */
const MAX_DEPTH = 64;

function ownData(name: string, value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new TypeError(`${name} is nested too deeply`);
  const own = (inner: unknown): unknown =>
    isRecord(inner) && !isPlain(inner) ? inner : ownData(name, inner, depth + 1);
  if (Array.isArray(value)) return value.map(own);
  if (!isRecord(value)) return value;
  const copy = copyMembers(value);
  for (const member of Object.keys(copy)) copy[member] = own(copy[member]);
  return copy;
}
