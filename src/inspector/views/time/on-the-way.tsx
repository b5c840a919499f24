import { placeAfter } from '../../parts/entries/find.js';
import { useReading } from '../../parts/hooks.js';
import { spanOf } from '../../parts/values/times.js';
import { counted, titled } from '../../parts/values/words.js';
import { hrefOf } from '../../wire/address.js';
import { live } from '../../wire/live.js';
import type { ClockEntry, SandboxResource, TimelineEntry } from '../../wire/sandbox.js';

/** What has happened to one thing, for example `quote` and `expired`. */
type Happening = readonly [noun: string, end: string];

/** What the last move of the clock has brought about. */
export function OnTheWay() {
  const entries = live.entries.value;
  const quotes = useExpired('quotes');
  const onchainQuotes = useExpired('onchainQuotes');
  const isMove = (entry: TimelineEntry): entry is ClockEntry => entry.kind === 'clock' && entry.what === 'advanced';
  const move = entries.findLast(isMove);
  if (move === undefined) return null;
  const { at: from, ms = 0, seq } = move;
  const expired = [...quotes, ...onchainQuotes].filter(({ at }) => at > from && at <= from + ms);
  const all = [...expired.map(({ what }) => what), ...happeningsAfter(entries, seq)];
  return (
    <p role="status" class="told">
      <b>{spanOf(ms)} later:</b> {all.length === 0 ? 'nothing happened' : tell(all)}.{' '}
      <a href={hrefOf('requests', seq)}>See all of it</a>
    </p>
  );
}

/** The offers that have expired, which is no entry: the sandbox finds it when it looks at them. */
function useExpired(kind: string) {
  const { data = [] } = useReading<readonly SandboxResource[]>(`resources/${kind}?status=expired&limit=1000`);
  const what: Happening = [titled(kind, false), 'expired'];
  return data.map(({ record }) => ({ at: Date.parse((record as { readonly expires_at: string }).expires_at), what }));
}

/** What has happened since an entry, but for what requests and calls have brought about since. */
function happeningsAfter(entries: readonly TimelineEntry[], seq: number): Happening[] {
  const others = new Set<number>();
  return entries.slice(placeAfter(entries, seq)).flatMap((entry): Happening[] => {
    if (entry.kind === 'request' || entry.kind === 'control' || others.has(entry.cause ?? 0)) {
      others.add(entry.seq);
      return [];
    }
    if (entry.kind === 'delivery') return [['delivery', 'attempted']];
    if (entry.kind === 'trouble') return [['fault', entry.what]];
    return entry.kind === 'change' ? [[titled(entry.resource, false), entry.to.replaceAll('_', ' ')]] : [];
  });
}

/** For example `3 quotes expired, 12 deliveries attempted, 1 fault ended`. */
const tell = (all: readonly Happening[]): string =>
  [...Map.groupBy(all, (one) => one.join(' ')).values()]
    .map((alike) => `${counted(alike.length, alike[0]?.[0] ?? '')} ${alike[0]?.[1]}`)
    .join(', ');
