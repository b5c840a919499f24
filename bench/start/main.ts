/** The first answer of a process: `npm run bench:start -- [--pairs N] [--node MAJOR]… [--package DIR] [--built]`. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ACCOUNT, API_KEY, API_SECRET, EVIDENCE, PAGE_URL, QUOTE, QUOTE_PATH } from '../calls/measured/requests.js';
import { Service } from '../calls/service/service.js';
import { figure, table } from '../figures.js';
import { createProject, installApart } from '../project.js';
import { type Figures, measureInTurn, type Program, type Times } from './pairs.js';

const FORMS = { 'ES module': 'mjs', CommonJS: 'cjs' };

/** What is read, and at most which part of undici's and stripe's process the client's should take. */
const READS = [
  { name: 'a quote', path: QUOTE_PATH, id: QUOTE, evidence: EVIDENCE.quote, goals: { undici: 0.8, stripe: 1.15 } },
  { name: 'a page', path: PAGE_URL, id: '', evidence: EVIDENCE.page, goals: { undici: undefined, stripe: 1.25 } },
] as const;

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '25' },
    node: { type: 'string', multiple: true, default: [] },
    package: { type: 'string' },
    built: { type: 'boolean', default: false },
  },
});
const pairs = Number(values.pairs);
if (!Number.isSafeInteger(pairs) || pairs < 1) throw new Error(`--pairs ${values.pairs}: must be a positive integer`);

const installedIn = values.package === undefined ? undefined : resolve(values.package);
const project = withPrograms(createProject({ installedIn, built: values.built }));
const stripeProject = withPrograms(installApart([`stripe@${versionOf('stripe')}`]));
const service = await Service.start(project);
try {
  const rows = nodes().flatMap(({ name, command }) =>
    Object.entries(FORMS).flatMap(([form, extension]) =>
      READS.flatMap((read) => {
        const title = `${name}, ${form}, ${read.name}`;
        const programs = programsOf(command, extension, read);
        const plain = row(title, measureInTurn(programs, pairs));
        if (!keepsCode(command)) return [plain];
        const cached = programs.map((program) => ({ ...program, cache: join(project, `cache-${name}-${extension}`) }));
        return [plain, row(`${title}, compile cache`, measureInTurn(cached, pairs))];
      }),
    ),
  );
  console.log(
    `partner-sdk / undici / stripe: ${pairs} rounds of processes in turns, medians; the ratios of partner-sdk to the two`,
  );
  console.log('others are medians of the rounds.\n');
  console.log(`${table(rows)}\n`);
  for (const { name, goals } of READS) {
    const toUndici = goals.undici === undefined ? '' : `${goals.undici} of the bare request and `;
    console.log(`Goal for ${name}: at most ${toUndici}${goals.stripe} of stripe.`);
  }
} finally {
  await service.stop();
}

/** Copies the measured programs into a project. Returns its directory. */
function withPrograms(directory: string): string {
  cpSync(join(import.meta.dirname, 'programs'), join(directory, 'programs'), { recursive: true });
  return directory;
}

function versionOf(name: string): string | undefined {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return dependencies[name];
}

/** Ours first. */
function programsOf(command: string, extension: string, { path, id, evidence }: (typeof READS)[number]): Program[] {
  const of = (directory: string, name: string, args: readonly string[]): Program => ({
    command,
    file: join(directory, `programs/${name}.${extension}`),
    args,
    evidence,
  });
  return [
    of(project, 'client', [service.origin, API_KEY, API_SECRET, ACCOUNT, id]),
    of(project, 'undici', [service.origin + path]),
    of(stripeProject, 'stripe', [service.origin, path]),
  ];
}

/** Those of npm: they are installed into a project of their own. */
function nodes(): { name: string; command: string }[] {
  if (values.node.length === 0) return [{ name: `Node ${process.versions.node}`, command: process.execPath }];
  const directory = installApart(values.node.map((major) => `node-${major}@npm:node-linux-${process.arch}@${major}`));
  return values.node.map((major) => ({
    name: `Node ${major}`,
    command: join(directory, `node_modules/node-${major}/bin/node`),
  }));
}

/** Node 22.8 and newer can keep compiled code between processes. */
function keepsCode(command: string): boolean {
  const asked = "typeof require('node:module').enableCompileCache";
  return execFileSync(command, ['--print', asked], { encoding: 'utf8' }).trim() === 'function';
}

function row(name: string, figures: readonly Figures[]): Record<string, string> {
  const times = (key: keyof Times) => figures.map((one) => figure(one.times[key])).join(' / ');
  const ratios = (key: keyof Times) =>
    figures
      .slice(1)
      .map((one) => figure(one.ratio[key], 2))
      .join(' / ');
  return {
    process: name,
    'first answer, ms': times('milliseconds'),
    ratios: ratios('milliseconds'),
    'CPU until then, ms': times('cpu'),
    'ratios of CPU': ratios('cpu'),
    'whole process, ms': times('whole'),
    'ratios of it': ratios('whole'),
  };
}
