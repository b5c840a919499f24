import { useMemo, useState } from 'preact/hooks';
import type { ClockStatus } from '../../sandbox/drive/clock.js';
import type { AgendaEntry } from '../../sandbox/drive/look/agenda.js';
import { Action } from '../parts/actions/action.js';
import { Field } from '../parts/forms/field.js';
import { MethodForm } from '../parts/forms/method-form.js';
import { Select } from '../parts/forms/select.js';
import { useReading } from '../parts/hooks.js';
import { hrefOf } from '../parts/links/route.js';
import { Panel, ReadingState } from '../parts/panel.js';
import { useRowHeight } from '../parts/row-height.js';
import { useSandboxNow } from '../parts/sandbox-now.js';
import { momentOf, spanOf, timeOf } from '../parts/values/format.js';
import { VirtualList } from '../parts/virtual-list.js';

/** The sandbox's clock, and all that is to come by it. */
export function Time() {
  const reading = useReading<ClockStatus>('clock');
  const { data: clock, again } = reading;
  const [reached, setReached] = useState<AgendaEntry>();
  return (
    <>
      <Panel
        title="Clock"
        hint="Everything in the sandbox happens by this clock. Only a reset or a restore puts it back."
      >
        <ReadingState reading={reading} />
        {clock !== undefined && (
          <>
            <p>
              {clock.isRunning ? 'The clock runs in real time.' : 'The clock is stopped until you move it.'}{' '}
              {clock.next === undefined ? (
                'Nothing is planned.'
              ) : (
                <>
                  <strong>Next, in {spanOf(Math.max(0, clock.next.at - clock.now))}:</strong> {clock.next.what}
                </>
              )}
            </p>
            <p class="actions">
              <Action
                label="Move to the next timer"
                isMain={true}
                method="clock/next"
                onDone={(answer) => {
                  setReached((answer ?? undefined) as AgendaEntry | undefined);
                  again();
                }}
              />
              <Action
                label={clock.isRunning ? 'Stop the clock' : 'Start the clock'}
                method={clock.isRunning ? 'clock/stop' : 'clock/start'}
                onDone={again}
              />
            </p>
            {reached !== undefined && <p role="status">Reached: {reached.what}</p>}
          </>
        )}
      </Panel>
      <Agenda />
      {clock !== undefined && (
        <Panel title="Move the clock" hint="Everything that becomes due on the way happens, in order.">
          <Moves now={clock.now} onDone={again} />
        </Panel>
      )}
    </>
  );
}

interface MovesProps {
  readonly now: number;
  onDone(): void;
}

function Moves({ now, onDone }: MovesProps) {
  return (
    <>
      <MethodForm label="Move the clock on" method="clock/advance" begin={{ ms: 600_000 }} onDone={onDone} />
      <MethodForm
        label="Set the clock"
        method="clock/set"
        begin={{ time: new Date(now + 3_600_000).toISOString().slice(0, 19).concat('Z') }}
        onDone={onDone}
      />
    </>
  );
}

/** Number of entries that the service tells, unless it is asked for more. */
const LIMIT_TIMERS = 1_000;

/** All that is to come: a list first, then a drawing. */
function Agenda() {
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
            <Select
              value={lane}
              all={`everything (${data.length})`}
              of={LANES.map((one) => [one, `${one} (${data.filter((entry) => laneOf(entry) === one).length})`])}
              onChange={setLane}
            />
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
  return task === 'trouble.end' ? hrefOf('faults') : hrefOf('resources', account === undefined ? 'assets' : 'accounts');
}

/** The kinds of what is to come, each a line of the ruler. */
const LANES = ['expiries', 'deliveries and retries', 'steps', 'ends of faults'] as const;

type Lane = (typeof LANES)[number];

function laneOf({ task }: AgendaEntry): Lane {
  if (task.endsWith('.expire')) return 'expiries';
  if (task === 'webhook.attempt') return 'deliveries and retries';
  return task === 'trouble.end' ? 'ends of faults' : 'steps';
}

const LANE_HEIGHT = 40;
const TOP = 22;

/** Marks of one lane that lie closer are one mark. */
const PLACES = 120;

const TICKS_MS = [1_000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000, 864_000_000, 8_640_000_000];

/** Shortest time that the ruler shows. */
const MIN_SPAN_MS = 60_000;

interface RulerProps {
  readonly entries: readonly AgendaEntry[];
  readonly now: number;
}

/** The same as the list, drawn: near moments have more room than far ones. */
function Ruler({ entries, now }: RulerProps) {
  const span = Math.max(MIN_SPAN_MS, (entries.at(-1)?.at ?? now) - now);
  const shareOf = (ms: number): number => Math.log1p(Math.max(0, ms) / 1_000) / Math.log1p(span / 1_000);
  const xOf = (share: number): string => `${1 + share * 96}%`;
  const bottom = TOP + LANES.length * LANE_HEIGHT;
  return (
    <svg class="ruler" role="img" aria-label={summaryOf(entries)} width="100%" height={bottom + 4}>
      {TICKS_MS.filter((ms) => ms <= span).map((ms) => (
        <g key={ms}>
          <line class="tick" x1={xOf(shareOf(ms))} x2={xOf(shareOf(ms))} y1={TOP - 6} y2={bottom} />
          <text x={xOf(shareOf(ms))} y={TOP - 10} text-anchor="middle">
            {spanOf(ms)}
          </text>
        </g>
      ))}
      {LANES.map((lane, index) => {
        const y = TOP + index * LANE_HEIGHT;
        return (
          <g key={lane}>
            <text x="0" y={y + 12}>
              {lane}
            </text>
            <line class="lane" x1="0" x2="100%" y1={y + 26} y2={y + 26} />
            {marksOf(entries, lane, (at) => shareOf(at - now)).map(([place, found]) => (
              <circle key={place} class="mark" cx={xOf(place / PLACES)} cy={y + 26} r={4 + Math.log2(found.length)}>
                <title>{found.length === 1 ? found[0]?.what : `${found.length} ${lane}`}</title>
              </circle>
            ))}
          </g>
        );
      })}
    </svg>
  );
}

/** Coming steps of a lane, by their place on the ruler. */
function marksOf(
  entries: readonly AgendaEntry[],
  lane: Lane,
  shareAt: (at: number) => number,
): [place: number, found: AgendaEntry[]][] {
  const places = new Map<number, AgendaEntry[]>();
  for (const entry of entries) {
    if (laneOf(entry) !== lane) continue;
    const place = Math.round(shareAt(entry.at) * PLACES);
    places.set(place, [...(places.get(place) ?? []), entry]);
  }
  return [...places];
}

function summaryOf(entries: readonly AgendaEntry[]): string {
  const counts = LANES.map((lane) => `${lane} ${entries.filter((entry) => laneOf(entry) === lane).length}`);
  return `Ruler of what is to come: ${counts.join(', ')}`;
}
