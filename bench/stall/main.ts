/** The longest stall of the event loop by one hostile answer: `npm run bench:stall`. See bench/README.md. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Ended } from '../../test/calls/support/hostile-answers-caller.js';
import { HOSTILE_BODIES } from '../../test/calls/support/hostile-bodies.js';
import { Service } from '../../test/support/service.js';
import { table } from '../lanes/figures.js';

const CALLER = join(import.meta.dirname, '../../test/calls/support/hostile-answers-caller.ts');
const ROWS = 5;

const service = await Service.start();
service.script = ({ headers }) => ({ body: HOSTILE_BODIES[headers['x-body'] ?? '']?.() ?? '' });
for (const mode of ['tolerant', 'strict', 'warn']) {
  const args = [service.url, service.apiKey, service.apiSecret, mode, JSON.stringify(Object.keys(HOSTILE_BODIES))];
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, CALLER, ...args]);
  const ends = (JSON.parse(stdout) as Ended[]).sort((a, b) => b.stall - a.stall);
  console.log(`One answer just below 4 MiB, responseValidation '${mode}':\n`);
  table(ends.slice(0, ROWS).map(({ body, operation, stall }) => ({ body, operation, 'stall, ms': Math.round(stall) })));
}
await service.close();
