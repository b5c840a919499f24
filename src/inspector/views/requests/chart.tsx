import { useMemo, useRef, useState } from 'preact/hooks';
import { type Call, hasFailed } from '../../parts/calls.js';
import { momentOf, spanOf } from '../../parts/values/times.js';
import { setQuery } from '../../wire/address.js';
import type { JournalEntry } from '../../wire/sandbox.js';
import { filters } from './filters.js';

/** Columns of the chart. */
const COLUMNS = 72;

const HEIGHT = 36;

/** Requests and failed ones in each column of the time that they span. */
function ratesOf(calls: readonly Call[]) {
  const requests = calls.map(({ last }) => last);
  const failures = requests.filter(hasFailed);
  let [from, to] = [Infinity, -Infinity];
  for (const { at } of requests) {
    from = Math.min(from, at);
    to = Math.max(to, at);
  }
  const columnMs = Math.max(1, Math.ceil((to - from + 1) / COLUMNS));
  const countsOf = (of: readonly JournalEntry[]): readonly number[] => {
    const counts = new Array<number>(COLUMNS).fill(0);
    for (const { at } of of) {
      const column = Math.floor((at - from) / columnMs);
      counts[column] = (counts[column] ?? 0) + 1;
    }
    return counts;
  };
  const counts = countsOf(requests);
  const most = Math.max(...counts);
  const told = `${requests.length} requests, ${failures.length} of them failed, from ${momentOf(from)} to ${momentOf(to)}. At most ${most} in ${spanOf(columnMs)}.`;
  return { from, columnMs, counts, failed: countsOf(failures), most, told };
}

/**
 * Requests over the sandbox's time, the failed ones in red. Drag over a part of it to see that time
 * alone.
 */
export function Chart({ calls }: { readonly calls: readonly Call[] }) {
  const rates = useMemo(() => (calls.length === 0 ? undefined : ratesOf(calls)), [calls]);
  const svg = useRef<SVGSVGElement>(null);
  /** The columns between which the reader drags. */
  const [dragged, setDragged] = useState<readonly [number, number]>();
  if (rates === undefined) return null;
  const { from, columnMs, counts, failed, most, told } = rates;
  const columnAt = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = svg.current?.getBoundingClientRect() ?? {};
    return Math.min(COLUMNS - 1, Math.max(0, Math.floor(((clientX - left) / width) * COLUMNS)));
  };
  const ends = dragged && ([Math.min(...dragged), Math.max(...dragged) + 1] as const);
  const choose = (): void => {
    if (ends === undefined) return;
    setDragged(undefined);
    const momentAt = (column: number, ms: number): string => new Date(from + column * columnMs + ms).toISOString();
    setQuery({ from: momentAt(ends[0], 0), to: momentAt(ends[1], -1) });
  };
  const columnOf = (text: string, none: number): number => (text === '' ? none : (Date.parse(text) - from) / columnMs);
  const [left, right] = ends ?? [columnOf(filters.from.value, 0), columnOf(filters.to.value, COLUMNS)];
  const path = (of: readonly number[]): string =>
    of.map((count, x) => (count === 0 ? '' : `M${x} ${HEIGHT}v-${(count / most) * HEIGHT}h.82V${HEIGHT}z`)).join('');
  return (
    <div class="chart">
      <svg
        ref={svg}
        role="img"
        aria-label={told}
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
        {(left > 0 || right < COLUMNS) && (
          <rect class="chosen" x={left} width={Math.max(0.5, right - left)} height={HEIGHT} />
        )}
        <path class="rate" d={path(counts)} />
        <path class="failed" d={path(failed)} />
      </svg>
    </div>
  );
}
