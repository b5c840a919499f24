import { isRecord } from '../../../util/options.js';
import { ordersOf } from './targets.js';

/** A text that a client may have signed instead of its body. */
export interface BodyForm {
  readonly clause: string;
  readonly text: string;
  readonly isCommon?: boolean;
}

interface Style {
  readonly comma: string;
  readonly colon: string;
  /** Indent of each level. */
  readonly indent?: string;
  readonly isSorted?: boolean;
  readonly escape?: (json: string) => string;
}

const COMPACT: Style = { comma: ',', colon: ':' };
const SPACED: Style = { comma: ', ', colon: ': ' };
const INDENTED: readonly Style[] = ['  ', '    ', '\t'].map((indent) => ({ comma: ',', colon: ': ', indent }));

/** The styles of JSON writers, each with members in the given order and sorted. */
const STYLES: readonly Style[] = [COMPACT, SPACED, ...INDENTED].flatMap((style) => [
  style,
  { ...style, isSorted: true },
]);

/**
 * Maximum length in characters of a body that is tried in all forms; a longer one only in common
 * ones.
 */
const MAX_FULL_LENGTH = 600;

/** Maximum depth of a body that is reformatted; a deeper one is not. */
const MAX_DEPTH = 50;

/** Escapes of writers in other languages, which escape more than necessary. */
const ESCAPES: readonly ((json: string) => string)[] = [
  (json) => json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (json) => json.replaceAll('/', '\\/'),
  (json) => json.replaceAll(/[<>&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`),
];

/**
 * Generates other texts of a JSON body, the most likely first. None for a body that is not JSON.
 */
export function* jsonForms(body: string): Generator<BodyForm, void, undefined> {
  const value = parsed(body);
  if (value === undefined || !isShallow(value)) return;
  yield form('without spaces', written(value, COMPACT), true);
  yield form('with a space after each comma and colon', written(value, SPACED), true);
  if (body.length > MAX_FULL_LENGTH) return;
  for (const style of INDENTED) yield form('indented', written(value, style));
  for (const style of [COMPACT, SPACED]) {
    yield form('with its members in another order', written(value, { ...style, isSorted: true }));
  }
  for (const style of INDENTED) {
    yield form('indented, with its members in another order', written(value, { ...style, isSorted: true }));
  }
  for (const inOtherWay of ESCAPES) {
    for (const style of STYLES) {
      const text = written(value, { ...style, escape: inOtherWay });
      if (text !== written(value, style)) yield form('with other escapes', text);
    }
  }
  if (!isRecord(value)) return;
  for (const members of ordersOf(Object.entries(value))) {
    for (const style of [COMPACT, SPACED]) yield form('with its members in another order', object(members, style, 0));
  }
  if (Object.values(value).some((member) => typeof member === 'object')) return;
  const fields = new URLSearchParams(
    Object.entries(value).map(([name, member]): [string, string] => [name, String(member)]),
  );
  yield { clause: 'you signed the body as a form, and sent it as JSON', text: fields.toString() };
}

function form(how: string, text: string, isCommon = false): BodyForm {
  return { clause: `you signed the body ${how}, and sent it in another form`, text, isCommon };
}

function written(value: unknown, style: Style, depth = 0): string {
  if (Array.isArray(value)) {
    return enclosed(
      '[',
      ']',
      value.map((item) => written(item, style, depth + 1)),
      style,
      depth,
    );
  }
  if (isRecord(value)) return object(Object.entries(value), style, depth);
  const json = JSON.stringify(value);
  return style.escape === undefined ? json : style.escape(json);
}

function object(members: [string, unknown][], style: Style, depth: number): string {
  const ordered = style.isSorted ? [...members].sort(([one], [other]) => (one < other ? -1 : 1)) : members;
  const texts = ordered.map(([name, value]) => {
    return written(name, style) + style.colon + written(value, style, depth + 1);
  });
  return enclosed('{', '}', texts, style, depth);
}

function enclosed(open: string, close: string, texts: readonly string[], style: Style, depth: number): string {
  const { comma, indent } = style;
  if (indent === undefined || texts.length === 0) return open + texts.join(comma) + close;
  const line = `\n${indent.repeat(depth)}`;
  const inner = line + indent;
  return open + inner + texts.join(comma + inner) + line + close;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((member) => isShallow(member, depth + 1));
}
