import type { Random } from '../../core/basics/random.js';
import type { StrikingFault } from './fault-options.js';
import { FAULT_NAMES, FAULTS } from './fault-table.js';

/** `Retry-After` in seconds of a status in chaos: the service is available again soon. */
const RETRY_AFTER_SECONDS = 1;

/** The faults of chaos, all with the same probability. */
const CHAOS: readonly StrikingFault[] = [
  { when: 'before', fault: 429 },
  { when: 'before', fault: 429, retryAfterSeconds: RETRY_AFTER_SECONDS },
  { when: 'before', fault: 503 },
  { when: 'before', fault: 503, retryAfterSeconds: RETRY_AFTER_SECONDS },
  { when: 'after', fault: 503 },
  { when: 'after', fault: 504 },
  ...FAULT_NAMES.flatMap((fault) => FAULTS[fault].chaos.map((entry) => ({ ...entry, fault }))),
];

/** Draws the fault of a request, if any. One draw decides for both `before` and `after`. */
export function drawChaos(probability: number, random: Random): StrikingFault | undefined {
  const drawn = random.fraction();
  return drawn < probability ? CHAOS[Math.floor((drawn / probability) * CHAOS.length)] : undefined;
}
