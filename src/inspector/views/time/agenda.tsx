import { useMemo, useState } from 'preact/hooks';
import type { AgendaEntry } from '../../../sandbox/drive/look/agenda.js';
import { Action } from '../../parts/actions/action.js';
import { Field } from '../../parts/forms/field.js';
import { useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { Panel, ReadingState } from '../../parts/panel.js';
import { useRowHeight } from '../../parts/row-height.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { momentOf, spanOf, timeOf } from '../../parts/values/format.js';
import { VirtualList } from '../../parts/virtual-list.js';
import { LANES, laneOf, Ruler } from './ruler.js';

/** Number of entries that the service tells, unless it is asked for more. */
const LIMIT_TIMERS = 1_000;

/** All that is to come: a list first, then a drawing. */
export function Agenda() {
  const reading = useReading<AgendaEntry[]>('clock/agenda');
  const { data, again } = reading;
  const now = useSandboxNow();
  const rowHeight = useRowHeight();
  const [lane, setLane] = useState('');
  const rows = useMemo(
    () => rowsOf((data ?? []).filter((entry) => lane === '' || laneOf(entry) === lane)),
    [data, lane],
  );
  return (
    <Panel title="Agenda" hint="What will happen, earliest first.">
      <ReadingState reading={reading} />
      {data !== undefined && now !== undefined && (
        <>
          <Field label="Show">
            <select value={lane} onChange={(event) => setLane(event.currentTarget.value)}>
              <option value="">everything ({data.length})</option>
              {LANES.map((one) => (
                <option key={one} value={one}>
                  {one} ({data.filter((entry) => laneOf(entry) === one).length})
                </option>
              ))}
            </select>
          </Field>
          {data.length >= LIMIT_TIMERS && <p class="note">Only the earliest {LIMIT_TIMERS} are shown.</p>}
          {rows.length === 0 ? (
            <p class="empty">
              {data.length === 0
                ? 'Nothing is planned. Create a quote, and its expiry stands here.'
                : 'Nothing of this kind is planned.'}
            </p>
          ) : (
            <div class="tall-rows">
              <VirtualList
                items={rows}
                rowHeight={rowHeight}
                label="Timers, earliest first"
                selected={undefined}
                row={({ key, ...timer }) => <Timer key={key} {...timer} now={now} onDone={again} />}
              />
            </div>
          )}
          {data.length > 0 && <Ruler entries={data} now={now} />}
        </>
      )}
    </Panel>
  );
}

interface Timers {
  readonly entry: AgendaEntry;
  /** Timers that the row stands for. */
  readonly count: number;
}

interface Row extends Timers {
  readonly key: string;
}

/** Attempts of webhooks at one moment are one row. Another step may be planned several times. */
function rowsOf(entries: readonly AgendaEntry[]): Row[] {
  const rows = new Map<string, Row>();
  for (const entry of entries) {
    const { at, task, id } = entry;
    let key = task === ATTEMPT ? `${at}` : [at, task, id].join(' ');
    while (task !== ATTEMPT && rows.has(key)) key += ' again';
    rows.set(key, { key, entry, count: (rows.get(key)?.count ?? 0) + 1 });
  }
  return [...rows.values()];
}

const ATTEMPT = 'webhook.attempt';

interface TimerProps extends Timers {
  readonly now: number;
  onDone(): void;
}

function Timer({ entry, count, now, onDone }: TimerProps) {
  const { at, task } = entry;
  const isGroup = count > 1 && task === ATTEMPT;
  const what = isGroup ? `${count} deliveries are attempted.` : entry.what;
  return (
    <li class="tall-row">
      <span class="tall-what">
        <a href={isGroup ? hrefOf('webhooks') : linkOf(entry)} title={what}>
          {what}
        </a>
      </span>
      <span class="tall-more">
        <time dateTime={new Date(at).toISOString()} title={momentOf(at)}>
          {at <= now ? 'now' : `in ${spanOf(at - now)}`}
        </time>{' '}
        <span class="kind">{task}</span>
      </span>
      <Action label={`Go to ${timeOf(at).slice(0, 8)}`} method="clock/set" args={[at]} onDone={onDone} />
    </li>
  );
}

/** The resource; what is none stands in a view of its own. */
function linkOf({ resource, task, id, account }: AgendaEntry): string {
  if (task === ATTEMPT) return hrefOf('webhooks', id);
  if (resource !== undefined) return hrefOf('resources', resource, id);
  return task.endsWith('.end') ? hrefOf('faults') : hrefOf('resources', account === undefined ? 'assets' : 'accounts');
}
