#!/usr/bin/env node
import '../util/supported-node.js';
import { inColumns } from '../util/columns.js';
import { OutputError, print } from '../util/print.js';
import { printable } from '../util/printable.js';
import { VERSION } from '../version.js';
import { Operations } from './description/operations.js';
import { doctor } from './doctor/main.js';
import { readWords, UsageError, unknownName } from './flags.js';

const HELP = `The Partner API from a shell.

Usage: npx partner-sdk <command> --help

  call <operation>      calls one operation, and prints its result as JSON
  operations [search]   lists the operations
  doctor                checks a set-up against the real service

  --version

Exit codes: 0 done, 1 not applied, 2 wrong usage or environment, 3 unknown, 4 applied, but the answer was unusable.`;

const COMMANDS: Readonly<Record<string, (...given: Parameters<typeof doctor>) => string | Promise<number>>> = {
  // Loaded late: other commands need no client.
  call: async (args, environment) => (await import('./call/call.js')).call(args, environment),
  operations,
  doctor,
};

const OPERATIONS_HELP = `Lists the operations that partner-sdk call makes, with their routes.

Usage: npx partner-sdk operations [search]

Each word of the search is a part of name, route, title or description: npx partner-sdk operations withdrawal`;

/** Runs `partner-sdk operations`, and returns what it prints. */
function operations(args: readonly string[]): string {
  const { plain, values } = readWords(args, { help: { help: 'this help' } });
  if (values.help !== undefined) return OPERATIONS_HELP;
  const words = plain.flatMap((word) => word.toLowerCase().split(/\s+/));
  const found = new Operations().all().filter(({ name, method, path, summary, description }) => {
    const text = [name, method, path, summary, description].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (found.length === 0) throw new UsageError('no operation has all these words');
  const rows = found.map(({ name, method, path, summary }) => [name, `${summary}: ${method} ${path}`] as const);
  return inColumns(rows, Number.POSITIVE_INFINITY);
}

async function main([name, ...args]: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  if (name === undefined) throw new UsageError('a command is missing');
  const shown = { '--help': HELP, '-h': HELP, '--version': VERSION }[name];
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (shown === undefined && command === undefined) {
    throw unknownName('there is no command', name, Object.keys(COMMANDS));
  }
  const result = shown ?? (await command?.(args, environment));
  if (typeof result === 'string') await print(result);
  process.exitCode = typeof result === 'number' ? result : 0;
}

function end(error: unknown, name = ''): void {
  if (error instanceof OutputError && error.isUnread) return;
  const { message } = Object(error);
  const isWrong = error instanceof UsageError;
  const help = ['partner-sdk', ...(Object.hasOwn(COMMANDS, name) ? [name] : []), '--help'].join(' ');
  const stop = message.endsWith('?') ? '' : '.';
  console.error(printable(`partner-sdk: ${message}${isWrong ? `${stop} See ${help}` : ''}`));
  process.exitCode = isWrong ? 2 : 1;
}

// A closed output is no failure of its own.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const given = process.argv.slice(2);
main(given, process.env).catch((error: unknown) => end(error, given[0]));
