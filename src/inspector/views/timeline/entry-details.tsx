import type { TimelineEntry } from '../../../sandbox/timeline/entries.js';
import { momentOf } from '../../parts/format.js';
import { hrefOf } from '../../parts/route.js';
import { RequestDetails } from '../request/request-details.js';
import { summaryOf } from './entry-row.js';

interface EntryDetailsProps {
  readonly entry: TimelineEntry;
  readonly entries: readonly TimelineEntry[];
}

/** An entry with its cause and what it brought about. */
export function EntryDetails({ entry, entries }: EntryDetailsProps) {
  const cause = entries.find(({ seq }) => seq === entry.cause);
  const effects = entries.filter(({ cause }) => cause === entry.seq);
  return (
    <section class="details" aria-label={`Entry ${entry.seq}`}>
      <header>
        <h2>{summaryOf(entry).title}</h2>
        <a class="close" href={hrefOf('timeline')} aria-label="Close the details">
          ×
        </a>
      </header>
      {entry.kind === 'request' ? <RequestDetails entry={entry} /> : <Members entry={entry} />}
      <dl class="facts">
        <dt>sandbox time</dt>
        <dd>{momentOf(entry.at)}</dd>
        <dt>machine time</dt>
        <dd>{momentOf(entry.real)}</dd>
      </dl>
      {cause !== undefined && <Links title="Caused by" entries={[cause]} />}
      {effects.length > 0 && <Links title="Brought about" entries={effects} />}
    </section>
  );
}

/** All that an entry has, beside what every entry has. */
function Members({ entry }: { readonly entry: TimelineEntry }) {
  const { kind: _, seq: __, at: ___, real: ____, cause: _____, ...members } = entry;
  return (
    <dl class="facts">
      {Object.entries(members).map(([name, value]) => [
        <dt key={`${name} name`}>{name}</dt>,
        <dd key={name}>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>,
      ])}
    </dl>
  );
}

function Links({ title, entries }: { readonly title: string; readonly entries: readonly TimelineEntry[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul class="links">
        {entries.map((entry) => {
          const { title: name, detail, tone } = summaryOf(entry);
          return (
            <li key={entry.seq}>
              <a href={hrefOf('timeline', entry.seq)}>
                <span class={`kind kind-${entry.kind}`}>{entry.kind}</span> {name}{' '}
                <span class={`tone-${tone}`}>{detail}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
