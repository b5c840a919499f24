/** The bench of calls: `npm run bench -- [--peers] [--short] …`. See bench/README.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPeerProject, createProject } from '../project.js';
import { allProven, FLOOR, OTHER, proven } from './clients.js';
import { readOptions } from './options.js';
import { machineLines, report } from './report/report.js';
import { measureRounds } from './rounds.js';
import { checkService } from './service/check.js';
import { Service } from './service/service.js';
import { floorOf, summarise } from './summary.js';
import { measureTls } from './tls.js';
import { visit } from './visit.js';

const options = readOptions();
const { cells, rounds, durations } = options;
const project = createProject(options);
const service = await Service.start(project);
await checkService(service.origin);

const floor = await proven(FLOOR, project, service);
const clients = await allProven(options.own, project, service);
if (options.against !== undefined) {
  const other = createProject({ installedIn: options.against, built: false });
  clients.push(await proven(OTHER, other, service));
}
if (options.peers.length > 0) clients.push(...(await allProven(options.peers, createPeerProject(), service)));
const measured = await measureRounds(floor, clients, rounds, (client) => visit(client, cells, service, durations));
await service.stop();
const tls = options.tls ? await measureTls(project, options) : undefined;

const words = process.argv.slice(2).map((word) => (word.includes(' ') ? `'${word}'` : word));
const command = ['npm run bench --', ...words].join(' ');
const results = { cells, rounds, calls: summarise(measured), floor: floorOf(measured), tls };
const text = report(machineLines(project, options.installedIn), command, results);
console.log(text);
if (options.write) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), text);
