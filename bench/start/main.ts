/** The first answer of a process: `npm run bench:start -- [--pairs N] [--node MAJOR]… [--package DIR] [--built]`. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { round, table } from '../lanes/figures.js';
import { ACCOUNT, API_KEY, API_SECRET, QUOTE, QUOTE_PATH } from '../measured/requests.js';
import { createProject, installApart } from '../project.js';
import { Service } from '../service/service.js';
import { type Figures, measurePairs, type Program } from './pairs.js';

const FORMS = { 'ES module': 'mjs', CommonJS: 'cjs' };
/** At most this part of a process that makes one bare `undici.request`. */
const GOAL = 0.95;

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
const project = createProject({ installedIn, built: values.built });
cpSync(join(import.meta.dirname, 'programs'), join(project, 'programs'), { recursive: true });
const service = await Service.start(project);
try {
  const rows = nodes().flatMap(({ name, command }) =>
    Object.entries(FORMS).flatMap(([form, extension]) => {
      const of = (file: string, args: readonly string[]): Program => ({
        command,
        file: join(project, `programs/${file}.${extension}`),
        args,
      });
      const ours = of('client', [service.origin, API_KEY, API_SECRET, ACCOUNT, QUOTE]);
      const bare = of('undici', [service.origin + QUOTE_PATH]);
      const plain = row(`${name}, ${form}`, measurePairs(ours, bare, pairs));
      if (!keepsCode(command)) return [plain];
      const cache = join(project, `cache-${name}-${extension}`);
      return [
        plain,
        row(`${name}, ${form}, compile cache`, measurePairs({ ...ours, cache }, { ...bare, cache }, pairs)),
      ];
    }),
  );
  console.log(`${pairs} pairs of processes in turns, medians; the ratios are medians of the pairs' own.\n`);
  table(rows);
  console.log(`Goal: at most ${GOAL} of the bare request.`);
} finally {
  await service.stop();
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

function row(name: string, { ours, bare, ratio }: Figures): Record<string, string> {
  return {
    process: name,
    'first answer, ms': `${round(ours.milliseconds)} / ${round(bare.milliseconds)}`,
    ratio: round(ratio.milliseconds, 2),
    'CPU until then, ms': `${round(ours.cpu)} / ${round(bare.cpu)}`,
    'ratio of CPU': round(ratio.cpu, 2),
    'whole process, ms': `${round(ours.whole)} / ${round(bare.whole)}`,
    'ratio of it': round(ratio.whole, 2),
  };
}
