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
import { Details } from './details/details.js';
import { compared } from './details/difference.js';
import { callFilter, clearFilters, entryFilter, Filters, filters, hasFilter, inRange, mode } from './filters.js';
import { CallRow, EntryRow } from './row.js';

/** An entry of any kind, or the newest request of a call. */
interface Row {
  readonly entry: TimelineEntry;
  readonly call?: Call;
}

const known = () => ({ calls: calls.value, entries: live.entries.value });

/** What was shown when the reader stopped the list. */
const paused = signal<ReturnType<typeof known> | undefined>(undefined);

/** One row a call, the newest first, and beside them the story of the one that is open. */
export function Requests() {
  const { id, query } = address.value;
  const found = useFound(filters.text.value);
  const seen = paused.value ?? known();
  const isEverything = mode.value === 'everything';
  const fitting = useMemo(() => seen.calls.filter(callFilter(found)), [seen.calls, query, found]);
  const rows = useMemo((): readonly Row[] => {
    const isIn = inRange();
    if (!isEverything) {
      return fitting.filter(({ last }) => isIn(last.at)).map((call) => ({ entry: call.last, call }));
    }
    const fits = entryFilter(found);
    const entries = seen.entries.filter((entry) => isRow(entry) && isIn(entry.at) && fits(entry));
    return entries.reverse().map((entry) => ({ entry }));
  }, [fitting, seen.entries, isEverything]);
  const all = isEverything ? seen.entries : seen.calls;
  const counts = [rows, all].map(({ length }) => length.toLocaleString('en'));
  const seq = id === undefined ? undefined : Number(id);
  return (
    <Split label="Requests" pane={id !== undefined && <Details key={id} id={id} />}>
      <div class="bar">
        <Filters />
        <Compared />
        <span class="end">
          {[...new Set(counts)].join(' of ')} · <Pause />
        </span>
      </div>
      <Chart calls={fitting} />
      {rows.length === 0 ? (
        <Empty isFiltered={all.length > 0} />
      ) : (
        <DayList
          items={rows}
          label={isEverything ? 'Entries, newest first' : 'Calls, newest first'}
          keyOf={({ entry, call }) => call?.id ?? entry.seq}
          atOf={({ entry }) => entry.at}
          // A call is open whichever of its attempts the address names.
          selected={seq === undefined || isEverything ? seq : callWith(seq)?.id}
          onStep={({ entry }) => step(entry.seq)}
          row={({ entry, call }, state) =>
            call === undefined ? (
              <EntryRow key={entry.seq} entry={entry} {...state} />
            ) : (
              <CallRow key={call.id} call={call} {...state} />
            )
          }
        />
      )}
    </Split>
  );
}

/** The row of a delivery tells of its timer, too. */
const isRow = (entry: TimelineEntry): boolean => entry.kind !== 'timer' || entry.task !== 'webhook.attempt';

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
    paused.value = stopped === undefined ? known() : undefined;
  };
  const title = 'Stop or start the list';
  return (
    <button type="button" class="quiet" aria-pressed={stopped !== undefined} title={title} onClick={toggle}>
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
      {hasFilter() && (
        <button type="button" onClick={clearFilters}>
          Clear the filters
        </button>
      )}
    </p>
  );
}
