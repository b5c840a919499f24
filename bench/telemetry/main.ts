/** CPU of traces and metrics for a call: `npm run bench:telemetry -- dist [OTHER/dist] [--rounds N]`. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../lanes/figures.js';
import type { Subject, Visit } from './client-process.js';

const CALLS = 4_000;
const IN_FLIGHT = [64, 1];

const words = process.argv.slice(2);
const place = words.indexOf('--rounds');
const rounds = place < 0 ? 40 : Number(words.splice(place, 2)[1]);
const [own, other] = [words[0] ?? 'dist', words[1]].map((directory) => directory && resolve(directory));

for (const directory of [own, other]) if (directory !== undefined) demandDependencies(directory);

/** A build reads its dependencies from the folders above it. */
function demandDependencies(directory: string): void {
  try {
    createRequire(join(directory, 'index.js')).resolve('undici');
  } catch {
    console.error(`${directory} finds no undici: run \`npm install\` in the folder of that build`);
    process.exit(1);
  }
}

/** A process of the bench. */
class Program {
  readonly #process: ChildProcess;
  /** Rejects when the process ends: whoever waits for its word would wait without end. */
  readonly #end: Promise<never>;

  constructor(name: string, words: readonly string[] = []) {
    this.#process = fork(fileURLToPath(new URL(name, import.meta.url)), words);
    this.#end = once(this.#process, 'exit').then(([code, signal]) => {
      throw new Error(`${name} ended by itself: ${signal ?? `code ${code}`}`);
    });
    this.#end.catch(() => {});
  }

  /** Returns what it says next. */
  async word<T>(): Promise<T> {
    const [said] = await Promise.race([once(this.#process, 'message'), this.#end]);
    return said as T;
  }

  ask<T>(question: object): Promise<T> {
    this.#process.send(question);
    return this.word<T>();
  }

  stop(): void {
    this.#process.kill();
  }
}

const service = new Program('service-process.ts');
const origin = await service.word<string>();
const client = new Program('client-process.ts', [origin, own ?? '', other ?? '']);
await client.word();

/** Microseconds of CPU for each call. */
const visit = (subject: Subject, inFlight: number, calls: number): Promise<number> =>
  client.ask<number>({ subject, inFlight, calls } satisfies Visit);

const subjects: readonly Subject[] = [
  'again',
  ...(other === undefined ? [] : ['other' as const]),
  'api',
  'channel',
  'spans',
  'all',
];
for (const inFlight of IN_FLIGHT) {
  for (const subject of ['plain', ...subjects] as const) await visit(subject, inFlight, 2 * CALLS);
  for (const subject of subjects) {
    const differences: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // In turns, the other way round each time: what slows the machine strikes both.
      const order: readonly Subject[] = round % 2 === 0 ? ['plain', subject] : [subject, 'plain'];
      const costs = new Map<Subject, number>();
      for (const one of order) costs.set(one, await visit(one, inFlight, CALLS / 4));
      const [plain, with_] = [costs.get('plain') ?? 0, costs.get(subject) ?? 0];
      differences.push(with_ - plain);
      ratios.push(with_ / plain);
    }
    console.log(
      `${subject.padEnd(8)} ${String(inFlight).padStart(2)} in flight: ${median(differences).toFixed(2)} µs a call more than plain, ratio ${median(ratios).toFixed(4)}`,
    );
  }
}
console.log(`load of the machine in the last minute: ${loadavg()[0]?.toFixed(1)}, with ${cpus().length} processors`);
client.stop();
service.stop();
