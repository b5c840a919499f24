/**
 * Reads the beginning of a JSON text whose end is cut off: what is incomplete at the end is left out, a text that is cut is shortened.
 * Throws a `SyntaxError` when the beginning is not JSON.
 */
export function parseBeginning(text: string): unknown {
  const { end, closers } = completeEnd(text);
  return JSON.parse(text.slice(0, end) + closers);
}

/** Where the text can be ended, and what must be added there to make it complete. */
interface CompleteEnd {
  readonly end: number;
  readonly closers: string;
}

function completeEnd(text: string): CompleteEnd {
  const open: string[] = [];
  let end = 0;
  let before = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') {
      const close = endOfText(text, index);
      if (close.isWhole) index = close.end;
      else if (before === ',' && open.at(-1) === '}') break;
      else if (before === '{') break;
      else return { end: close.end, closers: `"${closing(open)}` };
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      end = index + 1;
    } else if (character === '}' || character === ']') {
      open.pop();
      end = index + 1;
    } else if (character === ',') end = index;
    if ('{[,:'.includes(character)) before = character;
  }
  return { end, closers: closing(open) };
}

const closing = (open: readonly string[]): string => [...open].reverse().join('');

/** Where the text that begins at this quote ends: at its other quote, or before what is cut off. */
function endOfText(text: string, begin: number): { readonly end: number; readonly isWhole: boolean } {
  let index = begin + 1;
  while (index < text.length) {
    const character = text.charAt(index);
    if (character === '"') return { end: index, isWhole: true };
    const length = character === '\\' ? escapeLength(text.charAt(index + 1)) : 1;
    if (index + length > text.length) break;
    index += length;
  }
  return { end: index, isWhole: false };
}

const escapeLength = (letter: string): number => (letter === 'u' ? 6 : 2);
