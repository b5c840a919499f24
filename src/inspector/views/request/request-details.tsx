import type { RequestDetails as Details, MessageBody } from '../../../sandbox/controls/requests/details.js';
import type { JournalEntry } from '../../../sandbox/request/journal.js';
import { pretty, spanOf } from '../../parts/format.js';
import { useReading } from '../../parts/hooks.js';

/** A request: the verdict in a sentence, what was sent, and what was answered. */
export function RequestDetails({ entry }: { readonly entry: JournalEntry }) {
  const { data } = useReading<Details>(`journal/${entry.seq}`);
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
      {entry.likely !== undefined && <p class="likely">Likely: {entry.likely}</p>}
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
      {data?.request !== undefined && <Message title="Request" {...data.request} />}
      {data?.response !== undefined && <Message title={`Answer ${data.response.status}`} {...data.response} />}
    </>
  );
}

interface MessageProps {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: MessageBody | undefined;
}

function Message({ title, headers, body }: MessageProps) {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section>
      <h3>{title}</h3>
      <pre>{head.join('\n')}</pre>
      {body !== undefined && body.bytes > 0 && <pre>{body.text === undefined ? body.base64 : pretty(body.text)}</pre>}
      {body?.isCut === true && <p class="note">The first part of {body.bytes} bytes.</p>}
    </section>
  );
}
