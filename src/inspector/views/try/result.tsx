import type { SendResult } from '../../../sandbox/drive/requests/send.js';
import type { JournalEntry } from '../../../sandbox/service/journal/journal.js';
import { verdictOf } from '../../parts/entries/verdict.js';
import type { Operation, ServiceApi } from '../../parts/forms/documents.js';
import { useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { spanOf } from '../../parts/values/format.js';
import { idIn, kindOf, nextStepsOf } from './draft.js';

interface ResultProps {
  readonly api: ServiceApi;
  readonly operation: Operation;
  readonly result: SendResult;
  onNextPage(token: string): void;
}

/** The answer of the service, and what may come next. */
export function Result({ api, operation, result, onNextPage }: ResultProps) {
  const { seq, status, headers, body } = result;
  const { data: entry } = useReading<JournalEntry>(`journal/${seq}`);
  const token = operation.cursor === undefined ? undefined : idIn(result, ['next_page_token']);
  return (
    <section class="panel" aria-label="Answer">
      <h2>
        <span class={`badge ${status !== undefined && status < 400 ? 'tone-good' : 'tone-bad'}`}>
          {status ?? 'no answer'}
        </span>{' '}
        Answer <a href={hrefOf('requests', seq)}>request {seq} in the timeline</a>
      </h2>
      {entry !== undefined && (
        <>
          <p>
            {verdictOf(entry)} <span class="hint">It took {spanOf(entry.ms)}.</span>
          </p>
          {entry.likely !== undefined && <p class="likely">Likely mistake: {entry.likely}</p>}
          {entry.causes.length > 0 && (
            <ul class="causes">
              {entry.causes.map(({ field, message }) => (
                <li key={`${field} ${message}`}>
                  <code>{field}</code> {message}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      <Steps api={api} operation={operation} result={result} />
      {token !== undefined && (
        <button type="button" onClick={() => onNextPage(token)}>
          Send for the next page
        </button>
      )}
      <details>
        <summary>Headers</summary>
        <pre>
          {Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </pre>
      </details>
      {body === undefined ? <p class="hint">No body.</p> : <pre>{textOf(body)}</pre>}
    </section>
  );
}

/** Longest text of an answer that is shown, in characters. */
const MAX_SHOWN = 100_000;

function textOf(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… the first part of ${text.length} characters` : text;
}

function Steps({ api, operation, result }: Pick<ResultProps, 'api' | 'operation' | 'result'>) {
  const [id, kind] = [idIn(result), kindOf(operation)];
  if (id === undefined || kind === undefined || result.status !== 200) return null;
  return (
    <section aria-label="Next steps" class="steps">
      <span>Go on with {id}:</span>
      {nextStepsOf(api, operation, kind).map(({ operation: next, member }) => (
        <a key={next} href={hrefOf('try', next, `${member}=${id}`)}>
          {next}
        </a>
      ))}
      <a href={hrefOf('resources', kind, id)}>see it in Resources</a>
    </section>
  );
}
