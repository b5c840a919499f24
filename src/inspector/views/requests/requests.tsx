import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Call, calls, callWith } from '../../parts/calls.js';
import { DayList } from '../../parts/day-list.js';
import { Split } from '../../parts/pane.js';
import { useFound } from '../../parts/search.js';
import { address, hrefHere, step } from '../../wire/address.js';
import { live } from '../../wire/live.js';
import type { TimelineEntry } from '../../wire/sandbox.js';
import { Chart } from './chart.js';
import { compared } from './details/actions.js';
import { Details } from './details/details.js';
import { callFilter, clearFilters, entryFilter, filters, hasFilter, inRange, mode } from './filter.js';
import { Filters } from './filters.js';
import { CallRow, EntryRow } from './row.js';

/** A row: a call, or an entry of any kind. */
type Row = { readonly call: Call } | { readonly entry: TimelineEntry };

/** What was shown when the reader stopped the list. */
const paused = signal<{ readonly calls: readonly Call[]; readonly entries: readonly TimelineEntry[] } | undefined>(
  undefined,
);

/** One row a call, the newest first, and beside them the story of the one that is open. */
export function Requests() {
  const { id } = address.value;
  const found = useFound(filters.text.value);
  const seen = paused.value ?? { calls: calls.value, entries: live.entries.value };
  const isEverything = mode.value === 'everything';
  const query = address.value.query.toString();
  const fitting = useMemo(() => seen.calls.filter(callFilter(found)), [seen.calls, query, found]);
  const rows = useMemo((): readonly Row[] => {
    const isIn = inRange();
    if (!isEverything) return fitting.filter(({ last }) => isIn(last.at)).map((call) => ({ call }));
    const fits = entryFilter(found);
    const entries = seen.entries.filter((entry) => isIn(entry.at) && fits(entry));
    return entries.reverse().map((entry) => ({ entry }));
  }, [fitting, seen.entries, isEverything]);
  const requests = useMemo(() => fitting.map(({ last }) => last), [fitting]);
  const shown = rows.length;
  const total = isEverything ? seen.entries.length : seen.calls.length;
  const seq = id === undefined ? undefined : Number(id);
  return (
    <Split label="Requests" pane={id !== undefined && <Details key={id} id={id} />}>
      <div class="bar">
        <Filters />
        <Compared />
        <span class="end">
          {shown === total
            ? total.toLocaleString('en')
            : `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`}
          {' · '}
          <Pause />
        </span>
      </div>
      <Chart requests={requests} />
      {rows.length === 0 ? (
        <Empty isFiltered={total > 0} />
      ) : (
        <DayList
          items={rows}
          label={isEverything ? 'Entries, newest first' : 'Calls, newest first'}
          keyOf={(row) => ('call' in row ? row.call.id : row.entry.seq)}
          atOf={(row) => newestOf(row).at}
          selected={keyOfOpen(seq, isEverything)}
          onStep={(row) => step(newestOf(row).seq)}
          row={(row, state) =>
            'call' in row ? (
              <CallRow key={row.call.id} call={row.call} {...state} />
            ) : (
              <EntryRow key={row.entry.seq} entry={row.entry} {...state} />
            )
          }
        />
      )}
    </Split>
  );
}

const newestOf = (row: Row): TimelineEntry => ('call' in row ? row.call.last : row.entry);

/** A call is open whichever of its attempts the address names. */
function keyOfOpen(seq: number | undefined, isEverything: boolean): string | number | undefined {
  if (seq === undefined || isEverything) return seq;
  return callWith(seq)?.id;
}

/** Names the request with which the next one that is opened will be compared. */
function Compared() {
  const { value, set } = compared;
  if (value === '') return null;
  return (
    <span class="chip is-set">
      <a href={hrefHere(value)} title="Open another request to see the difference">
        comparing with {value}
      </a>
      <button type="button" class="clear" aria-label="Stop comparing" onClick={() => set('')}>
        ✕
      </button>
    </span>
  );
}

/** Stops the list while a reader looks at it, and lets it go on. */
function Pause() {
  const stopped = paused.value;
  const last = stopped?.entries.at(-1)?.seq ?? 0;
  const waiting = live.entries.value.filter(({ seq }) => seq > last).length;
  const toggle = (): void => {
    paused.value = stopped === undefined ? { calls: calls.value, entries: live.entries.value } : undefined;
  };
  return (
    <button
      type="button"
      class="quiet"
      aria-pressed={stopped !== undefined}
      title="Stop or start the list"
      onClick={toggle}
    >
      {stopped === undefined ? 'live' : `paused, ${waiting} new`}
    </button>
  );
}

/** Why there is no row. */
function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (live.isLoading.value) return <p class="empty">Loading …</p>;
  if (!isFiltered) return <p class="empty">Nothing has happened yet. Send a request.</p>;
  return (
    <p class="empty">
      Nothing matches.{' '}
      {filters.text.value !== '' &&
        'The search looks into ids, operations, subjects, holders and reasons, and into the bodies of the newest 1,000 requests. '}
      {hasFilter() && (
        <button type="button" onClick={clearFilters}>
          Clear the filters
        </button>
      )}
    </p>
  );
}
