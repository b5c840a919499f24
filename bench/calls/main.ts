/** The bench of calls: `npm run bench -- [--short] [--node 20,24,26] …`. See bench/README.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodesOf } from '../nodes.js';
import { createProject, createStripeProject } from '../project.js';
import { type Cell, TLS_CELLS } from './cells.js';
import { type Contest, contest, type Projects, prove, tlsContest } from './clients.js';
import { readOptions } from './options.js';
import { machineLines, tableOf } from './report.js';
import { type Figures, measureWarm, measureYoung, type Scale } from './rounds.js';
import { checkService } from './service/check.js';
import { Service } from './service/service.js';

const { nodes, cells, tls, scale, packages, write } = readOptions();
const projects: Projects = {
  packages: packages.map(({ name, source }) => ({ name, project: createProject(source) })),
  stripe: createStripeProject(),
};
const sections: string[] = [];
for (const node of nodesOf(nodes)) {
  if (cells.length > 0) {
    const service = await Service.start(projects.stripe);
    await checkService(service.origin);
    sections.push(await measured(contest(node, service, projects), cells, scale));
  }
  if (tls) {
    const service = await Service.startOverTls(projects.stripe);
    sections.push(await measured(tlsContest(node, service, projects), TLS_CELLS, { ...scale, rounds: 0 }));
  }
}

const command = ['npm run bench', ...process.argv.slice(2)].join(' ').replace('bench ', 'bench -- ');
const head = `# Results\n\n\`${command}\`; what the figures mean is in [README.md](../README.md).`;
if (write)
  writeFileSync(join(import.meta.dirname, 'RESULTS.md'), `${[head, machineLines(), ...sections].join('\n\n')}\n`);

/** Returns the table, which is printed at once. */
async function measured(contest: Contest, cells: readonly Cell[], scale: Scale): Promise<string> {
  const figures: Figures = new Map();
  try {
    await prove(contest);
    await measureYoung(contest, cells, scale, figures);
    await measureWarm(contest, cells, scale, figures);
  } finally {
    await contest.service.stop();
  }
  const table = tableOf(contest, cells, figures);
  console.log(`${table}\n`);
  return table;
}
