/**
 * The bench of scale: `npm run bench:scale -- [scenario…] [--short] [--package DIR]`. See bench/scale/README.md.
 */
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measured, measureInstalled } from '../lanes/sdk.js';
import { waiting } from '../lanes/waiting.js';
import { clients } from './clients.js';
import { iterate } from './iterate.js';

/** How long a run may take. */
export interface Scale {
  readonly rounds: number;
  /** The share of a long list that is iterated. */
  readonly share: number;
}

const SCENARIOS: Readonly<Record<string, { readonly title: string; readonly run: (scale: Scale) => Promise<void> }>> = {
  iterate: { title: 'a list of 1,000,000 items', run: iterate },
  clients: { title: '500 clients, one per API key', run: clients },
  waiting: { title: '10,000 calls waiting in a lane', run: waiting },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, package: { type: 'string' } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(SCENARIOS, name));
if (unknown.length > 0)
  throw new Error(`no scenario ${unknown.join(', ')}; known are ${Object.keys(SCENARIOS).join(', ')}`);
if (values.package !== undefined) measureInstalled(resolve(values.package));

const scale: Scale = values.short ? { rounds: 1, share: 0.1 } : { rounds: 5, share: 1 };

console.log(`${measured()}, Node ${process.versions.node}, ${cpus().length} cores${values.short ? ', short' : ''}\n`);
for (const [name, { title, run }] of Object.entries(SCENARIOS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`### ${name}: ${title}\n`);
  await run(scale);
  console.log();
}
