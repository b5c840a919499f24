import { useMemo, useRef, useState } from 'preact/hooks';
import { hasFailed } from '../../parts/calls.js';
import { momentOf, spanOf } from '../../parts/values/times.js';
import { setQuery } from '../../wire/address.js';
import type { JournalEntry } from '../../wire/sandbox.js';
import { filters } from './filter.js';

/** Columns of the chart. */
const COLUMNS = 72;

const HEIGHT = 36;

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

function ratesOf(requests: readonly JournalEntry[]): Rates | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at } of requests) {
    from = Math.min(from, at);
    to = Math.max(to, at);
  }
  if (from > to) return undefined;
  const columnMs = Math.max(1, Math.ceil((to - from + 1) / COLUMNS));
  const [counts, failed] = [new Array<number>(COLUMNS).fill(0), new Array<number>(COLUMNS).fill(0)];
  for (const one of requests) {
    const column = Math.floor((one.at - from) / columnMs);
    counts[column] = (counts[column] ?? 0) + 1;
    if (hasFailed(one)) failed[column] = (failed[column] ?? 0) + 1;
  }
  return { from, to, columnMs, counts, failed, most: Math.max(...counts) };
}

/**
 * Requests over the sandbox's time, the failed ones in red. Drag over a part of it to see that time
 * alone.
 */
export function Chart({ requests }: { readonly requests: readonly JournalEntry[] }) {
  const rates = useMemo(() => ratesOf(requests), [requests]);
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
    setQuery({ from: momentAt(first), to: momentAt(last + 1, -1) });
  };
  const columnOf = (text: string, none: number): number => (text === '' ? none : (Date.parse(text) - from) / columnMs);
  const [start, end] = dragged ?? [columnOf(filters.from.value, 0), columnOf(filters.to.value, COLUMNS)];
  const [left, right] = [Math.min(start, end), Math.max(start, end) + (dragged === undefined ? 0 : 1)];
  const isChosen = dragged !== undefined || filters.from.value !== '' || filters.to.value !== '';
  const path = (of: readonly number[]): string =>
    of.map((count, x) => (count === 0 ? '' : `M${x} ${HEIGHT}v-${(count / most) * HEIGHT}h.82V${HEIGHT}z`)).join('');
  const sum = (of: readonly number[]): number => of.reduce((all, count) => all + count, 0);
  return (
    <div class="chart">
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
        {isChosen && <rect class="chosen" x={left} width={Math.max(0.5, right - left)} height={HEIGHT} />}
        <path class="rate" d={path(counts)} />
        <path class="failed" d={path(failed)} />
      </svg>
    </div>
  );
}
