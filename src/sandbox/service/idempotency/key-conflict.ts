import { isRecord } from '../../../util/options.js';
import { parsedJson } from '../../core/basics/json-forms.js';

/** The parts of a request that are compared. */
interface Compared {
  readonly method: string;
  readonly path: string;
  /** Undefined: the body is not kept. */
  readonly body: Uint8Array | undefined;
}

const MAX_MEMBERS = 20;

/** Maximum length of a member's name in characters; members with a longer one are left out. */
const MAX_NAME_LENGTH = 100;

/** Maximum depth of members; deeper ones are compared as a whole. */
const MAX_DEPTH = 8;

/** Returns the names of the parts in which two requests with one key differ, at least one. */
export function differencesOf(first: Compared, now: Compared): string[] {
  const differs: string[] = [];
  if (first.method !== now.method) differs.push('method');
  if (first.path !== now.path) differs.push('path');
  if (first.body === undefined || now.body === undefined) return differs.length > 0 ? differs : ['body'];
  const [before, after] = [Buffer.from(first.body), Buffer.from(now.body)];
  if (before.equals(after)) return differs.length > 0 ? differs : ['path'];
  const members: string[] = [];
  compare(parsedJson(before.toString()), parsedJson(after.toString()), 'body', members, 0);
  return [...differs, ...(members.length > 0 ? members : ['body'])];
}

function compare(before: unknown, after: unknown, name: string, found: string[], depth: number): void {
  if (found.length >= MAX_MEMBERS) return;
  if (isRecord(before) && isRecord(after) && depth < MAX_DEPTH) {
    for (const member of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const place = `${name}.${member.slice(0, MAX_NAME_LENGTH)}`;
      compare(own(before, member), own(after, member), place, found, depth + 1);
    }
  } else if (canonical(before) !== canonical(after)) found.push(name);
}

const own = (value: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** Returns a text that is equal for equal values. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
