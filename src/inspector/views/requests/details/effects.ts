import type { Call } from '../../../parts/calls.js';
import { entryAt, placeAfter } from '../../../parts/entries/find.js';
import type { ChangeEntry, DeliveryEntry, PostingEntry, TimelineEntry } from '../../../wire/sandbox.js';

/** Kinds of resources that stay: half of everything that happens is about them. */
const LASTING: ReadonlySet<string> = new Set(['users', 'accounts', 'assets', 'webhooks', 'limits', 'earn']);

/**
 * Returns what a call brought about, oldest first. It follows the causes, and the resources that
 * the call has made or changed, until another call changes them.
 */
export function effectsOf({ attempts }: Call, entries: readonly TimelineEntry[]) {
  const causes = new Set(attempts.map(({ seq }) => seq));
  const ids = new Set<string>();
  const [own, deliveries]: [(ChangeEntry | PostingEntry)[], DeliveryEntry[]] = [[], []];
  const isOwn = ({ cause }: TimelineEntry, id: string | undefined): boolean =>
    (cause !== undefined && causes.has(cause)) || (id !== undefined && ids.has(id));
  for (const entry of entries.slice(placeAfter(entries, attempts[0].seq - 1))) {
    const by = entryAt(entries, entry.cause);
    const isOthers = by?.kind === 'request' && !causes.has(by.seq);
    if (isOthers && entry.kind === 'change') ids.delete(entry.id);
    if (isOthers) continue;
    if (entry.kind === 'timer' && ids.has(entry.id)) causes.add(entry.seq);
    else if (entry.kind === 'posting' && isOwn(entry, entry.reference)) own.push(entry);
    else if (entry.kind === 'delivery' && isOwn(entry, entry.about)) deliveries.push(entry);
    else if (entry.kind === 'change' && isOwn(entry, entry.id)) {
      own.push(entry);
      if (!LASTING.has(entry.resource)) ids.add(entry.id);
    }
  }
  return { own, deliveries };
}
