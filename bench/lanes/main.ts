/**
 * The lanes' bench: `npm run bench:lanes -- [scenario…] [--short] [--package DIR]`. See bench/README.md.
 */
import { runScenarios, scale } from '../scenarios.js';
import { leases } from './cases/leases.js';
import { order } from './cases/order.js';
import { outage } from './cases/outage.js';
import { shared } from './cases/shared.js';
import { slow } from './cases/slow.js';
import { waiting } from './cases/waiting.js';

await runScenarios(
  {
    order: { title: '64 calls in flight, one API key', run: order },
    outage: { title: 'Every answer 503, 64 callers', run: outage },
    slow: { title: 'some answers take longer than the rest', run: slow },
    leases: { title: '4 processes, 8 API keys by leases', run: leases },
    shared: { title: '8 processes, 4 API keys in turns', run: shared },
    waiting: { title: '10,000 calls waiting in a lane', run: waiting },
  },
  (short) => (short ? scale(3, 1 / 5) : scale(5)),
);
