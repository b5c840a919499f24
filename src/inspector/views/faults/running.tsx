import type { Fault } from '../../../sandbox/trouble/faults/faults.js';
import type { Scenario } from '../../../sandbox/trouble/scenarios/scenarios.js';
import type { OutcomeAhead } from '../../../sandbox/trouble/settings/outcomes.js';
import type { WebhookFault } from '../../../sandbox/webhooks/delivery/delivery-fault.js';
import { Action, Removal } from '../../parts/actions/action.js';
import { useReading } from '../../parts/hooks.js';
import { Panel, ReadingState } from '../../parts/panel.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { Table } from '../../parts/table.js';
import { spanOf } from '../../parts/values/format.js';

/** A count as JSON has it. `null`: without end. */
type Left = number | 'always' | null;

type ListedFault = Omit<Fault, 'left'> & { readonly left: Left };
type ListedOutcome = Omit<OutcomeAhead, 'left'> & { readonly left: Left };

/** A fault, outcome or scenario that applies to later requests. The header counts the same. */
interface Trouble {
  readonly collection: 'scenarios' | 'faults' | 'outcomes' | 'webhooks/faults';
  readonly id: string;
  /** What goes wrong. */
  readonly what: string;
  /** The requests or deliveries that it applies to. */
  readonly target: string;
  /** Undefined: nothing counts it. */
  readonly applied?: number | undefined;
  readonly left?: Left | undefined;
  /** When it was added, by the machine's clock. */
  readonly added?: number | undefined;
  /** Moments by the sandbox's clock. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** All that runs, in one list: scenarios first. */
export function Running() {
  const scenarios = useReading<readonly Scenario[]>('scenarios');
  const faults = useReading<readonly ListedFault[]>('faults');
  const outcomes = useReading<readonly ListedOutcome[]>('outcomes');
  const webhooks = useReading<readonly WebhookFault[]>('webhooks/faults');
  const now = useSandboxNow() ?? 0;
  const readings = [scenarios, faults, outcomes, webhooks];
  const unread = readings.find(({ data, problem }) => data === undefined || problem !== undefined);
  const troubles = [
    ...(scenarios.data ?? []).filter(({ running }) => running).map((one) => scenarioTrouble(one, faults.data ?? [])),
    ...(faults.data ?? []).filter(({ scenario }) => scenario === undefined).map(faultTrouble),
    ...(outcomes.data ?? []).map(outcomeTrouble),
    ...(webhooks.data ?? []).map(webhookTrouble),
  ];
  return (
    <Panel
      title="Running now"
      hint="These apply to the next requests and deliveries. If several faults match, the oldest applies."
    >
      {unread !== undefined && <ReadingState reading={unread} />}
      {readings.every(({ data }) => data !== undefined) && (
        <Table
          caption="Running scenarios and faults"
          rows={troubles}
          keyOf={({ collection, id }) => `${collection} ${id}`}
          empty="No fault is active: every request is answered as it should be."
          columns={[
            { title: 'fault', cell: ({ what }) => what },
            { title: 'stop', cell: ({ collection, id }) => <Removal label="Stop" of={id} {...{ collection, id }} /> },
            { title: 'matches', cell: ({ target }) => target },
            { title: 'applied', isNumber: true, cell: ({ applied }) => applied },
            { title: 'left', isNumber: true, cell: ({ left }) => (left === null ? 'always' : left) },
            { title: 'age', isNumber: true, cell: ({ added }) => added && spanOf(Math.max(0, Date.now() - added)) },
            { title: 'time', cell: (trouble) => timeOf(trouble, now) },
            { title: 'id', cell: ({ id }) => id },
          ]}
        />
      )}
      <p class="actions">
        {STOP_ALL.filter(({ collection }) => troubles.some((one) => one.collection === collection)).map(
          ({ label, method }) => (
            <Action key={method} label={label} method={method} />
          ),
        )}
      </p>
    </Panel>
  );
}

const STOP_ALL = [
  { collection: 'scenarios', label: 'Stop all scenarios', method: 'scenarios/stopAll' },
  { collection: 'faults', label: 'Stop all faults', method: 'faults/clear' },
  { collection: 'outcomes', label: 'Stop all outcomes', method: 'outcomes/clear' },
  { collection: 'webhooks/faults', label: 'Stop all bad deliveries', method: 'webhooks/faults/clear' },
] as const;

/** The faults of a scenario count the requests that it applied to. */
function scenarioTrouble({ name, until }: Scenario, faults: readonly ListedFault[]): Trouble {
  const own = faults.filter(({ scenario }) => scenario === name);
  const applied = own.length === 0 ? undefined : own.reduce((sum, fault) => sum + fault.applied, 0);
  return { collection: 'scenarios', id: name, what: name, target: 'scenario', applied, until };
}

function faultTrouble(one: ListedFault): Trouble {
  const { id, fault, when, code, retryAfterSeconds, bytesPerSecond, operation, match, probability } = one;
  const what = [
    fault,
    when && `${when} the effect`,
    code,
    retryAfterSeconds !== undefined && `Retry-After ${retryAfterSeconds}`,
    bytesPerSecond !== undefined && `${bytesPerSecond} bytes/s`,
  ];
  const target = [operation ?? 'every request', membersText({ ...match, probability })];
  const { applied, left, real: added, from, until } = one;
  return { collection: 'faults', id, what: joined(what), target: joined(target), applied, left, added, from, until };
}

function outcomeTrouble({
  id,
  operation,
  outcome,
  account,
  ms,
  reason,
  applied,
  left,
  real: added,
}: ListedOutcome): Trouble {
  const what = joined([outcome, membersText({ ms, reason })]);
  const target = joined([`effects of ${operation}`, membersText({ account })]);
  return { collection: 'outcomes', id, what, target, applied, left, added };
}

function webhookTrouble({
  id,
  applied,
  left,
  kind,
  webhookId,
  eventId,
  probability,
  ...effects
}: WebhookFault): Trouble {
  const target = joined(['deliveries', membersText({ kind, webhookId, eventId, probability })]);
  return { collection: 'webhooks/faults', id, what: membersText(effects), target, applied, left };
}

const joined = (parts: readonly unknown[]): string => parts.filter(Boolean).join(' · ');

/** For example `account AA3 · ms 500`. */
const membersText = (members: object): string =>
  joined(Object.entries(members).map(([name, value]) => value !== undefined && `${name} ${value}`));

function timeOf({ from, until }: Trouble, now: number): string {
  if (from !== undefined && from > now) return `begins in ${spanOf(from - now)}`;
  return until === undefined ? 'until it is stopped' : `ends in ${spanOf(Math.max(0, until - now))}`;
}
