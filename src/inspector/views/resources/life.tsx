import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { entryAt } from '../../parts/entries/find.js';
import { summaryOf } from '../../parts/entries/summary.js';
import { useLive } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { grouped } from '../../parts/values/decimal.js';
import { momentOf, spanOf, timeOf } from '../../parts/values/format.js';
import type { live as one } from '../../wire/live.js';

interface LifeProps {
  readonly live: typeof one;
  readonly id: string;
}

/**
 * What happened to a resource, as a line over time: requests, moves, postings and deliveries below
 * the moment at which they came.
 */
export function Life({ live, id }: LifeProps) {
  useLive(live);
  const moments = momentsOf(eventsOf(live.entries.value, id));
  if (moments.length === 0) return null;
  return (
    <section aria-label="Life">
      <h3>Over time</h3>
      <ol class="life">
        {moments.map((events, index) => {
          const at = events[0]?.at ?? 0;
          const before = moments[index - 1]?.[0]?.at;
          return (
            <li key={events[0]?.seq}>
              <time title={momentOf(at)}>
                {before === undefined ? timeOf(at).slice(0, 8) : `+ ${spanOf(at - before)}`}
              </time>
              {events.map((event) => (
                <a key={event.seq} class={`event event-${event.kind}`} href={hrefOf('requests', event.seq)}>
                  {nameOf(event)}
                </a>
              ))}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The entries about a resource, and the requests and moves that brought them about. */
function eventsOf(entries: readonly TimelineEntry[], id: string): readonly TimelineEntry[] {
  const events = new Set<TimelineEntry>();
  for (const entry of entries) {
    if (!isAbout(entry, id)) continue;
    const cause = entryAt(entries, entry.cause);
    if (cause?.kind === 'request' || cause?.kind === 'control') events.add(cause);
    events.add(entry);
  }
  return [...events].sort((one, other) => one.seq - other.seq);
}

function isAbout(entry: TimelineEntry, id: string): boolean {
  switch (entry.kind) {
    case 'request':
      return entry.path.includes(id);
    case 'change':
      return entry.id === id;
    case 'posting':
      return entry.reference === id;
    case 'delivery':
      return entry.about === id;
    default:
      return false;
  }
}

/** Events of one moment of the sandbox's clock are together. */
function momentsOf(events: readonly TimelineEntry[]): readonly (readonly TimelineEntry[])[] {
  const moments: TimelineEntry[][] = [];
  for (const event of events) {
    const last = moments.at(-1);
    if (last !== undefined && last[0]?.at === event.at) last.push(event);
    else moments.push([event]);
  }
  return moments;
}

function nameOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'change':
      return `→ ${entry.to}`;
    case 'posting':
      return `${grouped(entry.amount)} ${entry.asset.split(':')[1]}`;
    case 'delivery':
      return `${entry.delivery.type} ${entry.attempt.status ?? 'no answer'}`;
    case 'request':
      return `${summaryOf(entry).title.split('.').slice(-2).join('.')} ${entry.status ?? 'no answer'}`;
    default:
      return summaryOf(entry).title;
  }
}
