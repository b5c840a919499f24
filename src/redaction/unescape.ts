import { utf8Text } from '../runtime/bytes.js';

/** A text with the places in the service's text from which its characters come. */
export interface Traced {
  readonly text: string;
  /** Begin of each character in the service's text. */
  readonly starts: readonly number[];
  /** End of each character there. */
  readonly ends: readonly number[];
  /** End of what was read of the service's text: an escape that is cut off is not read. */
  readonly readTo: number;
}

/** Deeper escapes are not undone. `%255Cu002f` has three levels. */
const MAX_LEVELS = 4;

/** Length of the longest escape of a character: four bytes of UTF-8, each as `%XX`. */
const MAX_ESCAPE_LENGTH = 12;

/** The escapes of JSON, JavaScript, URLs and HTML, in any letter case. */
const ESCAPE =
  /\\u\{([\da-f]{1,6})\}|\\u([\da-f]{4})|\\x([\da-f]{2})|\\(["'\\/bfnrt])|((?:%[\da-f]{2})+)|%u([\da-f]{4})|&#x0*([\da-f]{1,6});?|&#0*(\d{1,7});?|&([a-z]{2,6});/gi;

/** Characters that an echo may add, lose or change: line breaks, zero bytes, `+` for a space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
const UNSTABLE = /[\u0000-\u001f\u007f+]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
const CONTROLS = /[\u0000-\u001f\u007f]/g;
const HAS_ESCAPE = /[\\%&]/;

/** False for a text that is compared as it is. */
export const mayBeEscaped = (text: string): boolean => HAS_ESCAPE.test(text) || UNSTABLE.test(text);

/**
 * Yields the text, then the text with one level of escapes undone after the other.
 *
 * @param cut The text is the beginning of a longer one.
 */
export function* unescapings(text: string, cut: boolean): Generator<Traced, void, undefined> {
  let level = fold(untouched(text));
  yield level;
  for (let depth = 0; depth < MAX_LEVELS && HAS_ESCAPE.test(level.text); depth++) {
    const next = fold(unescapeOnce(level, cut));
    if (next.text === level.text) return;
    level = next;
    yield level;
  }
}

/** Returns the forms of a secret that `unescapings` of its echo may yield. */
export function comparable(secret: string, cut: boolean): string[] {
  const forms = [foldText(secret)];
  for (let form = secret; forms.length <= MAX_LEVELS && HAS_ESCAPE.test(form); ) {
    let unescaped = '';
    unescapeInto({ add: (part) => (unescaped += part) }, form, cut);
    form = foldText(unescaped);
    if (form === forms.at(-1)) break;
    forms.push(form);
  }
  return forms;
}

function untouched(text: string): Traced {
  const starts = Array.from({ length: text.length }, (_, index) => index);
  return { text, starts, ends: starts.map((start) => start + 1), readTo: text.length };
}

function fold(traced: Traced): Traced {
  const { text } = traced;
  if (!UNSTABLE.test(text)) return traced;
  const to = new Tracing(traced);
  for (let index = 0; index < text.length; index++) to.add(foldText(text.charAt(index)), index, index + 1);
  return to.traced(text.length);
}

function foldText(text: string): string {
  return UNSTABLE.test(text) ? text.replaceAll(CONTROLS, '').replaceAll('+', ' ') : text;
}

function unescapeOnce(traced: Traced, cut: boolean): Traced {
  const to = new Tracing(traced);
  return to.traced(unescapeInto(to, traced.text, cut));
}

/** Receives the parts of a text whose escapes are undone. */
interface Unescaped {
  /** Adds the text that the characters from `start` up to `end` stand for. */
  add(text: string, start: number, end: number): void;
}

/** Undoes one level of escapes. Returns the index up to which the text was read. */
function unescapeInto(to: Unescaped, given: string, cut: boolean): number {
  const text = cut ? withoutBrokenEscape(given) : given;
  let done = 0;
  for (const match of text.matchAll(ESCAPE)) {
    to.add(text.slice(done, match.index), done, match.index);
    done = match.index + match[0].length;
    const [whole, braced, unicode, byte, letter, percent, percentUnicode, hex, decimal, name] = match;
    if (percent !== undefined) addBytes(to, percent, match.index);
    else if (letter !== undefined) to.add(LETTERS[letter.toLowerCase()] ?? letter, match.index, done);
    else if (name !== undefined) to.add(ENTITIES[name.toLowerCase()] ?? whole, match.index, done);
    else {
      const code = decimal ?? Number.parseInt(braced ?? unicode ?? byte ?? percentUnicode ?? hex ?? '', 16);
      to.add(characterOf(Number(code)), match.index, done);
    }
  }
  to.add(text.slice(done), done, text.length);
  return text.length;
}

/** Returns the text without a last escape whose rest may be cut off. */
function withoutBrokenEscape(text: string): string {
  const tail = text.length - MAX_ESCAPE_LENGTH;
  const begin = text.slice(Math.max(0, tail)).search(/[\\%&]/);
  return begin < 0 ? text : text.slice(0, Math.max(0, tail) + begin);
}

/** Adds the characters of `%XX%XX…`, each with the place of its bytes. */
function addBytes(to: Unescaped, escaped: string, at: number): void {
  const bytes = Uint8Array.from(escaped.slice(1).split('%'), (digits) => Number.parseInt(digits, 16));
  let index = 0;
  while (index < bytes.length) {
    const length = lengthOf(bytes[index] ?? 0);
    const character = utf8Text(bytes.subarray(index, index + length));
    const isWhole = !character.includes('\ufffd');
    const taken = isWhole ? length : 1;
    to.add(isWhole ? character : String.fromCharCode(bytes[index] ?? 0), at + index * 3, at + (index + taken) * 3);
    index += taken;
  }
}

/** Returns the length in bytes of the UTF-8 character that begins with this byte. */
function lengthOf(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Named entities of characters that a secret may have: HTML's specials, base64, punctuation. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  plus: '+',
  sol: '/',
  equals: '=',
  bsol: '\\',
  percnt: '%',
  colon: ':',
  comma: ',',
  period: '.',
  lowbar: '_',
  commat: '@',
  num: '#',
  nbsp: ' ',
};

/** Builds a text with the places of its characters. */
class Tracing implements Unescaped {
  readonly #from: Traced;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #text = '';

  constructor(from: Traced) {
    this.#from = from;
  }

  /** A text of the same length stands for its original character by character. */
  add(text: string, start: number, end: number): void {
    const { starts, ends } = this.#from;
    const isSame = text.length === end - start;
    this.#text += text;
    for (let index = 0; index < text.length; index++) {
      this.#starts.push(starts[isSame ? start + index : start] ?? 0);
      this.#ends.push(ends[isSame ? start + index : end - 1] ?? 0);
    }
  }

  /** @param end Index at which reading ended. */
  traced(end: number): Traced {
    const readTo = end < this.#from.text.length ? (this.#from.starts[end] ?? 0) : this.#from.readTo;
    return { text: this.#text, starts: this.#starts, ends: this.#ends, readTo };
  }
}
