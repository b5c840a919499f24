import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { useAddressed } from '../../parts/addressed.js';
import { useLive } from '../../parts/hooks.js';
import { useKept } from '../../parts/kept.js';
import { isTyping } from '../../parts/keyboard.js';
import { currentRoute, go, hrefOf, replace } from '../../parts/links/route.js';
import { VirtualList } from '../../parts/virtual-list.js';
import type { Live } from '../../wire/live.js';
import { EntryDetails } from './entry-details.js';
import { EntryRow } from './entry-row.js';
import { ErrorGroups } from './error-groups.js';
import { Choices, EVERYTHING, type Filter, Sieve, Texts } from './filter.js';
import { FilterBar } from './filter-bar.js';
import { entryAt } from './find.js';
import { ALL_TIME, hasLimit, type Range, within } from './range.js';
import { RangeFields, RateChart } from './rate-chart.js';
import { Search } from './search.js';
import { Start } from './start.js';
import { summaryOf } from './summary.js';
import { Tools } from './tools.js';
import { traceOf } from './trace.js';

/** As in the style sheet. */
const ROW_HEIGHT = 30;

/** The `seq` of the request with which an open one is compared. */
const NOT_COMPARED = { with: '' };

interface TimelineProps {
  readonly live: Live;
  readonly id: string | undefined;
}

/** One stream of everything that happens, newest first. */
export function Timeline({ live, id }: TimelineProps) {
  useLive(live);
  const [filter, setFilter] = useAddressed<Filter>('timeline', EVERYTHING);
  const [range, setRange] = useAddressed<Range>('timeline', ALL_TIME);
  const [paused, setPaused] = useKept<readonly TimelineEntry[] | undefined>('paused', undefined);
  const [{ with: compared }, setCompared] = useAddressed('timeline', NOT_COMPARED);
  const [traced, setTraced] = useKept<TimelineEntry | undefined>('traced', undefined);
  const [isStartShown, showStart] = useKept('start', false);
  const [start] = useState(() => new Start());
  const [areErrorsShown, showErrors] = useKept('errors', false);
  const [areFiltersShown, showFilters] = useState(false);
  const [sieves] = useState(() => [new Sieve(), new Sieve()] as const);
  const [choices] = useState(() => new Choices());
  const [texts] = useState(() => new Texts());
  const entries = paused ?? live.entries;
  start.notice(live);
  const startCount = start.size;
  const all = useMemo(() => {
    if (traced !== undefined) return traceOf(entries, traced);
    return (isStartShown ? entries : start.without(entries)).filter(isTold);
  }, [entries, traced, isStartShown, startCount]);
  useEffect(() => texts.notice(entries), [entries]);
  useEffect(() => () => texts.stop(), []);
  choices.notice(entries);
  // A story is read from its beginning. Its later entries may add earlier ones, so it is sifted as
  // a whole.
  const story = useMemo(
    () => (traced === undefined ? [] : [...new Sieve().sift(all, filter)].reverse()),
    [all, filter, traced],
  );
  const fitting = traced === undefined ? sieves[isStartShown ? 1 : 0].sift(all, filter) : story;
  const shown = useMemo(() => within(fitting, range), [fitting, range]);
  const seq = id === undefined ? undefined : Number(id);
  const entry = entryAt(live.entries, seq) ?? entryAt(entries, seq);
  const { drawn, stepped } = useSteps(shown);
  useEffect(() => {
    const [, status] = /^status\/(\d+)$/.exec(id ?? '') ?? [];
    if (status === undefined) return;
    setFilter({ ...EVERYTHING, status });
    setRange(ALL_TIME);
    setTraced(undefined);
    setPaused(undefined);
    replace('timeline');
  }, [id, setFilter, setRange, setTraced, setPaused]);
  const forget = (): void => {
    setPaused(undefined);
    setTraced(undefined);
    go('timeline');
  };
  const compare = (one: number | undefined): void => setCompared({ with: one === undefined ? '' : String(one) });

  return (
    <div class={id === undefined ? 'split' : 'split has-details'}>
      <section class="list" aria-label="Timeline">
        <Search live={live} text={filter.text} first={drawn} onChange={(text) => setFilter({ ...filter, text })}>
          <button
            type="button"
            class="more-filters"
            aria-expanded={areFiltersShown}
            onClick={() => showFilters(!areFiltersShown)}
          >
            Filters
          </button>
        </Search>
        <FilterBar filter={filter} choices={choices} isOpen={areFiltersShown || hasLimit(range)} onChange={setFilter}>
          <RangeFields range={range} newest={entries.at(-1)} onChange={setRange} />
        </FilterBar>
        <RateChart entries={fitting} range={range} onChange={setRange} />
        <Tools
          shown={shown}
          total={all.length}
          waiting={paused === undefined ? undefined : newerThan(live.entries, paused.at(-1)?.seq ?? 0)}
          onPause={() => setPaused(paused === undefined ? live.entries : undefined)}
          onClear={forget}
          startCount={traced === undefined ? startCount : 0}
          isStartShown={isStartShown}
          onStart={() => showStart(!isStartShown)}
          areErrorsShown={areErrorsShown}
          onErrors={() => showErrors(!areErrorsShown)}
        />
        {areErrorsShown && <ErrorGroups entries={all} onChoose={setFilter} />}
        {live.hasGap && <p class="note">Some entries are missing: more happened at once than the page could read.</p>}
        {traced !== undefined && (
          <p class="note trace">
            The trace of entry {traced.seq}, oldest first.{' '}
            <button type="button" onClick={() => setTraced(undefined)}>
              Show all entries
            </button>
          </p>
        )}
        {compared !== '' && (
          <ComparedNote
            seq={compared}
            entry={entryAt(live.entries, Number(compared))}
            onStop={() => compare(undefined)}
          />
        )}
        {shown.length === 0 ? (
          <p class="empty">
            {all.length === 0 ? 'Nothing has happened yet. Send a request.' : 'Nothing matches the filters.'}
          </p>
        ) : (
          <VirtualList
            items={shown}
            rowHeight={ROW_HEIGHT}
            label={traced === undefined ? 'Entries, newest first' : 'Entries, oldest first'}
            selected={indexOf(shown, seq, traced !== undefined)}
            row={(one) => <EntryRow key={one.seq} entry={one} isSelected={one.seq === seq} />}
          />
        )}
      </section>
      {id !== undefined && (
        <EntryDetails
          key={id}
          id={id}
          entry={entry}
          entries={live.entries}
          isStepped={stepped.current === seq}
          compared={compared === '' ? undefined : Number(compared)}
          onCompare={compare}
          onTrace={setTraced}
        />
      )}
    </div>
  );
}

/** A timer that attempts a delivery is told by the row of the delivery. */
const isTold = (entry: TimelineEntry): boolean => entry.kind !== 'timer' || entry.task !== 'webhook.attempt';

const newerThan = (entries: readonly TimelineEntry[], seq: number): number => {
  let count = 0;
  while ((entries.at(-1 - count)?.seq ?? 0) > seq) count += 1;
  return count;
};

/** The row of an entry; undefined if it is not shown. */
function indexOf(shown: readonly TimelineEntry[], seq: number | undefined, isRising: boolean): number | undefined {
  if (seq === undefined) return undefined;
  const index = shown.findIndex((one) => (isRising ? one.seq >= seq : one.seq <= seq));
  return shown[index]?.seq === seq ? index : undefined;
}

interface Steps {
  /** The rows that are drawn. */
  readonly drawn: RefObject<readonly TimelineEntry[]>;
  /** The entry that a key has opened last. */
  readonly stepped: RefObject<number>;
}

/** `j` and `k` open the next and the last entry. */
function useSteps(shown: readonly TimelineEntry[]): Steps {
  // A key may come before the effects of the last drawing have run: it looks at what is drawn, and
  // at the address.
  const drawn = useRef(shown);
  drawn.current = shown;
  const stepped = useRef(0);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event) || (event.key !== 'j' && event.key !== 'k')) return;
      const here = Number(currentRoute().id);
      const at = drawn.current.findIndex(({ seq }) => seq === here);
      const next = drawn.current[Math.max(0, at + (event.key === 'j' ? 1 : -1))];
      event.preventDefault();
      if (next === undefined) return;
      stepped.current = next.seq;
      go('timeline', next.seq);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return { drawn, stepped };
}

interface ComparedNoteProps {
  /** As the address has it. */
  readonly seq: string;
  /** Undefined: the page does not keep it any more. */
  readonly entry: TimelineEntry | undefined;
  onStop(): void;
}

/** Names the request with which the open one is compared. */
function ComparedNote({ seq, entry, onStop }: ComparedNoteProps) {
  return (
    <p class="note trace">
      <span>
        Comparing with{' '}
        <a href={hrefOf('timeline', seq)}>
          entry {seq}
          {entry !== undefined && `: ${summaryOf(entry).title}`}
        </a>
        . Open another request to see the difference.
      </span>
      <button type="button" onClick={onStop}>
        Stop comparing
      </button>
    </p>
  );
}
