/** The bench of calls, start and size: `npm run bench -- [--peers] [--short] …`. See bench/README.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureTls } from './calls/tls.js';
import { allProven, FLOOR, OTHER, OURS, proven } from './clients.js';
import { measure } from './measure.js';
import { readOptions } from './options.js';
import { createPeerProject, createProject } from './project.js';
import { machineLines } from './report/machine.js';
import { report } from './report/report.js';
import { checkService } from './service/check.js';
import { Service } from './service/service.js';
import { installedSize } from './size/installed.js';

const options = readOptions();
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
const calls = await measure(floor, clients, service, options);
await service.stop();
const results = options.tls ? { ...calls, tls: await measureTls(project, options.scale) } : calls;

const words = process.argv.slice(2).map((word) => (word.includes(' ') ? `'${word}'` : word));
const command = ['npm run bench --', ...words].join(' ');
const machine = machineLines(options.installedIn, installedSize(project, OURS.package).version);
const text = report(machine, command, results);
console.log(text);
if (options.write) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), text);
