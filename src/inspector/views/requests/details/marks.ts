import type { MarkedLine } from '../../../parts/code.js';
import { linesOf } from '../../../parts/json-lines.js';
import type { Cause, RequestDetails } from '../../../wire/sandbox.js';

/** A line, and the member, parameter or header that it begins. */
interface NamedLine {
  readonly text: string;
  readonly path: string | undefined;
}

const HEADER = /^(?:API-(?:Key|Nonce|Sign|Otp)|Idempotency-Key|Content-Type)\b/i;

/** Names that the API gives to parameters of a path, and to no member of a body. */
const OF_PATH = /^(?:account|user|quote|conversion|transfer|bank_link|address|webhook|report)_id$|^(?:id|path|method)$/;

/** The lines of a request. Each broken rule stands beside what breaks it. */
export function markedParts({ method, path, causes, request }: RequestDetails) {
  const { target, headers, body } = { target: targetLines(method, path), ...messageLines(request) };
  const has = (lines: readonly NamedLine[] | undefined, name: string) => lines?.some((one) => one.path === name);
  const partOf = ({ field }: Cause) => {
    if (HEADER.test(field)) return headers;
    if (has(body, field)) return body;
    return body === undefined || has(target, field) || OF_PATH.test(field) ? target : body;
  };
  const of = (lines: readonly NamedLine[]) => causes.filter((cause) => partOf(cause) === lines);
  const ofHeaders = of(headers).flatMap(({ field, message }) =>
    field.split(', ').map((name) => ({ field: name.toLowerCase(), message })),
  );
  const absent = new Set(ofHeaders.flatMap(({ field }) => (has(headers, field) ? [] : field)));
  const absentLines = [...absent].map((name) => ({ text: `${name}: (absent)`, path: name }));
  return {
    target: marked(target, of(target)),
    headers: marked([...headers, ...absentLines], ofHeaders),
    body: body && marked(body, of(body)),
  };
}

/** Path and query, the parameters each in a line. */
function targetLines(method: string, path: string): NamedLine[] {
  const [place = '', ...parameters] = path.split(/[?&]/);
  const lines = parameters.map((text, index): NamedLine => {
    const [name] = new URLSearchParams(text).keys();
    return { text: `  ${index === 0 ? '?' : '&'}${text}`, path: name };
  });
  return [{ text: `${method} ${place}`, path: undefined }, ...lines];
}

const messageLines = (request: RequestDetails['request']) => ({
  headers: Object.entries(request?.headers ?? {}).map(
    ([path, value]): NamedLine => ({ text: `${path}: ${value}`, path }),
  ),
  body: linesOf(request?.body?.text ?? ''),
});

/** Marks each line that breaks a rule; in place of an absent one that which should have it. */
function marked(lines: readonly NamedLine[], causes: readonly Cause[]): MarkedLine[] {
  const reasons = lines.map((): string[] => []);
  for (const { field, message } of causes) {
    const [index, isItself] = nearest(lines, field);
    reasons[index]?.push(isItself ? message : `${field}: ${message}`);
  }
  return lines.map(({ text }, index) => ({ text, reasons: reasons[index] ?? [] }));
}

function nearest(lines: readonly NamedLine[], field: string): [index: number, isItself: boolean] {
  for (let path = field; path !== ''; path = path.replace(/(^|[.[])[^.[]*$/, '')) {
    const index = lines.findIndex((line) => line.path === path);
    if (index >= 0) return [index, path === field];
  }
  return [0, false];
}
