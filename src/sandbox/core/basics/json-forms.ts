import { isRecord } from '../../../util/options.js';

/** A JSON text that was written anew. */
interface JsonForm {
  readonly how: string;
  readonly text: string;
}

/**
 * Returns a JSON text as JavaScript and Python write its value, so that a signature over such a
 * copy is recognised. Returns nothing for a text that is not JSON or is nested too deeply.
 */
export function jsonForms(text: string): JsonForm[] {
  try {
    const value: unknown = JSON.parse(text);
    return [
      { how: 'without spaces', text: JSON.stringify(value) },
      { how: 'with a space after each comma and colon', text: spaced(value).replace(/[^\0-\x7f]/g, escaped) },
    ];
  } catch {
    return [];
  }
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return `{${members.join(', ')}}`;
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns the value of a JSON text. Undefined for another text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
