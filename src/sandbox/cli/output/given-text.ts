import { readFileSync } from 'node:fs';
import { systemCode } from '../../../util/system-error.js';
import { quoted } from './text.js';

/**
 * Returns the text of a file for `@file`, of standard input for `-`, and any other word itself.
 *
 * @throws Error that says what cannot be read.
 */
export function givenText(word: string): string {
  if (word !== '-' && !word.startsWith('@')) return word;
  try {
    return readFileSync(word === '-' ? 0 : word.slice(1), 'utf8');
  } catch (error) {
    const source = word === '-' ? 'standard input' : quoted(word.slice(1));
    throw new Error(`${source} cannot be read (${systemCode(error)})`, { cause: error });
  }
}
