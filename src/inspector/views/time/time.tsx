import { useAction, useReading } from '../../parts/hooks.js';
import { List, useRowPx } from '../../parts/list.js';
import { mayMove } from '../../parts/moving.js';
import { ReadingState } from '../../parts/pane.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { momentOf, spanOf } from '../../parts/values/times.js';
import { addressed, hrefOf } from '../../wire/address.js';
import { call } from '../../wire/api.js';
import type { AgendaEntry } from '../../wire/sandbox.js';
import { OnTheWay } from './on-the-way.js';
import { laneOf, Ruler } from './ruler.js';

const kind = addressed('kind');

/** Number of entries that the service tells, unless it is asked for more. */
const LIMIT_TIMERS = 1_000;

/**
 * What is to come by the sandbox's clock, as a ruler and as a list, and what happened on the way
 * here.
 */
export function Time() {
  const reading = useReading<AgendaEntry[]>('clock/agenda');
  const now = useSandboxNow();
  const rowPx = useRowPx();
  const { said, run } = useAction();
  const { data } = reading;
  if (data === undefined || now === undefined) return <ReadingState reading={reading} />;
  const shown = kind.value === '' ? data : data.filter((entry) => laneOf(entry) === kind.value);
  const jump = (at: number): void => run(async () => (await mayMove(() => at)) && call('clock/set', at));
  return (
    <section class="list time" aria-label="Time">
      <Ruler entries={data} now={now} jump={jump} chosen={kind.value} choose={kind.set} />
      <OnTheWay />
      <p class="told soft" role="status">
        {said ?? ''} {data.length >= LIMIT_TIMERS ? `The earliest ${LIMIT_TIMERS} timers` : `${shown.length} to come`}
      </p>
      {shown.length === 0 && <p class="empty">Nothing is planned. Create a quote, and its expiry is listed here.</p>}
      <List
        items={rowsOf(shown)}
        label="What is to come, earliest first"
        keyOf={({ key }) => key}
        rowPx={rowPx}
        row={({ key, entry, count }, { tabIndex }) => {
          const what = count === 1 ? entry.what : `${count} deliveries are attempted.`;
          return (
            <li key={key}>
              <a class="row" href={count === 1 ? linkOf(entry) : hrefOf('webhooks')} tabIndex={tabIndex}>
                <time dateTime={new Date(entry.at).toISOString()} title={momentOf(entry.at)}>
                  {entry.at <= now ? 'now' : `in ${spanOf(entry.at - now)}`}
                </time>
                <span title={what}>{what}</span>
                <span class="soft minor">{entry.task}</span>
              </a>
              <button
                type="button"
                class="quiet"
                tabIndex={tabIndex}
                aria-label={`Go there: ${what}`}
                onClick={() => jump(entry.at)}
              >
                Go there
              </button>
            </li>
          );
        }}
      />
    </section>
  );
}

interface Row {
  readonly key: string;
  readonly entry: AgendaEntry;
  /** Timers that the row stands for. */
  readonly count: number;
}

const ATTEMPT = 'webhook.attempt';

/** Attempts of webhooks at one moment are one row. */
function rowsOf(entries: readonly AgendaEntry[]): Row[] {
  const rows = Map.groupBy(entries, ({ at, task, id }) => [at, task, task === ATTEMPT ? '' : id].join(' '));
  return [...rows].flatMap(([key, [entry, ...others]]) =>
    entry === undefined ? [] : { key, entry, count: 1 + others.length },
  );
}

/** The resource; what is none stands in a view of its own. */
function linkOf({ resource, task, id, account }: AgendaEntry): string {
  if (task === ATTEMPT) return hrefOf('webhooks', id);
  if (resource !== undefined) return hrefOf('resources', resource, id);
  return task === 'trouble.end' ? hrefOf('faults') : hrefOf('resources', account === undefined ? 'assets' : 'accounts');
}
