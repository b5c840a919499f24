/** An option of a method, as the reader may give it in a form. */
export interface OptionField {
  /** Its name on the wire. `match.account` is the member `account` of `match`. */
  readonly name: string;
  readonly label: string;
  /** Its meaning, in a sentence. */
  readonly hint?: string | undefined;
  /**
   * The reading of its text. `text` (default) as it stands; `number`, if it is one; `list` at its
   * commas; `range`: `20-80` is `[20, 80]`; `flag`: a box to tick; `json`: several lines of JSON.
   */
  readonly kind?: 'text' | 'number' | 'list' | 'range' | 'flag' | 'json' | undefined;
  /** The only values that it may have: `[value, text]`. The first is that of a new form. */
  readonly choices?: readonly (readonly [value: string, text: string])[] | undefined;
  /** Values that are offered, among others. */
  readonly suggestions?: readonly string[] | undefined;
  /** Heading of the fields that it stands with. */
  readonly group?: string | undefined;
}

/** The texts of a form by the names of its fields. */
export type Texts = Readonly<Record<string, string>>;

/**
 * Returns the options that a form says. What is left empty is left out; the sandbox judges the
 * rest.
 */
export function optionsOf(fields: readonly OptionField[], texts: Texts): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const field of fields) {
    const text = (texts[field.name] ?? field.choices?.[0]?.[0] ?? '').trim();
    if (text === '') continue;
    const [first = '', second] = field.name.split('.');
    if (second === undefined) options[first] = valueIn(field, text);
    else options[first] = { ...(options[first] as object), [second]: valueIn(field, text) };
  }
  return options;
}

const RANGE = /^(\d+)\s*[-–]\s*(\d+)$/;

function valueIn({ kind }: OptionField, text: string): unknown {
  if (kind === 'flag') return true;
  if (kind === 'json') return jsonIn(text);
  if (kind === 'list') return text.split(',').map((one) => one.trim());
  const range = kind === 'range' ? RANGE.exec(text) : null;
  if (range !== null) return [Number(range[1]), Number(range[2])];
  return kind === 'number' || kind === 'range' ? numberOf(text) : text;
}

/** The sandbox says what is wrong with text that is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const numberOf = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text);
