/**
 * `npm run fuzz`: whatever bytes a service sends, a call ends in time with a typed error, or with the value that two
 * other parsers read in the same bytes; and the next call gets its own answer. The seed decides about all of it.
 */
import { parseArgs } from 'node:util';
import { Random } from '../../src/sandbox/core/basics/random.js';
import { fuzzAnswers } from './answers.js';

const { values: given } = parseArgs({
  options: { seed: { type: 'string' }, seconds: { type: 'string', default: '30' } },
});
const seed = Number(given.seed ?? Math.floor(Math.random() * 1_000_000));
const seconds = Number(given.seconds);
if (!Number.isSafeInteger(seed) || Number.isNaN(seconds)) throw new Error('--seed and --seconds are numbers');

const unhandled: string[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(`unhandled: ${String(reason)}`));
const report = await fuzzAnswers(new Random(seed), performance.now() + seconds * 1_000);
console.log(
  `seed ${seed}: ${report.answers} answers, ${report.kept} of them kept, over ${report.transports.join(' and ')}`,
);
for (const [name, count] of [...report.endings].sort((one, other) => other[1] - one[1]))
  console.log(`${String(count).padStart(7)} ${name}`);
const findings = [...report.findings, ...unhandled];
if (findings.length === 0)
  console.log('Every call ended in time, with a typed error or the value that other parsers read.');
for (const finding of findings) console.log(finding);
if (findings.length > 0) process.exitCode = 1;
