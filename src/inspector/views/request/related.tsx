import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import type { JournalEntry } from '../../../sandbox/service/journal/journal.js';
import { resourcesIn } from '../../parts/links/resource-paths.js';
import { hrefOf } from '../../parts/links/route.js';
import { Links } from '../timeline/links.js';

interface RelatedProps {
  readonly entry: JournalEntry;
  readonly entries: readonly TimelineEntry[];
}

/** The resources that a request is about, and the requests that belong to it. */
export function Related({ entry, entries }: RelatedProps) {
  const replays = entries.filter((one) => one.kind === 'request' && one.cause === entry.seq);
  const sameKey = entry.key === undefined ? [] : entries.filter((one) => one !== entry && hasKey(one, entry.key));
  return (
    <>
      <Resources entry={entry} entries={entries} />
      <Links title="Sent again from here" entries={replays} />
      <Links title="Other requests with the same idempotency key" entries={sameKey} />
    </>
  );
}

const hasKey = (one: TimelineEntry, key = ''): boolean =>
  one.kind === 'request' && one.key?.toLowerCase() === key.toLowerCase();

/** The resources that the path names, and those that the request has made or changed. */
function Resources({ entry, entries }: RelatedProps) {
  const changed = entries.flatMap((one) =>
    one.kind === 'change' && one.cause === entry.seq ? [{ kind: one.resource, id: one.id }] : [],
  );
  const byHref = new Map(
    [...resourcesIn(entry.path), ...changed].map((one) => [hrefOf('resources', one.kind, one.id), one]),
  );
  if (byHref.size === 0) return null;
  return (
    <section>
      <h3>Resources</h3>
      <ul class="links">
        {[...byHref].slice(0, MAX_RESOURCES).map(([href, { kind, id }]) => (
          <li key={href}>
            <a href={href}>
              <span class="kind">{kind}</span> {id}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A request of the API has at most a few. */
const MAX_RESOURCES = 20;
