/** Parts that the examples in all languages share. */
import type { Example } from '../../../examples/examples.js';

/** Columns that fit into the site's column of text, on a screen of 1,440 px. */
export const COLUMNS = 88;

/** A list or an object that is longer has a line for each of its parts. */
const LONGEST_INLINE = COLUMNS - 32;

/** A one-time password that the sandbox takes. */
export const OTP = '123456';

/**
 * The page's size is the example's: it keeps its answer short. Returns undefined if no other member
 * is left.
 */
export function withoutPageSize(query: NonNullable<Example['query']>): object | undefined {
  const { page_size: _, ...others } = query;
  return Object.keys(others).length > 0 ? others : undefined;
}

/** Writes values of JSON as a language has them. */
export interface Notation {
  readonly text: (value: string) => string;
  readonly name: (name: string) => string;
  /** Numbers, true, false and null. */
  readonly other: (value: unknown) => string;
  readonly indent: string;
  /** Stands inside of the braces of an object in one line. */
  readonly space: string;
}

/** Returns a value of JSON as code. */
export function literalOf(notation: Notation, value: unknown, indent = ''): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) return notation.other(value);
  const deeper = indent + notation.indent;
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = Object.entries(value).map(([name, item]) => {
    const label = isList ? '' : `${notation.name(name)}: `;
    return (inner: string): string => label + literalOf(notation, item, inner);
  });
  const inline = parts.map((part) => part('')).join(', ');
  const space = isList || inline === '' ? '' : notation.space;
  if (!inline.includes('\n') && indent.length + inline.length < LONGEST_INLINE)
    return `${open}${space}${inline}${space}${close}`;
  return `${open}\n${parts.map((part) => `${deeper}${part(deeper)},\n`).join('')}${indent}${close}`;
}

/** Cuts a path before a `/`, `?` or `&`, where it is too long for the column. */
export function piecesOf(path: string): readonly string[] {
  const longest = COLUMNS - 'path = ""'.length;
  if (path.length <= longest) return [path];
  const cut = Math.max(...['/', '?', '&'].map((sign) => path.lastIndexOf(sign, longest)));
  return cut <= 0 ? [path] : [path.slice(0, cut), ...piecesOf(path.slice(cut))];
}
