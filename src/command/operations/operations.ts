import { inColumns } from '../../util/columns.js';
import { Operations } from '../description/operations.js';
import { HELP_FLAG, readWords } from '../flags.js';
import { UsageError } from '../usage-error.js';

const HELP = `Lists the operations that partner-sdk call makes, with their routes.

Usage: npx partner-sdk operations [search]

Each word of the search is a part of name, route, title or description: npx partner-sdk operations withdrawal`;

/** Runs `partner-sdk operations`, and returns what it prints. */
export function operations(args: readonly string[]): string {
  const { plain, values } = readWords(args, HELP_FLAG);
  if (values.help !== undefined) return HELP;
  const words = plain.flatMap((word) => word.toLowerCase().split(/\s+/));
  const found = new Operations().all().filter(({ name, method, path, summary, description }) => {
    const text = [name, method, path, summary, description].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (found.length === 0) throw new UsageError('no operation has all these words');
  const rows = found.map(({ name, method, path, summary }) => [name, `${summary}: ${method} ${path}`] as const);
  return inColumns(rows, Number.POSITIVE_INFINITY);
}
