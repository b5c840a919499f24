import { useMemo, useRef, useState } from 'preact/hooks';
import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { Select } from '../../parts/forms/select.js';
import { momentOf, spanOf, timeOf } from '../../parts/values/format.js';
import { ALL_TIME, hasLimit, type Range, readMoment, timeBy } from './range.js';
import { hasFailed } from './summary.js';

/** Columns of the chart. */
const COLUMNS = 120;

const HEIGHT = 32;

/** Requests and failed ones in each column of a time. */
interface Rates {
  readonly from: number;
  readonly to: number;
  readonly columnMs: number;
  readonly counts: readonly number[];
  readonly failed: readonly number[];
  /** Requests of the highest column. */
  readonly most: number;
}

function ratesOf(entries: readonly TimelineEntry[], time: (entry: TimelineEntry) => number): Rates | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const entry of entries) {
    if (entry.kind !== 'request') continue;
    from = Math.min(from, time(entry));
    to = Math.max(to, time(entry));
  }
  if (from > to) return undefined;
  const columnMs = Math.max(1, Math.ceil((to - from + 1) / COLUMNS));
  const [counts, failed] = [new Array<number>(COLUMNS).fill(0), new Array<number>(COLUMNS).fill(0)];
  for (const entry of entries) {
    if (entry.kind !== 'request') continue;
    const column = Math.floor((time(entry) - from) / columnMs);
    counts[column] = (counts[column] ?? 0) + 1;
    if (hasFailed(entry)) failed[column] = (failed[column] ?? 0) + 1;
  }
  return { from, to, columnMs, counts, failed, most: Math.max(...counts) };
}

interface RateChartProps {
  /** In any order. */
  readonly entries: readonly TimelineEntry[];
  readonly range: Range;
  onChange(range: Range): void;
}

/** Requests over time, the failed ones in red. Drag over a part of it to see that time alone. */
export function RateChart({ entries, range, onChange }: RateChartProps) {
  const rates = useMemo(() => ratesOf(entries, timeBy(range)), [entries, range.clock]);
  const svg = useRef<SVGSVGElement>(null);
  /** The columns between which the reader drags. */
  const [dragged, setDragged] = useState<readonly [number, number]>();
  if (rates === undefined) return null;
  const { from, to, columnMs, counts, failed, most } = rates;
  const columnAt = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = svg.current?.getBoundingClientRect() ?? {};
    return Math.min(COLUMNS - 1, Math.max(0, Math.floor(((clientX - left) / width) * COLUMNS)));
  };
  const choose = (): void => {
    if (dragged === undefined) return;
    const [first, last] = dragged[0] < dragged[1] ? dragged : [dragged[1], dragged[0]];
    setDragged(undefined);
    const momentAt = (column: number, ms = 0): string => new Date(from + column * columnMs + ms).toISOString();
    onChange({ ...range, from: momentAt(first), to: momentAt(last + 1, -1) });
  };
  const columnOf = (text: string, none: number): number => (text === '' ? none : (Date.parse(text) - from) / columnMs);
  const [start, end] = dragged ?? [columnOf(range.from, 0), columnOf(range.to, COLUMNS)];
  const [left, right] = [Math.min(start, end), Math.max(start, end) + (dragged === undefined ? 0 : 1)];
  const path = (of: readonly number[]): string =>
    of.map((count, x) => (count === 0 ? '' : `M${x} ${HEIGHT}v-${(count / most) * HEIGHT}h.8V${HEIGHT}z`)).join('');
  const sum = (of: readonly number[]): number => of.reduce((all, count) => all + count, 0);
  return (
    <div class="rates">
      <svg
        ref={svg}
        role="img"
        aria-label={`${sum(counts)} requests, ${sum(failed)} of them failed, from ${momentOf(from)} to ${momentOf(to)}. At most ${most} in ${spanOf(columnMs)}.`}
        viewBox={`0 0 ${COLUMNS} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged([columnAt(event), columnAt(event)]);
        }}
        onPointerMove={(event) => dragged !== undefined && setDragged([dragged[0], columnAt(event)])}
        onPointerUp={choose}
        onPointerCancel={() => setDragged(undefined)}
      >
        {(dragged !== undefined || hasLimit(range)) && (
          <rect class="chosen" x={left} width={Math.max(0.5, right - left)} height={HEIGHT} />
        )}
        <path class="rate" d={path(counts)} />
        <path class="failed" d={path(failed)} />
      </svg>
      <p>
        <time title={momentOf(from)}>{timeOf(from).slice(0, 8)}</time>
        <span>
          {range.clock === 'sandbox' ? 'sandbox' : 'real'} time · peak {most.toLocaleString('en')} in {spanOf(columnMs)}
        </span>
        <time title={momentOf(to)}>{timeOf(to).slice(0, 8)}</time>
      </p>
    </div>
  );
}

interface RangeFieldsProps {
  readonly range: Range;
  /** The newest entry: a time without a day is of its day. */
  readonly newest: TimelineEntry | undefined;
  onChange(range: Range): void;
}

/** The range of time that is shown, by either clock. */
export function RangeFields({ range, newest, onChange }: RangeFieldsProps) {
  const near = newest === undefined ? Date.now() : timeBy(range)(newest);
  const field = (name: 'from' | 'to', label: string) => (
    <input
      aria-label={label}
      placeholder={`${name} 10:30:00`}
      title="A time, or a day and a time, in UTC"
      // Another range begins with other texts.
      key={`${name} ${range[name]}`}
      defaultValue={range[name].replace('T', ' ').replace('Z', '')}
      onChange={({ currentTarget: input }) => {
        const moment = input.value.trim() === '' ? '' : readMoment(input.value, near);
        input.setCustomValidity(moment === undefined ? 'A time such as 10:30:00, or a day and a time' : '');
        if (input.reportValidity()) onChange({ ...range, [name]: moment ?? '' });
      }}
    />
  );
  return (
    <>
      <Select
        label="Clock of the chart and the range"
        value={range.clock}
        all="by real time"
        of={[['sandbox', 'by sandbox time']]}
        onChange={(clock) => onChange({ ...ALL_TIME, clock })}
      />
      {field('from', 'Entries from')}
      {field('to', 'Entries to')}
      {hasLimit(range) && (
        <button type="button" onClick={() => onChange({ ...ALL_TIME, clock: range.clock })}>
          All times
        </button>
      )}
    </>
  );
}
