#!/usr/bin/env node
import { OutputError, print } from '../../util/print.js';
import { printable } from '../../util/printable.js';
import { damagedWord } from '../../util/words.js';
import { VERSION } from '../../version.js';
import { environmentName, helpText, readArguments } from './arguments.js';
import { control } from './ctl/main.js';
import { Failure, reasonOf } from './output/failure.js';
import { quoted } from './output/text.js';
import { run } from './run.js';

const words = process.argv.slice(2);
const isJson = words.includes('--json') || /^(1|true)$/i.test(process.env[environmentName('json')] ?? '');

/** Prints a problem as one line. With `exitCode`, the program ends. */
function report(message: string, exitCode?: number): void {
  const line = isJson ? JSON.stringify({ event: 'error', message, exitCode }) : `partner-sandbox: ${message}`;
  process.stderr.write(`${printable(line)}\n`);
}

function end(error: unknown): void {
  if (error instanceof OutputError && error.isUnread) process.exit();
  const code = error instanceof Failure ? error.exitCode : 1;
  report(reasonOf(error), code);
  process.stderr.write('', () => process.exit(code));
}

async function main(): Promise<void> {
  const damaged = damagedWord(words);
  if (damaged !== undefined) throw new Failure(2, `${quoted(damaged)} has a character that is not UTF-8`);
  if (words[0] === 'ctl') {
    await control(words.slice(1), process.env);
    return;
  }
  const command = readArguments(words, process.env);
  if (command === 'help') await print(helpText());
  else if (command === 'version') await print(VERSION);
  else await run(command, (problem) => report(problem));
}

// If stderr has no reader, a report must not cause another error.
process.stderr.on('error', () => {});
process.on('uncaughtException', end);
main().catch(end);
