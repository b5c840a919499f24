import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../../../util/options.js';
import { printable } from '../../../util/printable.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import { Failure } from '../output/failure.js';
import type { Output } from '../output/output.js';
import { textPrinter } from '../output/printer.js';
import { allowOptions, type CommandLine, textOption, usageError } from './command-line.js';
import type { Connection } from './connection.js';
import { eventsIn, type ServerEvent } from './event-stream.js';

/** Members by which entries are filtered: each option has one value, or several with commas. */
const FILTERS = ['kind', 'operation', 'verdict', 'status', 'account', 'key'] as const;

/** Time in ms until the next attempt to connect, since the sandbox may be restarting. */
const RETRY_MS = 500;

/**
 * Prints entries of the timeline as they are added. Ends with `ended`, and continues after a
 * restart of the sandbox.
 */
export async function tail(
  connection: Connection,
  line: CommandLine,
  output: Output,
  report: (problem: string) => void,
): Promise<never> {
  if (line.plain.length > 1) throw usageError(`tail takes options alone, not ${JSON.stringify(line.plain[1])}`);
  allowOptions(line, [...FILTERS, 'after']);
  const isShown = filterOf(line);
  const show = line.options.has('json') ? (entry: object) => printable(JSON.stringify(entry)) : textOf;
  let last = textOption(line, 'after');
  for (let isFirst = true; ; isFirst = false) {
    const opened = performance.now();
    try {
      // Without `after` the stream starts with new entries.
      const stream = await connection.open(last === undefined ? 'events' : `events?after=${encodeURIComponent(last)}`);
      if (!isFirst) report('the sandbox is back');
      for await (const event of eventsIn(stream.setEncoding('utf8'))) {
        last = event.id ?? last;
        // The event is for readers of settings, and has no position.
        if (event.name === 'changed') continue;
        const entry = entryOf(event);
        if (isShown(entry)) output.write(show(entry));
      }
    } catch (error) {
      if (isFirst) throw error;
    }
    report('the sandbox has gone; waiting for it');
    const uptimeMs = await reappeared(connection);
    // The sandbox was restarted: its entries are counted from 1 again.
    if (uptimeMs < performance.now() - opened) last = '0';
  }
}

/** Resolves with the time in ms for which the sandbox has run, as soon as it answers. */
async function reappeared(connection: Connection): Promise<number> {
  for (;;) {
    await sleep(RETRY_MS);
    try {
      const health = await connection.ask('GET', 'health');
      return isRecord(health) ? Number(health['uptime_ms']) : 0;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
}

function filterOf(line: CommandLine): (entry: Entry) => boolean {
  const filters = FILTERS.flatMap((name) => {
    const text = textOption(line, name);
    return text === undefined ? [] : [[name, text.split(',')] as const];
  });
  return (entry) => filters.every(([name, values]) => values.includes(String(entry[name])));
}

type Entry = Readonly<Record<string, unknown>>;

function entryOf({ name, data }: ServerEvent): Entry {
  const entry: unknown = JSON.parse(data);
  return isRecord(entry) ? { kind: name, ...entry } : { kind: name, data: entry };
}

const PRINTER = textPrinter({ verbose: false });

/** Members of an entry that its line shows in another form. */
const NOT_LISTED: readonly string[] = ['kind', 'seq', 'at', 'real'];

function textOf(entry: Entry): string {
  if (entry['kind'] === 'request') return PRINTER.request(entry as unknown as JournalEntry);
  const at = typeof entry['at'] === 'number' ? new Date(entry['at']).toISOString().slice(11) : ' '.repeat(13);
  const members = Object.entries(entry).filter(([name, value]) => !NOT_LISTED.includes(name) && value !== undefined);
  const listed = members.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return printable(`${at}  ${String(entry['kind']).padEnd(9)} ${listed.join(' ')}`);
}
