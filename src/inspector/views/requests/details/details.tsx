import { callOf, callWith } from '../../../parts/calls.js';
import { entryAt } from '../../../parts/entries/find.js';
import { summaryOf } from '../../../parts/entries/summary.js';
import { Facts } from '../../../parts/facts.js';
import { useReading } from '../../../parts/hooks.js';
import { Pane } from '../../../parts/pane.js';
import { momentOf } from '../../../parts/values/times.js';
import { operationTitle } from '../../../parts/values/words.js';
import { hrefHere, hrefOf } from '../../../wire/address.js';
import { live } from '../../../wire/live.js';
import type { JournalEntry, TimelineEntry } from '../../../wire/sandbox.js';
import { CallDetails } from './call-details.js';

/** What is open: a call by one of its attempts, or another entry of the timeline. */
export function Details({ id }: { readonly id: string }) {
  const seq = Number(id);
  const known = entryAt(live.entries.value, seq);
  // The sandbox keeps requests for longer than the page.
  const wanted = known === undefined && /^[1-9]\d*$/.test(id) ? `journal?after=${seq - 1}&limit=1` : undefined;
  const { data, problem } = useReading<JournalEntry[]>(wanted);
  const entry: TimelineEntry | undefined = known ?? entryAt(data ?? [], seq);
  const isLoading = live.isLoading.value || (wanted !== undefined && data === undefined && problem === undefined);
  const title = entry === undefined ? `Entry ${id}` : titleOf(entry);
  return (
    <Pane label={`Entry ${id}`} title={title} closeHref={hrefHere()}>
      {entry === undefined ? (
        <p class="empty">
          {isLoading ? 'Loading …' : 'The sandbox does not have this entry: it was dropped, or has not come yet.'}
        </p>
      ) : entry.kind === 'request' ? (
        <CallDetails call={callWith(seq) ?? callOf(entry)} attempt={entry} title={title} />
      ) : (
        <Other entry={entry} />
      )}
    </Pane>
  );
}

function titleOf(entry: TimelineEntry): string {
  if (entry.kind !== 'request') return summaryOf(entry).title;
  return entry.operation === undefined ? 'No operation of the API' : operationTitle(entry.operation);
}

/** The members of an entry that not every entry has, its cause, and what it brought about. */
function Other({ entry }: { readonly entry: TimelineEntry }) {
  const { kind, seq, at, real, cause, ...members } = entry;
  const entries = live.entries.value;
  const facts = Object.entries(members).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value, null, 1)] as const,
  );
  const resource = kind === 'change' && <a href={hrefOf('resources', entry.resource, entry.id)}>{entry.id}</a>;
  const ends = { resource, 'sandbox time': momentOf(at), 'real time': momentOf(real) };
  return (
    <>
      <Facts facts={[['kind', kind], ...facts, ...Object.entries(ends)]} />
      <Links title="Caused by" entries={[entryAt(entries, cause) ?? []].flat()} />
      <Links title="Effects" entries={entries.filter((one) => one.cause === seq && one.kind !== 'request')} />
    </>
  );
}

/** Longer lists are cut: one move of the clock may have thousands of effects. */
const MAX_LINKS = 50;

/** Entries that belong to another, each as a link. Nothing if there are none. */
function Links({ title, entries }: { readonly title: string; readonly entries: readonly TimelineEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class="links">
        {entries.slice(0, MAX_LINKS).map((entry) => {
          const { title: name, result, detail, tone } = summaryOf(entry);
          return (
            <li key={entry.seq}>
              <a href={hrefOf('requests', entry.seq)}>
                <span class="soft">{entry.kind}</span> {name}{' '}
                <span class={`tone-${tone}`}>
                  {result} {detail}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      {entries.length > MAX_LINKS && <p class="hint">… and {entries.length - MAX_LINKS} more.</p>}
    </section>
  );
}
