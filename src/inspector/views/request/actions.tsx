import { useState } from 'preact/hooks';
import type { RequestDetails } from '../../../sandbox/drive/requests/details.js';
import type { JournalEntry } from '../../../sandbox/service/journal/journal.js';
import { Action } from '../../parts/actions/action.js';
import { hrefOf } from '../../parts/links/route.js';

/** Faults by what the client sees. */
const FAULTS = [
  ['503', '503, overloaded'],
  ['500', '500, failed'],
  ['429', '429, too many requests'],
  ['html', '502, a page of HTML'],
  ['reset', 'the connection breaks'],
  ['timeout', 'no answer'],
  ['truncate', 'half an answer, after the effect'],
  ['garbage', 'an answer that is not JSON'],
] as const;

/** Actions for a request: send it again, and let the next one like it fail. */
export function RequestActions({ entry }: { readonly entry: JournalEntry }) {
  const { seq, operation, method, path, key } = entry;
  const [sent, setSent] = useState<JournalEntry>();
  const [kind, setKind] = useState('503');
  const fault = /^\d/.test(kind) ? Number(kind) : kind;
  const target = operation === undefined ? { match: { path: path.split('?')[0] } } : { operation };
  const show = (answer: unknown): void => setSent(answer as RequestDetails);
  return (
    <section aria-label="Actions" class="request-actions">
      <h3>Send it again, signed by the sandbox</h3>
      <div class="fields">
        <Action
          label={key === undefined ? 'Send again' : 'Send again, same key'}
          method="requests/replay"
          args={[seq]}
          done="sent"
          onDone={show}
        />
        {key !== undefined && (
          <Action
            label="Send again, new key"
            method="requests/replay"
            args={[seq, { key: 'new' }]}
            done="sent"
            onDone={show}
          />
        )}
        {sent !== undefined && (
          <a href={hrefOf('timeline', sent.seq)}>
            entry {sent.seq}: {sent.status ?? 'no answer'} {sent.verdict}
          </a>
        )}
      </div>
      <h3>Fail the next one like this</h3>
      <div class="fields">
        <select aria-label="How it fails" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          {FAULTS.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <Action
          label={`Fail the next ${operation ?? `${method} of this path`}`}
          method="faults/add"
          args={[{ ...target, fault, times: 1 }]}
          done="the next one fails; Faults takes it back"
        />
      </div>
    </section>
  );
}
