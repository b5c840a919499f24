import { useMemo } from 'preact/hooks';
import { Action } from '../../parts/actions/button.js';
import { asChoices, Picker, Search } from '../../parts/choices.js';
import { stateOf, toneOf, wordsOf, worstOf } from '../../parts/entries/deliveries.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { ReadingState } from '../../parts/pane.js';
import { addressed } from '../../wire/address.js';
import { read } from '../../wire/api.js';
import type { DeliverySummary } from '../../wire/sandbox.js';
import { HookList, type HookRow } from './list.js';
import { endpointChoices, type NameOf, useEndpoints } from './shown.js';

/** Filters of deliveries, by their names in the control plane. All that are set must fit. */
const filters = {
  status: addressed('status'),
  kind: addressed('kind'),
  webhookId: addressed('webhookId'),
  q: addressed('q'),
} as const;

/** Deliveries that are read at first, and that each further look adds. */
const STEP = 500;

const limit = addressed('limit', String(STEP));

type Deliveries = [DeliverySummary, ...DeliverySummary[]];

/**
 * Returns the deliveries of each event in the order in which they were sent, the newest event
 * first.
 */
function eventsIn(newestFirst: readonly DeliverySummary[], isCut: boolean): Deliveries[] {
  const events = new Map<string, Deliveries>();
  for (const one of newestFirst) events.set(one.eventId, [one, ...(events.get(one.eventId) ?? [])]);
  // Some deliveries of the oldest may not have been read.
  return [...events.values()].slice(0, isCut && events.size > 1 ? -1 : undefined);
}

/** A row for each event, with a dot for each receiver. `selected`: id of an event or a delivery. */
export function EventList({ selected }: { readonly selected: string | undefined }) {
  const set = Object.entries({ ...filters, limit }).flatMap(([name, { value }]) =>
    value === '' ? [] : [[name, value]],
  );
  const reading = useReading<DeliverySummary[]>(`webhooks/deliverySummaries?${new URLSearchParams(set)}`);
  const { all, nameOf } = useEndpoints();
  const { data = [] } = reading;
  const isCut = data.length >= Number(limit.value);
  const rows = useMemo(() => eventsIn(data, isCut).map((one) => rowOf(one, nameOf)), [reading.data, all]);
  if (reading.data === undefined) return <ReadingState reading={reading} />;
  if (rows.length === 0) {
    return <p class="empty">{set.length > 1 ? 'No delivery matches the filters.' : 'No event was delivered yet.'}</p>;
  }
  const delivery = data.find(({ id }) => id === selected);
  return (
    <>
      <HookList label="Events, newest first" rows={rows} selected={delivery?.eventId ?? selected} />
      {isCut && (
        <button type="button" class="quiet" onClick={() => limit.set(String(Number(limit.value) + STEP))}>
          Show older events than these {rows.length.toLocaleString('en')}
        </button>
      )}
    </>
  );
}

function rowOf(deliveries: Deliveries, nameOf: NameOf): HookRow {
  const [{ eventId, at, type, about }] = deliveries;
  const dots = deliveries.map((one) => ({ tone: toneOf(one), title: `${nameOf(one.webhookId)}: ${stateOf(one)}` }));
  return { id: eventId, at, title: type, about, dots, words: wordsOf(deliveries), tone: worstOf(deliveries) };
}

/** A chip for each filter, and the search. */
export function EventFilters() {
  const { own, kinds, nameOf } = useEndpoints();
  return (
    <>
      <Picker label="status" filter={filters.status} of={() => asChoices(['pending', 'delivered', 'failed'])} />
      <Picker label="kind" filter={filters.kind} of={() => asChoices(kinds)} />
      <Picker label="endpoint" filter={filters.webhookId} of={() => endpointChoices(own)} shownAs={nameOf} />
      <Search label="Search the deliveries" filter={filters.q} title="Ids, addresses, bodies, statuses, reasons" />
    </>
  );
}

/** Redelivers all that has not arrived, once the reader agrees to how much that is. */
export function RedeliverFailed() {
  const { own } = useEndpoints();
  const enabled = new Set(own.flatMap(({ id, disabled }) => (disabled ? [] : id)));
  const ask = async (): Promise<string> => {
    // More than the sandbox keeps.
    const all = await read<DeliverySummary[]>('webhooks/deliverySummaries', { limit: 1_000_000 });
    const open = all.filter(({ status, webhookId }) => status !== 'delivered' && enabled.has(webhookId));
    const failed = open.filter(({ status }) => status === 'failed').length;
    const countOf = (name: 'eventId' | 'webhookId'): number => new Set(open.map((one) => one[name])).size;
    const what = `${failed} failed and ${open.length - failed} pending deliveries of ${countOf('eventId')} events`;
    return `Redelivers ${what} to ${countOf('webhookId')} endpoints.`;
  };
  return <Action label="Redeliver all failed" method="webhooks/retryFailed" ask={ask} />;
}

/** Sends any event as if it had happened, or a wrong one that a receiver must reject. */
export function Send() {
  const { own, samples, kinds } = useEndpoints();
  return (
    <MethodForm
      label="Send"
      method="webhooks/trigger"
      begin={{ kind: 'quote.executed' }}
      fit={(values) => ({
        hidden: ['options.allowUnknown'],
        choices: { kind: asChoices(kinds), 'options.webhookId': endpointChoices(own) },
        begin: { overrides: samples.find(({ kind }) => kind === values['kind'])?.data },
      })}
    />
  );
}
