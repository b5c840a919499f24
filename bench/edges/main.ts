/**
 * The bench behind edges: `npm run bench:edges -- [scenario…] [--short] [--package DIR]`. See bench/README.md. It ends with exit code 1 when
 * an edge is absent and cannot be installed, and when something did not hold that must hold on every machine.
 */
import { cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { burst } from './cases/burst.js';
import { callers } from './cases/callers.js';
import { jitter } from './cases/jitter.js';
import { goaway, idle, reload } from './cases/sessions.js';
import { steady } from './cases/steady.js';
import { installEdges } from './install.js';
import { Measurer } from './measured.js';
import { measured, measureInstalled } from './sdk.js';
import { Site } from './site.js';
import { allHeld } from './verdict.js';

const SCENARIOS = {
  callers: { title: '64 callers, one API key, 50 ms, one write in ten', run: callers },
  steady: { title: '200 calls a second, one API key, 20 ms', run: steady },
  burst: { title: '64 calls at once at a client that is cold or has rested', run: burst },
  goaway: { title: 'calls that cross GOAWAY', run: goaway },
  reload: { title: 'writes and reads while nginx reloads every second', run: reload },
  idle: { title: 'an edge that closes idle connections after a second', run: idle },
  jitter: { title: '64 callers over a restless link', run: jitter },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, package: { type: 'string' } },
});
const { short } = values;
const unknown = positionals.filter((name) => !Object.hasOwn(SCENARIOS, name));
if (unknown.length > 0)
  throw new Error(`no scenario ${unknown.join(', ')}; known are ${Object.keys(SCENARIOS).join(', ')}`);
if (values.package !== undefined) measureInstalled(resolve(values.package));

console.log(`${installEdges().join(', ')}; load ${loadavg()[0]?.toFixed(2)}\n`);
console.log(`${measured()}, Node ${process.versions.node}, ${cpus().length} cores${short ? ', short' : ''}\n`);
const site = await Site.start();
// To start a process takes a second of a busy machine, and a short run has no time for that.
const measurer = new Measurer(site.backend, short);
try {
  for (const [name, { title, run }] of Object.entries(SCENARIOS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    console.log(`### ${name}: ${title}\n`);
    await run(site, { short, measurer, seconds: (full, brief) => (short ? brief : full) });
    console.log();
  }
} finally {
  await measurer.stop();
  await site.stop();
}
if (!allHeld()) process.exitCode = 1;
