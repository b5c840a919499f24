import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { DeliverySummary } from '../../../../sandbox/webhooks/controls/summaries.js';
import { Action } from '../../../parts/actions/action.js';
import { type Reading, useAction, useReading } from '../../../parts/hooks.js';
import { hrefOf } from '../../../parts/links/route.js';
import { momentOf, spanOf, timeOf } from '../../../parts/values/format.js';
import { VirtualList } from '../../../parts/virtual-list.js';
import { call } from '../../../wire/api.js';
import { asChoices, Select, webhookChoices } from '../select.js';
import { shortOutcomeOf } from './outcome.js';

/** As in the style sheet. */
const ROW_HEIGHT = 30;

/** Deliveries that are read at first, and that each further look adds. */
const STEP = 500;

/** Which deliveries are listed. Empty text: all. */
export interface Filter {
  readonly q: string;
  readonly status: string;
  readonly kind: string;
  readonly webhookId: string;
  readonly limit: number;
}

export const NO_FILTER: Filter = { q: '', status: '', kind: '', webhookId: '', limit: STEP };

/** Reads the deliveries that fit, and again when something may have changed them. */
export function useDeliveries(filter: Filter): Reading<DeliverySummary[]> {
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return useReading<DeliverySummary[]>(`webhooks/deliverySummaries?${query}`);
}

interface DeliveryListProps {
  readonly reading: Reading<DeliverySummary[]>;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  readonly selected: string | undefined;
  readonly webhooks: readonly WebhookOverview[];
  readonly kinds: readonly string[];
  readonly now: number | undefined;
}

/** The deliveries, newest first, with what narrows them. */
export function DeliveryList({ reading, filter, setFilter, selected, webhooks, kinds, now }: DeliveryListProps) {
  const { data, problem, again } = reading;
  const set = (change: Partial<Filter>): void => setFilter({ ...filter, limit: STEP, ...change });
  if (selected !== undefined) opened.add(selected);
  const place = data?.findIndex(({ id }) => id === selected) ?? -1;
  return (
    <section class="list deliveries" aria-label="Deliveries">
      <search class="bar">
        <input
          type="search"
          placeholder="Search: id, address, text of the body, status"
          aria-label="Search the deliveries"
          value={filter.q}
          onInput={(event) => set({ q: event.currentTarget.value })}
        />
        <Select
          label="Status of the delivery"
          value={filter.status}
          choices={[['', 'every status'], ...asChoices(['pending', 'delivered', 'failed'])]}
          choose={(status) => set({ status })}
        />
        <Select
          label="Kind of the event"
          value={filter.kind}
          choices={[['', 'every kind'], ...asChoices(kinds)]}
          choose={(kind) => set({ kind })}
        />
        <Select
          label="Webhook of the delivery"
          value={filter.webhookId}
          choices={[['', 'every webhook'], ...webhookChoices(webhooks)]}
          choose={(webhookId) => set({ webhookId })}
        />
        <Action label="Retry all failed now" method="webhooks/retryFailed" onDone={again} done="attempted" />
        <RedeliverAll deliveries={data ?? []} onDone={again} />
      </search>
      {problem !== undefined && <p class="note">{problem}</p>}
      {data === undefined || data.length === 0 ? (
        <p class="empty">{data === undefined ? 'Reading …' : emptyWords(filter)}</p>
      ) : (
        <VirtualList
          items={data}
          rowHeight={ROW_HEIGHT}
          label="Deliveries, newest first"
          selected={place < 0 ? undefined : place}
          row={(one) => <Row key={one.id} delivery={one} now={now} isSelected={one.id === selected} />}
        />
      )}
      {data !== undefined && data.length >= filter.limit && (
        <button type="button" class="more" onClick={() => setFilter({ ...filter, limit: filter.limit + STEP })}>
          These are the newest {data.length}. Show older ones
        </button>
      )}
    </section>
  );
}

interface RedeliverAllProps {
  readonly deliveries: readonly DeliverySummary[];
  onDone(): void;
}

/** Sends all that is listed once more, one after the other, oldest first. */
function RedeliverAll({ deliveries, onDone }: RedeliverAllProps) {
  const { said, run } = useAction();
  const redeliver = async (): Promise<void> => {
    for (const { id } of deliveries.toReversed()) await call('webhooks/redeliver', id);
    onDone();
  };
  return (
    <span class="action">
      <button type="button" disabled={deliveries.length === 0} onClick={() => run(redeliver, 'attempted')}>
        Redeliver {deliveries.length === 1 ? 'the one' : `all ${deliveries.length}`} listed
      </button>
      <span role="status">{said}</span>
    </span>
  );
}

function emptyWords({ limit: _, ...filter }: Filter): string {
  if (Object.values(filter).some((value) => value !== '')) return 'No delivery fits.';
  return 'Nothing was delivered yet. Register a webhook, then send an event.';
}

interface RowProps {
  readonly delivery: DeliverySummary;
  readonly now: number | undefined;
  readonly isSelected: boolean;
}

/** Deliveries that the reader has opened. The others are marked as unread. */
const opened = new Set<string>();

const TONES = { delivered: 'good', pending: 'warn', failed: 'bad' } as const;

function Row({ delivery, now, isSelected }: RowProps) {
  const { id, type, status, attempts, last, nextAttemptAt } = delivery;
  const at = last?.at ?? nextAttemptAt ?? 0;
  const isUnread = !isSelected && !opened.has(id);
  return (
    <li>
      <a
        class={isUnread ? 'row delivery is-unread' : 'row delivery'}
        href={hrefOf('webhooks', id)}
        aria-current={isSelected ? 'true' : undefined}
      >
        <span class="time" title={momentOf(at)}>
          {timeOf(at).slice(0, 8)}
          <span class="millis">{timeOf(at).slice(8)}</span>
        </span>
        <span class={`tone-${TONES[status]}`}>{status}</span>
        <span class="what">
          <span class="title">{type}</span>
          <span class="detail">
            {attempts > 1 && `${attempts} attempts · `}
            {status === 'pending' && nextAttemptAt !== undefined && `next ${dueWords(nextAttemptAt, now)} · `}
            {last === undefined ? 'not attempted yet' : `${shortOutcomeOf(last)} · ${last.url}`}
          </span>
        </span>
      </a>
    </li>
  );
}

/** When something comes, by the sandbox's clock. */
export function dueWords(at: number, now: number | undefined): string {
  if (now === undefined) return timeOf(at);
  return at <= now ? 'now' : `in ${spanOf(at - now)}`;
}
