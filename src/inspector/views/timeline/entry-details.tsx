import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import type { JournalEntry } from '../../../sandbox/service/journal/journal.js';
import { FactList } from '../../parts/fact-list.js';
import { useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { momentOf } from '../../parts/values/format.js';
import { RequestDetails } from '../request/request-details.js';
import { entryAt } from './find.js';
import { Links } from './links.js';
import { summaryOf } from './summary.js';

interface EntryDetailsProps {
  readonly id: string;
  /** Undefined: the page has it no more, or not yet. */
  readonly entry: TimelineEntry | undefined;
  readonly entries: readonly TimelineEntry[];
  /** True if a key has opened it: the focus goes on from it. */
  readonly isStepped: boolean;
  /** The `seq` of the request from which the details show the difference. */
  readonly compared: number | undefined;
  onCompare(seq: number | undefined): void;
  onTrace(entry: TimelineEntry): void;
}

/** An entry with its cause and what it brought about. */
export function EntryDetails({ id, entry: known, entries, compared, ...more }: EntryDetailsProps) {
  const { isStepped, onCompare, onTrace } = more;
  const section = useFocus(id, isStepped);
  // The sandbox keeps requests for longer than the page.
  const wanted = known === undefined && /^[1-9]\d*$/.test(id) ? `journal?after=${Number(id) - 1}&limit=1` : undefined;
  const { data, problem } = useReading<JournalEntry[]>(wanted);
  const entry: TimelineEntry | undefined = known ?? entryAt(data ?? [], Number(id));
  return (
    <section class="details" aria-label={`Entry ${id}`} ref={section} tabIndex={-1}>
      <header>
        <h2>{entry === undefined ? `Entry ${id}` : summaryOf(entry).title}</h2>
        <a class="close" href={hrefOf('timeline')} aria-label="Close the details">
          ×
        </a>
      </header>
      {entry === undefined ? (
        <p class="empty">
          {wanted !== undefined && data === undefined && problem === undefined
            ? 'Loading …'
            : 'The sandbox does not have this entry: it was dropped, or has not come yet.'}
        </p>
      ) : (
        <>
          <div class="handles">
            <button type="button" onClick={() => onTrace(entry)}>
              Show trace
            </button>
            {entry.kind === 'request' && (
              <button
                type="button"
                aria-pressed={compared === entry.seq}
                onClick={() => onCompare(compared === entry.seq ? undefined : entry.seq)}
              >
                Compare with another
              </button>
            )}
          </div>
          {compared === entry.seq && <p class="hint">Open another request: it shows the difference from this one.</p>}
          <Known entry={entry} entries={entries} comparedWith={compared === entry.seq ? undefined : compared} />
        </>
      )}
    </section>
  );
}

/** Takes the focus if it is wanted, and gives it back to the row when the details are closed. */
function useFocus(id: string, isWanted: boolean): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = section.current;
    if (isWanted) element?.focus({ preventScroll: true });
    return () => {
      if (element?.contains(document.activeElement) !== true) return;
      // A narrow page shows the rows when the details have gone.
      // Other details may have the focus then.
      setTimeout(() => {
        const row = document.querySelector<HTMLElement>(`.virtual a[href="${hrefOf('timeline', id)}"]`);
        if (document.activeElement === document.body) row?.focus();
      });
    };
  }, []);
  return section;
}

interface KnownProps {
  readonly entry: TimelineEntry;
  readonly entries: readonly TimelineEntry[];
  readonly comparedWith: number | undefined;
}

function Known({ entry, entries, comparedWith }: KnownProps) {
  const cause = entryAt(entries, entry.cause);
  const effects = entries.filter((one) => one.cause === entry.seq && one.kind !== 'request');
  return (
    <>
      {entry.kind === 'request' ? (
        <RequestDetails entry={entry} entries={entries} comparedWith={comparedWith} />
      ) : (
        <Members entry={entry} />
      )}
      <Links title="Caused by" entries={cause === undefined ? [] : [cause]} />
      <Links title="Effects" entries={effects} />
      <FactList
        facts={[
          ['sandbox time', momentOf(entry.at)],
          ['real time', momentOf(entry.real)],
        ]}
      />
    </>
  );
}

/** The members of an entry that not every entry has. */
function Members({ entry }: { readonly entry: TimelineEntry }) {
  const { kind: _, seq: __, at: ___, real: ____, cause: _____, ...members } = entry;
  const facts = Object.entries(members).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value, null, 1)] as const,
  );
  const resource = entry.kind === 'change' && <a href={hrefOf('resources', entry.resource, entry.id)}>{entry.id}</a>;
  return <FactList facts={[...facts, ['resource', resource]]} />;
}
