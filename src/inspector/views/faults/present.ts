import type { SandboxKey } from '../../../sandbox/drive/keys.js';
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
import { useReading } from '../../parts/hooks.js';

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

const PATHS = [
  ...(['scenarios', 'faults', 'outcomes', 'webhooks/faults', 'latency', 'keys', 'prices/moving', 'otp'] as const),
  ...(['executionTimes', 'assets/tradeLimits', 'webhooks', 'fixtures'] as const),
];

/** Reads what is set. Undefined until all of it is read. */
export function usePresent(): { readonly present: Present | undefined; readonly problem: string | undefined } {
  const readings = PATHS.map((path) => [path, useReading<unknown>(path)] as const);
  const settings = Object.fromEntries(readings.map(([path, { data }]) => [path, data])) as unknown as Present;
  const { userId, accountId } = settings.fixtures ?? {};
  const user = useReading<User>(userId && `users/${userId}`);
  const holdings = useReading<readonly AccountHolding[]>(accountId && `books/holdings/${accountId}`);
  const all = [...readings.map(([, reading]) => reading), user, holdings];
  const customer = {
    state: user.data?.status.state ?? 'ok',
    usd: holdings.data?.find(({ asset }) => asset === 'fiat:USD')?.available ?? '',
  };
  return {
    present: all.every(({ data }) => data !== undefined) ? { ...settings, customer } : undefined,
    problem: all.find(({ problem }) => problem !== undefined)?.problem,
  };
}
