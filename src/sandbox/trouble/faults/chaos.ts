import type { Random } from '../../core/basics/random.js';
import type { StrikingFault } from './fault-options.js';
import { FAULT_NAMES, FAULTS, type MixName } from './fault-table.js';

/** `Retry-After` in seconds of a status in chaos: the service is available again soon. */
const RETRY_AFTER_SECONDS = 1;

/** The statuses of each mix. */
const STATUSES: Readonly<Record<MixName, readonly StrikingFault[]>> = {
  chaos: [
    { when: 'before', fault: 429 },
    { when: 'before', fault: 429, retryAfterSeconds: RETRY_AFTER_SECONDS },
    { when: 'before', fault: 503 },
    { when: 'before', fault: 503, retryAfterSeconds: RETRY_AFTER_SECONDS },
    { when: 'after', fault: 503 },
    { when: 'after', fault: 504 },
  ],
  network: [],
};

/** The faults of each mix, all with the same probability. */
export const MIXES: Readonly<Record<MixName, readonly StrikingFault[]>> = {
  chaos: faultsOf('chaos'),
  network: faultsOf('network'),
};

function faultsOf(mix: MixName): readonly StrikingFault[] {
  return [
    ...STATUSES[mix],
    ...FAULT_NAMES.flatMap((fault) => FAULTS[fault].mixes[mix].map((entry) => ({ ...entry, fault }))),
  ];
}

/** Draws the fault of a request, if any. One draw decides for both `before` and `after`. */
export function drawMixed(
  faults: readonly StrikingFault[],
  probability: number,
  random: Random,
): StrikingFault | undefined {
  const drawn = random.fraction();
  return drawn < probability ? faults[Math.floor((drawn / probability) * faults.length)] : undefined;
}
