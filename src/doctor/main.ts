#!/usr/bin/env node
import '../util/supported-node.js';
import { readFileSync } from 'node:fs';
import { printable } from '../util/printable.js';
import { VERSION } from '../version.js';
import { numberOf, readWords, variable, WrongUse } from './arguments.js';
import { type Finding, report } from './finding.js';
import { webhookFindings } from './webhook.js';

const HELP = `Checks a set-up against the real service, and a delivery of a webhook.

Usage: npx partner-sdk doctor [options]            one signed read
       npx partner-sdk doctor webhook [file]       a delivery: its body in the file, or on stdin

  --base-url <url>       the service; default PARTNER_BASE_URL
  --timeout <ms>         for the signed read; default 10000
  --tolerance <seconds>  for the time of a delivery; default 300
  --json                 one line of JSON
  --help, --version

Keys and secrets come from the environment alone: PARTNER_API_KEY, PARTNER_API_SECRET, PARTNER_USER_ID (optional: the
user to read), and for a delivery PARTNER_WEBHOOK_SECRET, PARTNER_WEBHOOK_SIGNATURE (its header X-Signature).

Exit codes: 0 no problem, 1 a problem was found, 2 wrong options.`;

const TIMEOUT_MS = 10_000;
const TOLERANCE_SECONDS = 300;

async function main(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const words = readWords(args);
  if (words.shows !== undefined) {
    console.log(words.shows === 'help' ? HELP : VERSION);
    return 0;
  }
  const [command, kind, file, ...more] = words.names;
  if (command !== 'doctor')
    throw new WrongUse(command === undefined ? 'a command is missing' : 'there is no such command');
  if ((kind !== undefined && kind !== 'webhook') || more.length > 0) throw new WrongUse('there are too many words');
  const findings = kind === 'webhook' ? delivery(file) : await service();
  return report(findings, words.isJson);

  async function service(): Promise<Finding[]> {
    const baseUrl = words.values['base-url'] ?? variable(environment, 'PARTNER_BASE_URL');
    const [apiKey, apiSecret] = ['PARTNER_API_KEY', 'PARTNER_API_SECRET'].map((name) => variable(environment, name));
    const timeout = numberOf(words.values, 'timeout', TIMEOUT_MS);
    const userId = environment['PARTNER_USER_ID'] || undefined;
    // Loaded late: a wrong option is reported at once.
    const { serviceFindings } = await import('./service.js');
    return serviceFindings({ baseUrl, apiKey: apiKey ?? '', apiSecret: apiSecret ?? '', userId, timeout });
  }

  function delivery(from: string | undefined): Finding[] {
    // A header is often pasted with its name.
    const signature = variable(environment, 'PARTNER_WEBHOOK_SIGNATURE')
      .replace(/^\s*x-signature:/i, '')
      .trim();
    const secret = variable(environment, 'PARTNER_WEBHOOK_SECRET');
    const toleranceSeconds = numberOf(words.values, 'tolerance', TOLERANCE_SECONDS);
    return webhookFindings({ body: bodyOf(from), signature, secret, toleranceSeconds });
  }
}

/** @throws WrongUse if the file cannot be read. */
function bodyOf(file: string | undefined): string {
  try {
    return readFileSync(file ?? 0, 'utf8');
  } catch (error) {
    throw new WrongUse(`the body cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function end(error: unknown): void {
  const isWrongUse = error instanceof WrongUse;
  const message = error instanceof Error ? error.message : String(error);
  const stop = message.endsWith('?') ? '' : '.';
  const use = isWrongUse ? `${stop} partner-sdk --help shows the use` : '';
  process.stderr.write(`${printable(`partner-sdk: ${message}${use}`)}\n`);
  process.exitCode = isWrongUse ? 2 : 1;
}

main(process.argv.slice(2), process.env).then((code) => {
  process.exitCode = code;
}, end);
