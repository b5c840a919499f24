/** CPU of traces and metrics for a call: `npm run bench:telemetry -- dist [OTHER/dist] [--rounds N]`. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../lanes/figures.js';
import type { Subject, Visit } from './client-process.js';

const CALLS = 4_000;
const IN_FLIGHT = [64, 1];

const words = process.argv.slice(2);
const place = words.indexOf('--rounds');
const rounds = place < 0 ? 40 : Number(words.splice(place, 2)[1]);
const [own = 'dist', other] = words;

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const service = fork(program('service-process.ts'));
const [origin] = (await once(service, 'message')) as [string];
const directories = [own, other].map((directory) => (directory === undefined ? '' : resolve(directory)));
const client = fork(program('client-process.ts'), [origin, ...directories]);
await once(client, 'message');
// Otherwise a visit would be waited for without end.
client.on('exit', (code) => process.exit(code === null ? 0 : 1));

/** Microseconds of CPU for each call. */
async function visit(subject: Subject, inFlight: number, calls: number): Promise<number> {
  client.send({ subject, inFlight, calls } satisfies Visit);
  const [cost] = (await once(client, 'message')) as [number];
  return cost;
}

const subjects: readonly Subject[] = [
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
client.kill();
service.kill();
