/** The first answer of a process: `npm run bench:start -- [--pairs N] [--node 20,24,26] [--package PATH]`. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ACCOUNT, API_KEY, API_SECRET, EVIDENCE, PAGE_URL, QUOTE, QUOTE_PATH } from '../calls/measured/requests.js';
import { Service } from '../calls/service/service.js';
import { figure, median, table } from '../figures.js';
import { NODES, type Node, nodesOf } from '../nodes.js';
import { createProject, createStripeProject } from '../project.js';
import { FORMS, type Form, fileOf, makeForms } from './forms.js';
import { measureInTurn, type Program, ratioOf, type Times } from './pairs.js';

const READS = [
  { name: 'a quote', path: QUOTE_PATH, id: QUOTE, evidence: EVIDENCE.quote },
  { name: 'a page', path: PAGE_URL, id: '', evidence: EVIDENCE.page },
] as const;

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '25' },
    node: { type: 'string', default: NODES },
    package: { type: 'string' },
  },
});
const pairs = Number(values.pairs);
if (!Number.isSafeInteger(pairs) || pairs < 1) throw new Error(`--pairs ${values.pairs}: must be a positive integer`);

const project = createProject(values.package);
const stripe = createStripeProject();
const PROGRAMS = { client: project, undici: project, stripe };
for (const [name, directory] of Object.entries(PROGRAMS)) makeForms(directory, name);
const service = await Service.start(project);
try {
  console.log(
    `partner-sdk / undici / stripe: ${pairs} rounds of processes in turns, medians; the ratios of partner-sdk to the two`,
  );
  console.log('others are medians of the rounds.\n');
  for (const node of nodesOf(values.node)) console.log(`${table(rowsOf(node))}\n`);
} finally {
  await service.stop();
}

function rowsOf(node: Node): Record<string, string>[] {
  return (Object.keys(FORMS) as Form[]).flatMap((form) =>
    READS.flatMap((read) => {
      const plain = programsOf(node, form, read);
      const cache = join(project, `cache-${node.version}`);
      const cached = keepsCode(node) ? plain.map((program) => ({ ...program, cache })) : [];
      const measured = measureInTurn([...plain, ...cached], pairs);
      const title = `${form}, ${read.name}`;
      const rows = [row(node, title, measured.slice(0, plain.length), measured)];
      if (cached.length > 0) rows.push(row(node, `${title}, compile cache`, measured.slice(plain.length), measured));
      return rows;
    }),
  );
}

/** Ours first. */
function programsOf({ command }: Node, form: Form, { path, id, evidence }: (typeof READS)[number]): Program[] {
  const args = [service.origin, path, API_KEY, API_SECRET, ACCOUNT, id];
  return Object.entries(PROGRAMS).map(([name, directory]) => ({
    command,
    file: fileOf(directory, name, form),
    args,
    evidence,
  }));
}

/** Node 22.1 and newer can keep compiled code between processes. */
function keepsCode({ version }: Node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 1);
}

function row({ version }: Node, name: string, figures: readonly Times[][], [plain = []]: readonly Times[][]) {
  const times = (key: keyof Times) => figures.map((one) => figure(median(one.map((time) => time[key])))).join(' / ');
  const [ours = [], ...others] = figures;
  const ratios = (key: keyof Times) => others.map((other) => figure(ratioOf(ours, other, key), 2)).join(' / ');
  return {
    [`Node ${version}`]: name,
    'first answer, ms': times('milliseconds'),
    ratios: ratios('milliseconds'),
    'to no cache': ours === plain ? '1' : figure(ratioOf(ours, plain, 'milliseconds'), 2),
    'CPU until then, ms': times('cpu'),
    'ratios of CPU': ratios('cpu'),
    'CPU to no cache': ours === plain ? '1' : figure(ratioOf(ours, plain, 'cpu'), 2),
    'whole process, ms': times('whole'),
    'ratios of it': ratios('whole'),
  };
}
