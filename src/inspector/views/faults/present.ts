import type { SandboxKey } from '../../../sandbox/controls/keys.js';
import type { SandboxTradeLimits } from '../../../sandbox/controls/market/assets.js';
import type { Fault } from '../../../sandbox/faults/faults.js';
import type { ExecutionTimes } from '../../../sandbox/lifecycles/execution-times.js';
import type { LatencySetting } from '../../../sandbox/request/latency.js';
import type { Scenario } from '../../../sandbox/scenarios/scenarios.js';
import type { TimelineEntry } from '../../../sandbox/timeline/entries.js';
import type { OutcomeAhead } from '../../../sandbox/trouble/outcomes.js';
import type { WebhookFault } from '../../../sandbox/webhooks/faults/webhook-faults.js';
import { useLiveReading } from '../../parts/hooks.js';
import type { Live } from '../../wire/live.js';

/** A fault as JSON has it. */
export type ListedFault = Omit<Fault, 'left'> & {
  /** `null`: without end. */
  readonly left: number | null;
};

/** What is set in the sandbox, by the paths of the control plane. */
export interface Present {
  readonly scenarios: readonly Scenario[];
  readonly faults: readonly ListedFault[];
  readonly next: readonly (Omit<OutcomeAhead, 'left'> & Pick<ListedFault, 'left'>)[];
  readonly 'webhooks/faults': readonly WebhookFault[];
  readonly latency: readonly LatencySetting[];
  readonly keys: readonly SandboxKey[];
  readonly 'prices/moving': boolean;
  readonly otp: string | null;
  readonly executionTimes: ExecutionTimes;
  readonly 'assets/tradeLimits': readonly SandboxTradeLimits[];
}

/** Entries after which another thing may be set. */
const CHANGING: readonly TimelineEntry['kind'][] = ['fault', 'control', 'clock'];

/** Some of it changes without an entry: by time, or by a method that a program calls. */
const POLL_MS = 1_000;

interface PresentReading {
  /** Undefined until all of it is read. */
  readonly present: Present | undefined;
  readonly problem: string | undefined;
  again(): void;
}

/** Reads a path that tells what is set, and again when it may be another. */
export const useSet = <Path extends keyof Present>(live: Live, path: Path) =>
  useLiveReading<Present[Path]>(live, path, CHANGING, undefined, POLL_MS);

export function usePresent(live: Live): PresentReading {
  const readings = {
    scenarios: useSet(live, 'scenarios'),
    faults: useSet(live, 'faults'),
    next: useSet(live, 'next'),
    'webhooks/faults': useSet(live, 'webhooks/faults'),
    latency: useSet(live, 'latency'),
    keys: useSet(live, 'keys'),
    'prices/moving': useSet(live, 'prices/moving'),
    otp: useSet(live, 'otp'),
    executionTimes: useSet(live, 'executionTimes'),
    'assets/tradeLimits': useSet(live, 'assets/tradeLimits'),
  };
  const all = Object.entries(readings);
  const isRead = all.every(([, { data }]) => data !== undefined);
  return {
    present: isRead
      ? (Object.fromEntries(all.map(([path, { data }]) => [path, data])) as unknown as Present)
      : undefined,
    problem: all.find(([, { problem }]) => problem !== undefined)?.[1].problem,
    again() {
      for (const [, reading] of all) reading.again();
    },
  };
}
