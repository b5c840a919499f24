/**
 * The lanes' bench: `npm run bench:lanes -- [scenario…] [--short] [--package DIR]`. See bench/README.md.
 */
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { leases } from './leases.js';
import { order } from './order.js';
import { outage } from './outage.js';
import { measured, measureInstalled } from './sdk.js';
import { shared } from './shared.js';
import { slow } from './slow.js';
import { waiting } from './waiting.js';

/** How long a run may take. */
export interface Scale {
  /** Rounds of each variant, interleaved with those of the others. */
  readonly rounds: number;
  /** The seconds of a load, shortened with `--short`. */
  seconds(full: number): number;
}

const SCENARIOS: Readonly<Record<string, { readonly title: string; readonly run: (scale: Scale) => Promise<void> }>> = {
  order: { title: '64 calls in flight, one API key', run: order },
  outage: { title: 'Every answer 503, 64 callers', run: outage },
  slow: { title: 'some answers take longer than the rest', run: slow },
  leases: { title: '4 processes, 8 API keys by leases', run: leases },
  shared: { title: '8 processes, 4 API keys in turns', run: shared },
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

const scale: Scale = {
  rounds: values.short ? 3 : 5,
  seconds: (full) => (values.short ? Math.max(1, full / 5) : full),
};

console.log(`${measured()}, Node ${process.versions.node}, ${cpus().length} cores${values.short ? ', short' : ''}\n`);
for (const [name, { title, run }] of Object.entries(SCENARIOS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`### ${name}: ${title}\n`);
  await run(scale);
  console.log();
}
