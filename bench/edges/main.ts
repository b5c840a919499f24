/**
 * The bench behind edges: `npm run bench:edges -- [scenario…] [--short] [--package DIR]`. See bench/README.md. It ends with exit code 1 when
 * an edge is absent and cannot be installed, and when something did not hold that must hold on every machine.
 */
import { loadavg } from 'node:os';
import { runScenarios } from '../scenarios.js';
import { burst } from './cases/burst.js';
import { callers } from './cases/callers.js';
import { jitter } from './cases/jitter.js';
import { goaway, idle, reload } from './cases/sessions.js';
import { steady } from './cases/steady.js';
import { installEdges } from './install.js';
import { Measurer } from './measured.js';
import type { Scale } from './scale.js';
import { Site } from './site.js';
import { allHeld } from './verdict.js';

console.log(`${installEdges().join(', ')}; load ${loadavg()[0]?.toFixed(2)}\n`);
const site = await Site.start();
const measurers: Measurer[] = [];
try {
  await runScenarios<Scale>(
    {
      callers: { title: '64 callers, one API key, 50 ms, one write in ten', run: (scale) => callers(site, scale) },
      steady: { title: '200 calls a second, one API key, 20 ms', run: (scale) => steady(site, scale) },
      burst: { title: '64 calls at once at a client that is cold or has rested', run: (scale) => burst(site, scale) },
      goaway: { title: 'calls that cross GOAWAY', run: (scale) => goaway(site, scale) },
      reload: { title: 'writes and reads while nginx reloads every second', run: (scale) => reload(site, scale) },
      idle: { title: 'an edge that closes idle connections after a second', run: (scale) => idle(site, scale) },
      jitter: { title: '64 callers over a restless link', run: (scale) => jitter(site, scale) },
    },
    (short) => {
      // To start a process takes a second of a busy machine, and a short run has no time for that.
      const measurer = new Measurer(site.backend, short);
      measurers.push(measurer);
      return { short, measurer, seconds: (full, brief) => (short ? brief : full) };
    },
  );
} finally {
  for (const measurer of measurers) await measurer.stop();
  await site.stop();
}
if (!allHeld()) process.exitCode = 1;
