/**
 * The bench of scale: `npm run bench:scale -- [scenario…] [--short] [--package DIR]`. See bench/scale/README.md.
 */

import { waiting } from '../lanes/waiting.js';
import { runScenarios } from '../scenarios.js';
import { clients } from './clients.js';
import { iterate } from './iterate.js';

/** How long a run may take. */
export interface Scale {
  readonly rounds: number;
  /** The share of a long list that is iterated. */
  readonly share: number;
}

await runScenarios<Scale>(
  {
    iterate: { title: 'a list of 1,000,000 items', run: iterate },
    clients: { title: '500 clients, one per API key', run: clients },
    waiting: { title: '10,000 calls waiting in a lane', run: waiting },
  },
  (short) => (short ? { rounds: 1, share: 0.1 } : { rounds: 5, share: 1 }),
);
