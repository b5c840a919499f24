import { spawnSync } from 'node:child_process';
import { commandOf } from '../processes.js';

/** One thing to measure in fresh processes: a file that prints a number. */
export interface Start {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

/** What each printed, by name: all are started in turn, and every other time in the opposite order. */
export function repeatStarts(starts: readonly Start[], times: number): ReadonlyMap<string, readonly number[]> {
  for (const start of starts) printedBy(start); // From now on the files are in the cache of the disk.
  const printed = new Map(starts.map(({ name }) => [name, [] as number[]]));
  for (let time = 0; time < times; time++) {
    for (const start of time % 2 === 0 ? starts : starts.toReversed()) printed.get(start.name)?.push(printedBy(start));
  }
  return printed;
}

function printedBy({ name, file, args }: Start): number {
  const [command, ...rest] = commandOf('client', file, args);
  const { status, stdout, stderr } = spawnSync(command, rest, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return Number(stdout);
}
