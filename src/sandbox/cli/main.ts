#!/usr/bin/env node
import { printable } from '../../core/printable.js';
import { VERSION } from '../../version.js';
import { readArguments } from './arguments.js';
import { Failure, reasonOf } from './failure.js';
import { helpText } from './flags.js';
import { run } from './run.js';

/** Says what went wrong, in one line. */
function report(problem: string): void {
  process.stderr.write(`partner-sandbox: ${printable(problem)}\n`);
}

function end(error: unknown): void {
  report(reasonOf(error));
  const code = error instanceof Failure ? error.exitCode : 1;
  process.stderr.write('', () => process.exit(code));
}

async function main(): Promise<void> {
  const command = readArguments(process.argv.slice(2));
  if (command === 'help') console.log(helpText());
  else if (command === 'version') console.log(VERSION);
  else await run(command, report);
}

// Nobody may read what is reported; that must not be one problem more.
process.stderr.on('error', () => {});
process.on('uncaughtException', end);
main().catch(end);
