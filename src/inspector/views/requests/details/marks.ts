import type { MarkedLine } from '../../../parts/code.js';
import type { Line } from '../../../parts/json-lines.js';
import type { Cause } from '../../../wire/sandbox.js';

/** The place of each broken rule. */
export interface Places {
  readonly target: readonly Cause[];
  readonly headers: readonly Cause[];
  readonly body: readonly Cause[];
}

const HEADER = /^(?:API-(?:Key|Nonce|Sign|Otp)|Idempotency-Key|Content-Type)\b/i;

/** Names that the API gives to parameters of a path, and to no member of a body. */
const OF_PATH = /^(?:account|user|quote|conversion|transfer|bank_link|address|webhook|report)_id$|^(?:id|path|method)$/;

/** Finds out which part of a request each cause speaks of: path and query, headers, or body. */
export function placesOf(causes: readonly Cause[], path: string, lines: readonly Line[] | undefined): Places {
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  const target: Cause[] = [];
  const headers: Cause[] = [];
  const body: Cause[] = [];
  for (const cause of causes) {
    const { field } = cause;
    if (HEADER.test(field)) headers.push(...field.split(', ').map((name) => ({ ...cause, field: name })));
    else if (lines?.some((line) => line.path === field)) body.push(cause);
    else if (lines === undefined || query.has(field) || OF_PATH.test(field)) target.push(cause);
    else body.push(cause);
  }
  return { target, headers, body };
}

/**
 * Marks each member that breaks a rule; in place of an absent member the one that should have it.
 */
export function markedLines(lines: readonly Line[], causes: readonly Cause[]): MarkedLine[] {
  const reasons = new Map<number, string[]>();
  for (const { field, message } of causes) {
    const [index, isItself] = nearest(lines, field);
    const before = reasons.get(index) ?? [];
    reasons.set(index, [...before, isItself ? message : `${field}: ${message}`]);
  }
  return lines.map(({ text }, index) => ({ text, reasons: reasons.get(index) ?? [] }));
}

function nearest(lines: readonly Line[], field: string): [index: number, isItself: boolean] {
  for (let path = field; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    const index = lines.findIndex((line) => line.path === path);
    if (index >= 0) return [index, path === field];
  }
  return [0, false];
}

/** Marks headers. One that is absent gets a line. */
export function markedHeaders(headers: Readonly<Record<string, string>>, causes: readonly Cause[]): MarkedLine[] {
  const of = (name: string): string[] =>
    causes.filter(({ field }) => field.toLowerCase() === name).map(({ message }) => message);
  const present = Object.entries(headers).map(([name, value]) => ({ text: `${name}: ${value}`, reasons: of(name) }));
  const absent = new Set(
    causes.map(({ field }) => field.toLowerCase()).filter((name) => !Object.hasOwn(headers, name)),
  );
  return [...present, ...[...absent].map((name) => ({ text: `${name}: (absent)`, reasons: of(name) }))];
}

/** Marks path and query, the parameters each in a line. */
export function markedTarget(method: string, path: string, causes: readonly Cause[]): MarkedLine[] {
  const [place = '', ...query] = path.split('?');
  const parameters = query.length === 0 ? [] : query.join('?').split('&');
  const names = parameters.map((parameter) => [...new URLSearchParams(parameter).keys()][0] ?? '');
  const of = (name: string): string[] =>
    causes.filter(({ field }) => field === name || field.startsWith(`${name}[`)).map(({ message }) => message);
  const others = causes.filter(({ field }) => !names.some((name) => field === name || field.startsWith(`${name}[`)));
  return [
    { text: `${method} ${place}`, reasons: others.map(({ field, message }) => `${field} ${message}`) },
    ...parameters.map((text, index) => ({
      text: `  ${index === 0 ? '?' : '&'}${text}`,
      reasons: of(names[index] ?? ''),
    })),
  ];
}
