import type { JournalEntry } from '../../sandbox/request/journal.js';
import { pretty, spanOf } from '../parts/format.js';
import { useReading } from '../parts/hooks.js';

/** A head and a body, as the journal keeps them. */
interface KeptMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isCut?: boolean;
}

interface KeptRequest {
  readonly request?: KeptMessage;
  readonly response?: KeptMessage;
  readonly likely?: string;
}

/** A request: the verdict in a sentence, what was sent, and what was answered. */
export function RequestDetails({ entry }: { readonly entry: JournalEntry }) {
  const { data } = useReading<KeptRequest>(`journal/${entry.seq}`);
  const { method, path, status, verdict, causes, apiKey, account, nonce, key, fault, instance, ms } = entry;
  const facts = {
    verdict,
    status,
    account,
    'API key': apiKey,
    nonce,
    'idempotency key': key,
    fault,
    instance,
    took: spanOf(ms),
  };
  return (
    <>
      <p>
        <code>
          {method} {path}
        </code>
      </p>
      {data?.likely !== undefined && <p class="likely">Likely: {data.likely}.</p>}
      <dl class="facts">
        {Object.entries(facts).flatMap(([name, value]) =>
          value === undefined ? [] : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{String(value)}</dd>],
        )}
      </dl>
      {causes.length > 0 && (
        <section>
          <h3>Broken rules</h3>
          <ul>
            {causes.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Message title="Request" message={data?.request} />
      <Message title="Answer" message={data?.response} />
    </>
  );
}

function Message({ title, message }: { readonly title: string; readonly message: KeptMessage | undefined }) {
  if (message === undefined) return null;
  const head = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section>
      <h3>{title}</h3>
      <pre>{head.join('\n')}</pre>
      {message.body !== '' && <pre>{pretty(message.body)}</pre>}
      {message.isCut === true && <p class="note">The rest of the body was not kept.</p>}
    </section>
  );
}
