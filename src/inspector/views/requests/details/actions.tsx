import { useState } from 'preact/hooks';
import type { RequestDetails } from '../../../../sandbox/drive/requests/details.js';
import type { JournalEntry } from '../../../../sandbox/service/journal/journal.js';
import { Action } from '../../../parts/actions/action.js';
import { Forms } from '../../../parts/forms/method-form.js';
import { hrefOf } from '../../../wire/address.js';

/** Statuses that a client meets most; the document has the names of all other faults. */
const STATUSES = [503, 500, 429].map((status) => [`${status}`, `${status}`] as const);

/** Options of a fault that the form Faults has. */
const OWN_OPTIONS = ['code', 'type', 'causes', 'docUrl', 'retryAfterSeconds', 'bytesPerSecond'].map(
  (name) => `options.does.${name}`,
);

/** Actions for a request: send it again, and let the next one like it fail. */
export function RequestActions({ entry }: { readonly entry: JournalEntry }) {
  const { seq, operation, method, path, key } = entry;
  const [sent, setSent] = useState<JournalEntry>();
  const target =
    operation === undefined ? { 'options.match.path': path.split('?')[0] } : { 'options.match.operation': operation };
  const show = (answer: unknown): void => setSent(answer as RequestDetails);
  return (
    <section aria-label="Actions" class="request-actions">
      <h3>Again, signed by the sandbox</h3>
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
          <a href={hrefOf('requests', sent.seq)}>
            entry {sent.seq}: {sent.status ?? 'no answer'} {sent.verdict}
          </a>
        )}
      </div>
      <Forms
        specs={[
          {
            label: `Fail the next ${operation ?? `${method} of this path`}`,
            method: 'troubles/add',
            given: { ...target, 'options.times': 1 },
            begin: { 'options.does.fault': 503 },
            only: ['options.does'],
            fit: () => ({ choices: { 'options.does.fault': STATUSES }, hidden: OWN_OPTIONS }),
            done: 'The next one fails. The view Faults stops it.',
          },
        ]}
      />
    </section>
  );
}
