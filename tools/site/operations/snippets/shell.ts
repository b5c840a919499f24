/** An example of an operation as a command of a shell. */
import { flagsOf } from '../../../../src/command/description/help.js';
import type { Operation } from '../../../../src/schema/operation.js';
import { shellQuoted } from '../../../../src/util/shell.js';
import type { Example } from '../../../examples/examples.js';
import { COLUMNS, OTP, withoutPageSize } from './sources.js';

/** Returns the line that makes the call with `partner-sdk call`. */
export function shellOf({ name, path, otp, cursor }: Operation, { params, query, body }: Example): string {
  const ids = Array.from(path.matchAll(/\{(\w+)\}/g), ([, id = '']) => shellQuoted(params?.[id] ?? ''));
  const flags = flagsOf(body ?? (query && withoutPageSize(query)) ?? {});
  const pairs = flags.flatMap((flag, index) => (index % 2 === 0 ? [`${flag} ${flags[index + 1]}`] : []));
  const words = ['npx partner-sdk call', name, ...ids, ...pairs, ...(cursor === undefined ? [] : ['--all'])];
  return `${wrapped(otp === true ? [`PARTNER_OTP=${OTP}`, ...words] : words)}\n`;
}

/** Joins words to lines that fit into the column. */
function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(word);
    else if (`${line} ${word} \\`.length <= COLUMNS) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.join(' \\\n');
}
