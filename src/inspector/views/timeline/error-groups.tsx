import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { spanOf } from '../../parts/values/format.js';
import { EVERYTHING, type Filter } from './filter.js';
import { hasFailed } from './summary.js';

/** Columns of a trend. */
const COLUMNS = 24;

/** Groups that are shown: those with the most requests. */
const MOST_GROUPS = 12;

interface Group {
  /** Operation, verdict and status in one text. */
  readonly key: string;
  readonly operation: string;
  readonly verdict: string;
  readonly status: string;
  readonly likely: string | undefined;
  readonly times: number[];
}

/** Requests that were refused or failed, by operation and cause; the largest group first. */
function groupsOf(entries: readonly TimelineEntry[]): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    if (entry.kind !== 'request' || !hasFailed(entry)) continue;
    const { operation = '', verdict, status, likely, real } = entry;
    const key = [operation, verdict, status].join(' ');
    const group = groups.get(key) ?? { key, operation, verdict, status: String(status ?? 'none'), likely, times: [] };
    group.times.push(real);
    groups.set(key, group);
  }
  return [...groups.values()].sort((one, other) => other.times.length - one.times.length);
}

interface ErrorGroupsProps {
  readonly entries: readonly TimelineEntry[];
  onChoose(filter: Filter): void;
}

/** What goes wrong, how often, and since when. A click shows these requests alone. */
export function ErrorGroups({ entries, onChoose }: ErrorGroupsProps) {
  const groups = groupsOf(entries);
  const [from, to] = [entries[0]?.real ?? 0, entries.at(-1)?.real ?? 0];
  if (groups.length === 0) return <p class="empty">No request was refused or has failed.</p>;
  return (
    <section class="table errors" aria-label="Errors by cause and operation">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              count
            </th>
            <th scope="col">last {spanOf(Math.max(1_000, to - from))} of real time</th>
            <th scope="col">cause</th>
            <th scope="col">operation</th>
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, MOST_GROUPS).map(({ key, operation, verdict, status, likely, times }) => (
            <tr key={key}>
              <td class="number">{times.length.toLocaleString('en')}</td>
              <td>
                <Trend times={times} from={from} to={to} />
              </td>
              <td>
                <button
                  type="button"
                  class="quiet"
                  title={likely}
                  onClick={() => onChoose({ ...EVERYTHING, operation, verdict, status })}
                >
                  {status === 'none' ? 'no answer' : status} {verdict}
                </button>
              </td>
              <td>{operation === '' ? 'no operation of the API' : operation}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {groups.length > MOST_GROUPS && (
        <p class="hint">
          The {MOST_GROUPS} largest of {groups.length} groups.
        </p>
      )}
    </section>
  );
}

interface TrendProps {
  readonly times: readonly number[];
  readonly from: number;
  readonly to: number;
}

const [WIDTH_PX, HEIGHT_PX] = [5, 18];

/** How many came in each part of the time, drawn. */
function Trend({ times, from, to }: TrendProps) {
  const counts = Array.from({ length: COLUMNS }, () => 0);
  for (const time of times) {
    const column = Math.min(COLUMNS - 1, Math.floor(((time - from) / Math.max(1, to - from)) * COLUMNS));
    counts[column] = (counts[column] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  return (
    <svg
      class="trend"
      role="img"
      aria-label={`${times.length} in all, at most ${most} in one of ${COLUMNS} parts of the time`}
      width={COLUMNS * WIDTH_PX}
      height={HEIGHT_PX}
    >
      {counts.map((count, index) => {
        const height = (count / most) * HEIGHT_PX;
        return <rect key={index} x={index * WIDTH_PX} y={HEIGHT_PX - height} width={WIDTH_PX - 1} height={height} />;
      })}
    </svg>
  );
}
