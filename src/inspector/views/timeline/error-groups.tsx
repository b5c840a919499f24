import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { type Column, Table } from '../../parts/table.js';
import { spanOf } from '../../parts/values/format.js';
import { EVERYTHING, type Filter } from './filter.js';
import { hasFailed } from './summary.js';

/** Columns of a trend. */
const COLUMNS = 24;

/** The newest columns, which are compared with the rest. */
const NEWEST = COLUMNS / 4;

/** Groups that are shown. */
const MOST_GROUPS = 12;

interface Group {
  /** Operation, verdict and status in one text. */
  readonly key: string;
  readonly operation: string;
  readonly verdict: string;
  readonly status: string;
  readonly likely: string | undefined;
  /** Number in all. */
  count: number;
  /** Numbers in each part of the time. */
  readonly counts: number[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Requests that were refused or failed, by operation and cause. */
function groupsOf(entries: readonly TimelineEntry[], { from, to }: Span): Group[] {
  const groups = new Map<string, Group>();
  const columnMs = (to - from + 1) / COLUMNS;
  for (const entry of entries) {
    if (entry.kind !== 'request' || !hasFailed(entry)) continue;
    const { operation = '', verdict, status, likely, real } = entry;
    const key = [operation, verdict, status].join(' ');
    const group = groups.get(key) ?? {
      key,
      operation,
      verdict,
      status: String(status ?? 'none'),
      likely,
      count: 0,
      counts: new Array<number>(COLUMNS).fill(0),
    };
    // The machine's clock may be put back.
    const column = Math.min(COLUMNS - 1, Math.max(0, Math.floor((real - from) / columnMs)));
    group.counts[column] = (group.counts[column] ?? 0) + 1;
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()].sort((one, other) => riseOf(other) - riseOf(one) || other.count - one.count);
}

/** By how many more came in the newest part of the time than in an equal part before it, or 0. */
function riseOf({ count, counts }: Group): number {
  const newest = counts.slice(-NEWEST).reduce((sum, one) => sum + one, 0);
  const usual = ((count - newest) * NEWEST) / (COLUMNS - NEWEST);
  return Math.max(0, newest - usual);
}

interface ErrorGroupsProps {
  readonly entries: readonly TimelineEntry[];
  onChoose(filter: Filter): void;
}

/**
 * What goes wrong, how often, and since when: what rises now stands first. A click shows these
 * requests alone.
 */
export function ErrorGroups({ entries, onChoose }: ErrorGroupsProps) {
  const span = { from: entries[0]?.real ?? 0, to: entries.at(-1)?.real ?? 0 };
  const groups = groupsOf(entries, span);
  const columns: readonly Column<Group>[] = [
    {
      title: 'cause',
      cell: ({ operation, verdict, status, likely }) => (
        <>
          <button
            type="button"
            class="quiet"
            title={likely}
            onClick={() => onChoose({ ...EVERYTHING, operation, verdict, status })}
          >
            {status === 'none' ? 'no answer' : status} {verdict}
          </button>{' '}
          <span class="operation-name">{operation === '' ? 'no operation of the API' : operation}</span>
        </>
      ),
    },
    { title: 'count', isNumber: true, cell: ({ count }) => count.toLocaleString('en') },
    {
      title: 'trend',
      cell: (group) => (
        <>
          <Trend counts={group.counts} /> {riseOf(group) > 0 && <span class="tone-bad">↑</span>}
        </>
      ),
    },
  ];
  return (
    <div class="errors">
      <p class="hint">
        The last {spanOf(Math.max(1_000, span.to - span.from))} of real time. What rises now (↑) stands first, then what
        came most often.
      </p>
      <Table
        caption="Errors by cause and operation"
        columns={columns}
        rows={groups.slice(0, MOST_GROUPS)}
        keyOf={({ key }) => key}
        empty="No request was refused or has failed."
      />
      {groups.length > MOST_GROUPS && (
        <p class="hint">
          The first {MOST_GROUPS} of {groups.length} groups.
        </p>
      )}
    </div>
  );
}

const [WIDTH_PX, HEIGHT_PX] = [5, 18];

/** How many came in each part of the time, drawn. */
function Trend({ counts }: Pick<Group, 'counts'>) {
  const most = Math.max(...counts);
  return (
    <svg
      class="trend"
      role="img"
      aria-label={`at most ${most} in one of ${COLUMNS} parts of the time`}
      viewBox={`0 0 ${COLUMNS * WIDTH_PX} ${HEIGHT_PX}`}
      preserveAspectRatio="none"
    >
      {counts.map((count, index) => {
        const height = (count / most) * HEIGHT_PX;
        return <rect key={index} x={index * WIDTH_PX} y={HEIGHT_PX - height} width={WIDTH_PX - 1} height={height} />;
      })}
    </svg>
  );
}
