import type { ClockEntry } from '../../../sandbox/core/timeline/entries.js';
import type { AgendaEntry } from '../../../sandbox/drive/look/agenda.js';
import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { Chip, ChoiceList } from '../../parts/choices.js';
import { useAction, useReading } from '../../parts/hooks.js';
import { List } from '../../parts/list.js';
import { mayMove } from '../../parts/moving.js';
import { ReadingState } from '../../parts/pane.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { momentOf, spanOf } from '../../parts/values/format.js';
import { addressed, hrefOf } from '../../wire/address.js';
import { call } from '../../wire/api.js';
import { live } from '../../wire/live.js';
import { LANES, laneOf, Ruler } from './ruler.js';

const kind = addressed('kind');

/** Number of entries that the service tells, unless it is asked for more. */
const LIMIT_TIMERS = 1_000;

/** What is to come by the sandbox's clock, as a ruler and as a list, and what happened on the way here. */
export function Time() {
  const reading = useReading<AgendaEntry[]>('clock/agenda');
  const now = useSandboxNow();
  const { said, run } = useAction();
  const { data } = reading;
  if (data === undefined || now === undefined) return <ReadingState reading={reading} />;
  const shown = kind.value === '' ? data : data.filter((entry) => laneOf(entry) === kind.value);
  const jump = (at: number): void => run(async () => (await mayMove(now, at)) && call('clock/set', at), '');
  return (
    <section class="list time" aria-label="Time">
      <Ruler entries={data} now={now} jump={jump} />
      <div class="bar">
        <Chip label="kind" shown={kind.value} onClear={() => kind.set('')}>
          {(close) => (
            <ChoiceList
              label="kinds"
              of={LANES.map((lane) => [lane, lane, data.filter((entry) => laneOf(entry) === lane).length])}
              onChoose={(lane) => {
                kind.set(lane);
                close();
              }}
            />
          )}
        </Chip>
        <OnTheWay />
        <span role="status">{said}</span>
        <span class="end">
          {data.length >= LIMIT_TIMERS ? `the earliest ${LIMIT_TIMERS}` : `${shown.length} to come`}
        </span>
      </div>
      {shown.length === 0 && <p class="empty">Nothing is planned. Create a quote, and its expiry is listed here.</p>}
      <List
        items={rowsOf(shown)}
        label="What is to come, earliest first"
        keyOf={({ key }) => key}
        row={({ key, entry, count }, { tabIndex }) => {
          const what = count === 1 ? entry.what : `${count} deliveries are attempted.`;
          const ahead = entry.at <= now ? 'now' : `in ${spanOf(entry.at - now)}`;
          return (
            <li key={key}>
              <a class="row" href={count === 1 ? linkOf(entry) : hrefOf('webhooks')} tabIndex={tabIndex}>
                <time dateTime={new Date(entry.at).toISOString()} title={momentOf(entry.at)}>
                  {ahead}
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

/** The resource; what is none stands in a view of its own. */
function linkOf({ resource, task, id, account }: AgendaEntry): string {
  if (task === ATTEMPT) return hrefOf('webhooks', id);
  if (resource !== undefined) return hrefOf('resources', resource, id);
  return task === 'trouble.end' ? hrefOf('faults') : hrefOf('resources', account === undefined ? 'assets' : 'accounts');
}

/** What the last move of the clock has brought about. */
function OnTheWay() {
  const entries = live.entries.value;
  const moved = entries.findLast((entry) => entry.kind === 'clock' && entry.what === 'advanced') as
    | ClockEntry
    | undefined;
  if (moved === undefined) return null;
  return (
    <p role="status">
      <b>{spanOf(moved.ms ?? 0)} later:</b> {happenedBy(entries, moved.seq) || 'nothing happened'}.{' '}
      <a href={hrefOf('requests', moved.seq)}>See all of it</a>
    </p>
  );
}

/** For example `3 quotes expired, 12 deliveries were attempted, 1 fault ended`. */
function happenedBy(entries: readonly TimelineEntry[], seq: number): string {
  const causes = new Set([seq]);
  const counts = new Map<string, number>();
  for (const entry of entries.slice(entries.findLastIndex((one) => one.seq === seq) + 1)) {
    if (!causes.has(entry.cause ?? 0)) continue;
    causes.add(entry.seq);
    const what = whatOf(entry);
    if (what !== undefined) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts]
    .map(
      ([what, count]) =>
        `${count} ${count === 1 ? what.replace(/ies\b/, 'y').replace(/s\b/, '').replace('were', 'was') : what}`,
    )
    .join(', ');
}

/** What an entry says that happened, of several of them. */
function whatOf(entry: TimelineEntry): string | undefined {
  if (entry.kind === 'delivery') return 'deliveries were attempted';
  if (entry.kind === 'trouble') return `faults ${entry.what}`;
  if (entry.kind !== 'change') return undefined;
  const name = entry.resource.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${name} ${entry.to.replaceAll('_', ' ')}`;
}
