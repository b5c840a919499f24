import type { JsonSchema } from '../schemas/components.js';

/** What only the TypeScript client has: its objects, methods, types and options, the package. */
const OF_CLIENT = /`client\b|waitFor`|`[A-Z][a-z]+[A-Z]\w*`|`attemptTimeout`|\bthis package\b|before sending/;

/** The name of a group before its description. */
const GROUP = /^`client\.[\w.]+`: /;

/** Where a description can be cut: after a sentence or a clause. */
const CUT = /(?<=[.;:])(\s+)(?=[A-Z`])/;

/** Removes what a description says about the client alone. */
export function neutralText(description: string): string {
  const text = description.replace(GROUP, '');
  if (!OF_CLIENT.test(text)) return capitalized(text);
  // Parts alternate with the spaces between them.
  const parts = text.split(CUT);
  const kept = parts.flatMap((part, index) =>
    index % 2 === 0 && !OF_CLIENT.test(part) ? [part, parts[index + 1] ?? ''] : [],
  );
  return kept.length === 0 ? text : capitalized(kept.join('').trim().replace(/[;:]$/, '.'));
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A document for every language: its descriptions say nothing of the client. */
export function neutralDocument(document: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(document), (name, value) =>
    name === 'description' && typeof value === 'string' && (GROUP.test(value) || OF_CLIENT.test(value))
      ? neutralText(value)
      : value,
  );
}
