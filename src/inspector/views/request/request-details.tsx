import type { Cause } from '../../../sandbox/core/request/refusal.js';
import type { RequestDetails as Details } from '../../../sandbox/drive/requests/details.js';
import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import type { JournalEntry } from '../../../sandbox/service/journal/journal.js';
import { useReading } from '../../parts/hooks.js';
import { RequestActions } from './actions.js';
import { CodePanel } from './code-panel.js';
import { Difference } from './difference.js';
import { Facts } from './facts.js';
import { Answered, Sent } from './messages.js';
import { Related } from './related.js';
import { Signing } from './signing.js';
import { verdictOf } from './verdict.js';

interface RequestDetailsProps {
  readonly entry: JournalEntry;
  readonly entries: readonly TimelineEntry[];
  /** `seq` of another request: the details show the difference from it. */
  readonly comparedWith: number | undefined;
}

/** A request: the verdict in a sentence, why, what was sent, and what was answered. */
export function RequestDetails({ entry, entries, comparedWith }: RequestDetailsProps) {
  const { data, problem } = useReading<Details>(`journal/${entry.seq}`);
  const { causes, warnings = [], conflict, status = 0 } = entry;
  const isGood = status >= 200 && status < 300;
  return (
    <>
      <p class="target">
        <code>
          {entry.method} {entry.path}
        </code>
      </p>
      <p class={`outcome tone-${isGood ? 'good' : 'bad'}`}>{verdictOf(entry)}</p>
      <RefusalReason {...entry} />
      {data?.signing !== undefined && <Signing {...data.signing} />}
      {causes.length > 0 && entry.likely === undefined && (
        <section>
          <h3>Broken rules</h3>
          <Causes causes={causes} />
        </section>
      )}
      {warnings.length > 0 && (
        <section>
          <h3>Probably mistakes</h3>
          <Causes causes={warnings} />
        </section>
      )}
      {conflict !== undefined && data !== undefined && (
        <Difference other={conflict.first} name="first request with this key" now={data} />
      )}
      {comparedWith !== undefined && data !== undefined && (
        <Difference other={comparedWith} name="compared request" now={data} isWhole />
      )}
      <Facts entry={entry} entries={entries} />
      <RequestActions entry={entry} />
      {data !== undefined && <CodePanel details={data} entries={entries} />}
      {problem !== undefined && <p class="hint">The sandbox has dropped what was sent: {problem}</p>}
      {data === undefined && problem === undefined && <p class="hint">Loading what was sent …</p>}
      {data !== undefined && <Sent {...data} />}
      {data?.response !== undefined && <Answered {...data.response} />}
      {data !== undefined && status === 0 && data.response === undefined && <p class="hint">There was no answer.</p>}
      <Related entry={entry} entries={entries} />
    </>
  );
}

/** A list of members, each with what is wrong with it. */
function Causes({ causes }: { readonly causes: readonly Cause[] }) {
  return (
    <ul class="causes">
      {causes.map(({ field, message }) => (
        <li key={`${field} ${message}`}>
          <code>{field}</code> {message}
        </li>
      ))}
    </ul>
  );
}

/** Advice for when none of the usual mistakes was made. */
const UNFOUND: Readonly<Record<string, string>> = {
  bad_signature:
    'None of the usual mistakes makes this signature. Most often the secret is that of another API key, or it has a character too many.',
  unknown_key: 'The view Keys lists all API keys of this sandbox.',
};

/** Why a request was refused with 401, first of all that is told of it. */
function RefusalReason({ likely, verdict, status }: JournalEntry) {
  if (likely === undefined && status !== 401) return null;
  const reason = likely ?? UNFOUND[verdict];
  if (reason === undefined) return null;
  return (
    <p class="likely">
      <strong>{likely === undefined ? 'No usual mistake' : 'Likely mistake'}:</strong> {reason}
    </p>
  );
}
