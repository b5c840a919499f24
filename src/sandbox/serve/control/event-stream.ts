import type { Timeline } from '../../core/timeline/timeline.js';
import type { ChangedEvent, GapEntry, TimelineEntry } from '../../drive/timeline/entries.js';
import { type EventsOptions, eventsOptions, type Follower, followerOf } from '../../drive/timeline/events.js';
import { type FilterTable, filtersOf, readFilter } from './control-filters.js';
import { type ControlAnswer, type ControlRequest, refused } from './control-messages.js';

/** Interval in ms of comments in an idle stream, because proxies close silent connections. */
const HEARTBEAT_MS = 15_000;

export const EVENT_FILTERS: FilterTable = filtersOf([['filter', eventsOptions]]);

/** `GET /_sandbox/events`: entries of the timeline as server-sent events. */
export function openEvents(timeline: Timeline, query: string, request: ControlRequest): ControlAnswer {
  try {
    const follower = readFilter('events', EVENT_FILTERS, query, (filter) => {
      return followerOf('events', timeline, { ...filter, ...resumed(request) } as EventsOptions, true);
    });
    if (request.method === 'HEAD') follower.end();
    request.signal.addEventListener('abort', () => follower.end());
    return { status: 200, body: '', events: eventsOf(follower) };
  } catch (error) {
    const isInspected = timeline.isKept;
    return refused(isInspected ? 400 : 409, error instanceof Error ? error.message : String(error));
  }
}

/** A client that reconnects sends the id of the last entry that it received. */
function resumed({ header }: ControlRequest): { readonly after?: number } {
  const last = header('last-event-id') ?? '';
  return /^\d{1,15}$/.test(last) ? { after: Number(last) } : {};
}

async function* eventsOf(follower: Follower): AsyncGenerator<string> {
  try {
    // Sent at once, so that a client that waits for the first bytes knows that it is connected.
    yield ': entries follow\n\n';
    for (;;) {
      const entries = await follower.take(HEARTBEAT_MS);
      if (entries === undefined) return;
      const what = follower.takeChanged();
      const isSilent = entries.length === 0 && what.length === 0;
      yield isSilent ? ': still here\n\n' : entries.map(eventText).join('') + changedText(what);
    }
  } finally {
    follower.end();
  }
}

/** The event has no id: a client that reconnects after it continues from the entry before. */
function changedText(what: ChangedEvent['what']): string {
  const event: ChangedEvent = { kind: 'changed', what };
  return what.length === 0 ? '' : `event: changed\ndata: ${JSON.stringify(event)}\n\n`;
}

/** JSON text contains no line breaks, so the data is one line. */
function eventText(entry: TimelineEntry | GapEntry): string {
  const id = entry.kind === 'gap' ? entry.next - 1 : entry.seq;
  return `event: ${entry.kind}\nid: ${id}\ndata: ${JSON.stringify(entry)}\n\n`;
}
