/** The bench of calls, start and size: `npm run bench -- [--peers] [--short] …`. See bench/README.md. */
import { rmSync } from 'node:fs';
import { measureRounds } from './calls/rounds.js';
import { floorOf, summarise } from './calls/summary.js';
import { visit } from './calls/visit.js';
import { FLOOR, OWN, proven } from './clients.js';
import { readOptions } from './options.js';
import { isPinned } from './processes.js';
import { createProject } from './project.js';
import { Service } from './service/service.js';

const options = readOptions();
const project = createProject({ installedIn: options.installedIn, built: options.built });
process.on('exit', () => rmSync(project, { recursive: true, force: true }));
const service = await Service.start(project);
const floor = await proven(FLOOR, project, service);
const listed = OWN.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
const clients = [];
for (const one of listed) clients.push(await proven(one, project, service));
console.error(`pinned: ${isPinned}`);
const times = options.short ? { warmUp: 400, settle: 100, measure: 300 } : { warmUp: 700, settle: 200, measure: 500 };
const rounds = await measureRounds(floor, clients, options.rounds, (client) =>
  visit(client, options.cells, service, times),
);
await service.stop();
const f = floorOf(rounds);
for (const [client, cells] of summarise(rounds)) {
  for (const [cell, { sample, cpu, rate, p99 }] of cells) {
    console.log(
      client.padEnd(36),
      cell.padEnd(9),
      `cpu ${cpu.median.toFixed(3)} (${cpu.low.toFixed(2)}-${cpu.high.toFixed(2)})`,
      `rate ${rate.median.toFixed(2)}`,
      `p99 ${p99.median.toFixed(2)}`,
      `| ${sample.cpu.toFixed(1)} us, ${sample.rate.toFixed(0)}/s, p50 ${sample.p50.toFixed(0)} p99 ${sample.p99.toFixed(0)}, service ${sample.serviceBusy.toFixed(2)}`,
      `| floor ${f.get(cell)?.cpu.toFixed(1)} us ${f.get(cell)?.rate.toFixed(0)}/s busy ${f.get(cell)?.serviceBusy.toFixed(2)}`,
    );
  }
}
