/** Control and format characters, such as terminal escapes, and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const PLAIN = /^[ -~]*$/;

/**
 * Escapes every character that can begin a line, move a terminal's cursor or reverse the text, as
 * `\u001b` or `\u000a`. JSON stays the same JSON.
 */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(UNPRINTABLE, (found) => found.split('').map(escapeOf).join(''));
}

/** Cuts a string to this many characters and marks the cut with `…`. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  // A cut must not leave half of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
