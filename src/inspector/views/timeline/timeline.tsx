import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TimelineEntry } from '../../../sandbox/timeline/entries.js';
import { useLive } from '../../parts/hooks.js';
import { isTyping } from '../../parts/keyboard.js';
import { currentRoute, go } from '../../parts/route.js';
import { VirtualList } from '../../parts/virtual-list.js';
import type { Live } from '../../wire/live.js';
import { EntryDetails } from './entry-details.js';
import { EntryRow, summaryOf } from './entry-row.js';

/** As in the style sheet. */
const ROW_HEIGHT = 30;

const KINDS = ['request', 'change', 'posting', 'timer', 'delivery', 'control', 'fault', 'clock'] as const;

interface TimelineProps {
  readonly live: Live;
  readonly id: string | undefined;
}

/** One stream of everything that happens, newest first. */
export function Timeline({ live, id }: TimelineProps) {
  useLive(live);
  const [text, setText] = useState('');
  const [kind, setKind] = useState('');
  const [paused, setPaused] = useState<readonly TimelineEntry[]>();
  const search = useRef<HTMLInputElement>(null);
  const entries = paused ?? live.entries;
  const shown = useMemo(() => matching(entries, kind, text), [entries, kind, text]);
  const selected = shown.findIndex(({ seq }) => String(seq) === id);
  const entry = selected >= 0 ? shown[selected] : entries.find(({ seq }) => String(seq) === id);
  // A key may come before the effects of the last drawing have run: it looks at what is drawn, and at the address.
  const drawn = useRef(shown);
  drawn.current = shown;

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event)) return;
      if (event.key === '/') search.current?.focus();
      else if (event.key === 'j' || event.key === 'k') {
        const here = currentRoute().id;
        const at = drawn.current.findIndex(({ seq }) => String(seq) === here);
        const next = drawn.current[Math.max(0, at + (event.key === 'j' ? 1 : -1))];
        if (next !== undefined) go('timeline', next.seq);
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);

  return (
    <div class={entry === undefined ? 'split' : 'split has-details'}>
      <section class="list" aria-label="Timeline">
        <search class="bar">
          <input
            ref={search}
            type="search"
            placeholder="Search: operation, id, status, account, key  ( / )"
            aria-label="Search the timeline"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <select aria-label="Kind of entry" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">everything</option>
            {KINDS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <button
            type="button"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused === undefined ? live.entries : undefined)}
          >
            {paused === undefined ? 'Pause' : 'Go on'}
          </button>
        </search>
        {live.hasGap && <p class="note">Entries were lost: more happened than the page could read.</p>}
        {shown.length === 0 ? (
          <p class="empty">{entries.length === 0 ? 'Nothing has happened yet. Send a request.' : 'Nothing matches.'}</p>
        ) : (
          <VirtualList
            items={shown}
            rowHeight={ROW_HEIGHT}
            label="Entries, newest first"
            selected={selected < 0 ? undefined : selected}
            row={(one) => <EntryRow key={one.seq} entry={one} isSelected={one === entry} />}
          />
        )}
      </section>
      {entry !== undefined && <EntryDetails entry={entry} entries={entries} />}
    </div>
  );
}

/** Newest first. */
function matching(entries: readonly TimelineEntry[], kind: string, text: string): TimelineEntry[] {
  const wanted = text.trim().toLowerCase();
  const found: TimelineEntry[] = [];
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry === undefined || (kind !== '' && entry.kind !== kind)) continue;
    if (wanted === '' || textOf(entry).includes(wanted)) found.push(entry);
  }
  return found;
}

const texts = new WeakMap<TimelineEntry, string>();

/** What a search looks into. Kept: a search runs again with each new entry. */
function textOf(entry: TimelineEntry): string {
  let text = texts.get(entry);
  if (text === undefined) {
    const { title, detail } = summaryOf(entry);
    const more = entry.kind === 'request' ? [entry.path, entry.key, entry.apiKey, entry.account, entry.instance] : [];
    text = [entry.seq, entry.kind, title, detail, ...more].join(' ').toLowerCase();
    texts.set(entry, text);
  }
  return text;
}
