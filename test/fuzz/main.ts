/**
 * `npm run fuzz`: whatever bytes a service sends, a call ends in time with a typed error, or with the value that two
 * other parsers read in the same bytes; and the next call gets its own answer. Whatever an HTTP/2 service does to
 * streams and sessions, no write is applied twice, and every outcome is true. The seed decides about all of it.
 */
import { parseArgs } from 'node:util';
import { Random } from '../../src/sandbox/core/basics/random.js';
import { fuzzAnswers } from './answers.js';
import { fuzzHttp2 } from './http2/fuzz.js';
import { serveLedger } from './http2/service.js';

const PARTS = ['answers', 'http2'] as const;

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string', default: '30' },
    only: { type: 'string' },
    // This process is the service of another one.
    serve: { type: 'boolean', default: false },
  },
});
const seed = Number(given.seed ?? Math.floor(Math.random() * 1_000_000));
const seconds = Number(given.seconds);
if (!Number.isSafeInteger(seed) || Number.isNaN(seconds)) throw new Error('--seed and --seconds are numbers');
const parts = PARTS.filter((part) => given.only === undefined || given.only === part);
if (parts.length === 0) throw new Error(`--only is one of ${PARTS.join(', ')}`);

if (given.serve) await serveLedger(seed);
else await fuzz();

async function fuzz(): Promise<void> {
  const findings: string[] = [];
  process.on('unhandledRejection', (reason) => findings.push(`unhandled: ${String(reason)}`));
  const milliseconds = (seconds * 1_000) / parts.length;
  if (parts.includes('answers')) findings.push(...(await answers(milliseconds)));
  if (parts.includes('http2')) findings.push(...(await http2(milliseconds)));
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}

async function answers(milliseconds: number): Promise<readonly string[]> {
  const report = await fuzzAnswers(new Random(seed), performance.now() + milliseconds);
  console.log(
    `seed ${seed}: ${report.answers} answers, ${report.kept} of them kept, over ${report.transports.join(' and ')}`,
  );
  print(report.endings);
  if (report.findings.length === 0)
    console.log('Every call ended in time, with a typed error or the value that other parsers read.');
  return report.findings;
}

async function http2(milliseconds: number): Promise<readonly string[]> {
  const report = await fuzzHttp2(new Random(seed).fork('http2'), performance.now() + milliseconds);
  console.log(`seed ${seed}: ${report.calls} calls over HTTP/2 in ${report.rounds} rounds`);
  print(report.faults);
  print(report.endings);
  for (const crash of report.crashes) console.log(`the process of the service ended by itself: ${crash}`);
  if (report.findings.length === 0) console.log('No write was applied twice, and every outcome was true.');
  return report.findings;
}

function print(counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of [...counts].sort((one, other) => other[1] - one[1]))
    console.log(`${String(count).padStart(7)} ${name}`);
}
