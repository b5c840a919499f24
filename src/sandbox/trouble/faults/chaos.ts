import type { Random } from '../../core/random.js';
import type { StrikingFault } from './fault-options.js';

/** `Retry-After` under chaos: that of a service which is soon back. */
const RETRY_AFTER_SECONDS = 1;

/** Pace of a slow answer under chaos: most clients with ordinary time limits still get it. */
const BYTES_PER_SECOND = 1_000;

export type MixName = 'chaos' | 'network';

/** `sandbox.faults.chaos` documents the first, the scenario `flaky_network` the second. */
export const MIXES: Readonly<Record<MixName, readonly StrikingFault[]>> = {
  chaos: [
    { when: 'before', fault: 429 },
    { when: 'before', fault: 429, retryAfterSeconds: RETRY_AFTER_SECONDS },
    { when: 'before', fault: 503 },
    { when: 'before', fault: 503, retryAfterSeconds: RETRY_AFTER_SECONDS },
    { when: 'before', fault: 'reset' },
    { when: 'before', fault: 'timeout' },
    { when: 'before', fault: 'html' },
    { when: 'after', fault: 'reset' },
    { when: 'after', fault: 'timeout' },
    { when: 'after', fault: 503 },
    { when: 'after', fault: 504 },
    { when: 'after', fault: 'html' },
    { when: 'after', fault: 'truncate' },
    { when: 'after', fault: 'garbage' },
    { when: 'after', fault: 'content_type' },
    { when: 'after', fault: 'slow', bytesPerSecond: BYTES_PER_SECOND },
  ],
  network: [
    { when: 'before', fault: 'reset' },
    { when: 'after', fault: 'reset' },
    { when: 'before', fault: 'timeout' },
    { when: 'after', fault: 'timeout' },
    { when: 'after', fault: 'truncate' },
  ],
};

/** Draws the fault of a request, if any. One draw serves both `before` and `after`. */
export function drawMixed(
  faults: readonly StrikingFault[],
  probability: number,
  random: Random,
): StrikingFault | undefined {
  const luck = random.fraction();
  return luck < probability ? faults[Math.floor((luck / probability) * faults.length)] : undefined;
}
