/**
 * The bench of scale: `npm run bench:scale -- [scenario…] [--short] [--package DIR]`. See bench/scale/README.md.
 */

import { waiting } from '../lanes/cases/waiting.js';
import { runScenarios, scale } from '../scenarios.js';
import { clients } from './clients.js';
import { iterate } from './iterate.js';

await runScenarios(
  {
    iterate: { title: 'a list of 1,000,000 items', run: iterate },
    clients: { title: '500 clients, one per API key', run: clients },
    waiting: { title: '10,000 calls waiting in a lane', run: waiting },
  },
  (short) => (short ? scale(1, 0.1) : scale(5)),
);
