import { useEffect, useRef } from 'preact/hooks';
import type { SandboxKey } from '../../../sandbox/drive/keys.js';
import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import type { SandboxTradeLimits } from '../../../sandbox/kinds/assets/assets.js';
import type { AccountHolding } from '../../../sandbox/kinds/registry/books.js';
import type { ExecutionTimes } from '../../../sandbox/kinds/registry/execution-times.js';
import type { SandboxFixtures } from '../../../sandbox/kinds/seed/fixtures.js';
import type { Fault } from '../../../sandbox/trouble/faults/faults.js';
import type { Scenario } from '../../../sandbox/trouble/scenarios/scenarios.js';
import type { LatencySetting } from '../../../sandbox/trouble/settings/latency.js';
import type { OutcomeAhead } from '../../../sandbox/trouble/settings/outcomes.js';
import type { WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { WebhookFault } from '../../../sandbox/webhooks/delivery/delivery-fault.js';
import { useLiveReading, useReading } from '../../parts/hooks.js';
import type { Live } from '../../wire/live.js';

/** A fault as JSON has it. */
export type ListedFault = Omit<Fault, 'left'> & {
  /** `null`: without end. */
  readonly left: number | null;
};

/** Settings of the sandbox, by the paths of the control plane. */
export interface Present {
  readonly scenarios: readonly Scenario[];
  readonly faults: readonly ListedFault[];
  readonly outcomes: readonly (Omit<OutcomeAhead, 'left'> & Pick<ListedFault, 'left'>)[];
  readonly 'webhooks/faults': readonly WebhookFault[];
  readonly latency: readonly LatencySetting[];
  readonly keys: readonly SandboxKey[];
  readonly 'prices/moving': boolean;
  readonly otp: string | null;
  readonly executionTimes: ExecutionTimes;
  readonly 'assets/tradeLimits': readonly SandboxTradeLimits[];
  readonly webhooks: readonly WebhookOverview[];
  readonly fixtures: SandboxFixtures;
  /** State of the fixtures' user and account that troubles change. */
  readonly customer: Customer;
}

interface Customer {
  readonly state: string;
  /** Available US dollars. */
  readonly usd: string;
}

/** The needed members of a user. */
interface User {
  readonly status: { readonly state: string };
}

/** The members that are read of it. */
type Settings = Omit<Present, 'fixtures' | 'customer'>;

/** Entries after which another thing may be set. */
const CHANGING: readonly TimelineEntry['kind'][] = ['fault', 'control', 'clock', 'timer'];

/** Settings that a program's methods change without an entry. They are read again in turn. */
const IN_TURN = [
  ...(['latency', 'keys', 'prices/moving', 'otp', 'executionTimes', 'assets/tradeLimits', 'webhooks'] as const),
];

/** Time in ms between two of these readings. */
const TURN_MS = 500;

interface PresentReading {
  /** Undefined until all of it is read. */
  readonly present: Present | undefined;
  readonly problem: string | undefined;
  again(): void;
}

/** Reads a path that tells what is set, and again when it may be another. */
export const useSet = <Path extends keyof Settings>(live: Live, path: Path) =>
  useLiveReading<Settings[Path]>(live, path, CHANGING);

/** Reads the user and the account of the fixtures. */
function useCustomer(live: Live) {
  const fixtures = useReading<SandboxFixtures>('fixtures');
  const path = (start: string, id: string | undefined) => (id === undefined ? undefined : `${start}/${id}`);
  const { userId, accountId } = fixtures.data ?? {};
  return {
    fixtures,
    user: useLiveReading<User>(live, path('users', userId), [...CHANGING, 'change']),
    holdings: useLiveReading<readonly AccountHolding[]>(live, path('books/holdings', accountId), [
      ...CHANGING,
      'posting',
    ]),
  };
}

const customerOf = (user: User | undefined, holdings: readonly AccountHolding[] = []): Customer => ({
  state: user?.status.state ?? 'ok',
  usd: holdings.find(({ asset }) => asset === 'fiat:USD')?.available ?? '',
});

export function usePresent(live: Live): PresentReading {
  const readings = {
    scenarios: useSet(live, 'scenarios'),
    faults: useSet(live, 'faults'),
    outcomes: useSet(live, 'outcomes'),
    'webhooks/faults': useSet(live, 'webhooks/faults'),
    latency: useSet(live, 'latency'),
    keys: useSet(live, 'keys'),
    'prices/moving': useSet(live, 'prices/moving'),
    otp: useSet(live, 'otp'),
    executionTimes: useSet(live, 'executionTimes'),
    'assets/tradeLimits': useSet(live, 'assets/tradeLimits'),
    webhooks: useSet(live, 'webhooks'),
    ...useCustomer(live),
  };
  const newest = useRef(readings);
  newest.current = readings;
  useEffect(() => {
    let turn = 0;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      const path = IN_TURN[turn++ % IN_TURN.length];
      if (path !== undefined) newest.current[path].again();
    }, TURN_MS);
    return () => clearInterval(timer);
  }, []);
  const all = Object.entries(readings);
  const isRead = all.every(([, { data }]) => data !== undefined);
  return {
    present: isRead
      ? ({
          ...Object.fromEntries(all.map(([path, { data }]) => [path, data])),
          customer: customerOf(readings.user.data, readings.holdings.data),
        } as unknown as Present)
      : undefined,
    problem: all.find(([, { problem }]) => problem !== undefined)?.[1].problem,
    again() {
      for (const [, reading] of all) reading.again();
    },
  };
}
