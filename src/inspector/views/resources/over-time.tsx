import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { endOf, hasFailed, toneOfAttempt } from '../../parts/calls.js';
import { Cause } from '../../parts/entries/cause.js';
import { entryAt } from '../../parts/entries/find.js';
import { summaryOf } from '../../parts/entries/summary.js';
import { useHolders } from '../../parts/links/holder.js';
import { Story, type StoryStep } from '../../parts/marks.js';
import { momentOf, spanOf, timeOf } from '../../parts/values/times.js';
import { operationTitle } from '../../parts/values/words.js';
import { hrefOf } from '../../wire/address.js';
import { live } from '../../wire/live.js';
import type { TimelineEntry } from '../../wire/sandbox.js';
import { toneOf } from './states.js';

/** Lines that are shown at first: the newest. */
const FIRST_LINES = 30;

interface OverTimeProps {
  readonly kind: string;
  readonly id: string;
}

/** What happened to a resource: calls and their retries, states, money moved, and webhooks. */
export function OverTime({ kind, id }: OverTimeProps) {
  const entries = live.entries.value;
  const holders = useHolders();
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => folded(eventsOf(entries, kind, id)), [entries, kind, id]);
  const shown = isWhole ? lines : lines.slice(-FIRST_LINES);
  const nothing = live.isKept.value ? 'Nothing since the sandbox was made.' : 'Only requests are kept: inspect is off.';
  return (
    <section aria-label="Over time">
      <div class="heading">
        <h3>Over time</h3>
        {shown.length < lines.length && (
          <button type="button" class="quiet" onClick={() => setWhole(true)}>
            Show all {lines.length.toLocaleString('en')}
          </button>
        )}
      </div>
      {lines.length === 0 && <p class="soft">{nothing}</p>}
      <Story
        label="What happened"
        steps={shown.map(([event, ...others], index) => ({
          ...(others.length > 0 ? readsLine(others.length + 1, id) : lineOf(event, holders)),
          when: whenOf(event.at, shown[index - 1]?.[0].at, lines[0]?.[0].at),
          exact: momentOf(event.at),
        }))}
      />
    </section>
  );
}

/** The first line has the time of day, a later one the time since it, if it is not the same. */
function whenOf(at: number, above: number | undefined, began = at): string {
  if (above === undefined) return timeOf(at).slice(0, 8);
  return at === above ? '' : `+${spanOf(at - began)}`;
}

/** The entries about a resource, what caused them, and every attempt of those calls. */
function eventsOf(entries: readonly TimelineEntry[], kind: string, id: string): readonly TimelineEntry[] {
  const about = entries.filter((entry) => isAbout(entry, kind, id));
  const causes = about.flatMap(({ cause }) => entryAt(entries, cause) ?? []).filter(isAsked);
  // A retry causes nothing, and its path need not name the resource: its call leads to it.
  const calls = new Set([...about, ...causes].map(callOf));
  const attempts = entries.filter((entry) => entry.kind === 'request' && calls.has(entry.callId));
  return [...new Set([...about, ...causes, ...attempts])].sort((one, other) => one.seq - other.seq);
}

const callOf = (entry: TimelineEntry): string | undefined => (entry.kind === 'request' ? entry.callId : undefined);

/** True for what somebody asked for. The rest follows from it, or from time. */
const isAsked = ({ kind }: TimelineEntry): boolean => kind === 'request' || kind === 'control';

function isAbout(entry: TimelineEntry, kind: string, id: string): boolean {
  switch (entry.kind) {
    case 'request':
      return entry.path.split(/[/?]/).includes(encodeURIComponent(id));
    case 'change':
      return entry.id === id && entry.resource === kind;
    case 'posting':
      return entry.reference === id;
    case 'delivery':
      return entry.about === id;
    default:
      return entry.kind === 'control' && entry.args.includes(id);
  }
}

const isRead = (entry: TimelineEntry | undefined): boolean =>
  entry?.kind === 'request' && entry.method === 'GET' && !hasFailed(entry);

/** Reads that follow one another are one line; everything else is a line of its own. */
function folded(events: readonly TimelineEntry[]): readonly (readonly [TimelineEntry, ...TimelineEntry[]])[] {
  const lines: [TimelineEntry, ...TimelineEntry[]][] = [];
  for (const event of events) {
    const last = lines.at(-1);
    if (isRead(event) && isRead(last?.[0])) last?.push(event);
    else lines.push([event]);
  }
  return lines;
}

type Told = Pick<StoryStep, 'tone' | 'what' | 'more'>;

const readsLine = (count: number, id: string): Told => ({
  tone: 'plain',
  what: <a href={`${hrefOf('requests')}?${new URLSearchParams({ text: id })}`}>{count} reads</a>,
});

function lineOf(entry: TimelineEntry, holders: ReadonlyMap<string, string>): Told {
  const { title, result = '', detail, tone } = summaryOf(entry);
  const told = (what: string, more: ComponentChildren): Told => ({
    tone,
    what: <a href={hrefOf('requests', entry.seq)}>{what}</a>,
    more,
  });
  switch (entry.kind) {
    case 'request': {
      const name = entry.operation === undefined ? title : operationTitle(entry.operation);
      return { ...told(name, endOf(entry)), tone: toneOfAttempt(entry) };
    }
    case 'change': {
      // What was asked for has a line of its own.
      const isTold = isAsked(entryAt(live.entries.value, entry.cause) ?? entry);
      return { ...told(detail, !isTold && <Cause seq={entry.cause} />), tone: toneOf(entry.to) };
    }
    case 'posting': {
      const [from, to] = [entry.from, entry.to].map((name) => holders.get(name) ?? name);
      return told(title, `${from} → ${to}`);
    }
    default:
      return told(title, `${result} ${detail}`);
  }
}
