import { readFileSync } from 'node:fs';
import { strictText } from '../runtime/bytes.js';

/**
 * Returns the text of a file, or of standard input for 0, without a byte order mark.
 *
 * @throws Error for bytes that are not UTF-8: read leniently, the `Müller` of a file in Latin-1
 *   would be another name, which money is sent to.
 */
export function readTextFile(file: string | 0): string {
  const bytes = readFileSync(file);
  const [first, second] = bytes;
  const hasUtf16Mark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // JSON begins with an ASCII character, one byte of which is 0 in UTF-16.
  const isUtf16 = hasUtf16Mark || first === 0 || second === 0;
  if (isUtf16) throw new Error('it is in UTF-16: save it as UTF-8');
  try {
    return strictText(bytes);
  } catch {
    throw new Error('it is not in UTF-8, but perhaps in Latin-1 or Windows-1252: save it as UTF-8');
  }
}
