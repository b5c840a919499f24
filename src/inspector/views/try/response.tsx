import { Tabs } from '../../parts/choices.js';
import { Code } from '../../parts/code.js';
import { verdictOf } from '../../parts/entries/verdict.js';
import { Facts } from '../../parts/facts.js';
import type { Operation, ServiceApi } from '../../parts/forms/documents.js';
import { useReading } from '../../parts/hooks.js';
import { Status, toneOf, Verdict } from '../../parts/marks.js';
import { spanOf } from '../../parts/values/times.js';
import { addressed, hrefOf } from '../../wire/address.js';
import type { JournalEntry, SendResult } from '../../wire/sandbox.js';
import { idIn } from './draft.js';

const tab = addressed('tab', 'body');

interface ResponseProps {
  readonly api: ServiceApi;
  readonly operation: Operation;
  readonly response: SendResult;
  onClose(): void;
  onNextPage(token: string): void;
}

/** The response of the service, and what may come next. */
export function Response({ api, operation, response, onClose, onNextPage }: ResponseProps) {
  const { seq, status, headers, body } = response;
  const { data: entry } = useReading<JournalEntry>(`journal/${seq}`);
  const token = operation.cursor === undefined ? undefined : idIn(response, ['next_page_token']);
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return (
    <section class="pane" aria-label="Response">
      <header>
        <h2 class="pane-title">
          Response <Status status={status} />
        </h2>
        <button type="button" class="close quiet" aria-label="Close the response" onClick={onClose}>
          ✕
        </button>
      </header>
      <a href={hrefOf('requests', seq)}>request {seq}</a>
      {entry !== undefined && (
        <>
          <Verdict tone={toneOf(status)} title={verdictOf(entry)}>
            It took {spanOf(entry.ms)}. {entry.likely !== undefined && `Likely mistake: ${entry.likely}.`}
          </Verdict>
          <Facts facts={entry.causes.map(({ field, message }) => [<code key={field}>{field}</code>, message])} />
        </>
      )}
      <NextSteps api={api} operation={operation} response={response} />
      {token !== undefined && (
        <button type="button" onClick={() => onNextPage(token)}>
          Send for the next page
        </button>
      )}
      <Tabs
        label="Parts of the response"
        of={[
          ['body', 'Body'],
          ['headers', 'Headers', Object.keys(headers).length],
        ]}
        value={tab.value}
        onChange={tab.set}
      >
        {tab.value === 'headers' ? (
          <Facts facts={Object.entries(headers)} />
        ) : body === undefined ? (
          <p class="soft">No body.</p>
        ) : (
          <Code label="Body of the response" text={text} />
        )}
      </Tabs>
    </section>
  );
}

/** The operations that take the id in the response, and the way to what it is. */
function NextSteps({ api, operation, response }: Pick<ResponseProps, 'api' | 'operation' | 'response'>) {
  const [id, kind] = [idIn(response), kindOf(operation)];
  if (id === undefined || kind === undefined || response.status !== 200) return null;
  return (
    <section aria-label="Next steps" class="actions">
      <span class="soft">Go on with</span>
      {api.operations.map(({ name, parameters }) => {
        const taken = parameters.find((one) => one.in === 'path' && one.schema['x-id-of'] === kind);
        return (
          taken !== undefined &&
          name !== operation.name && (
            <a key={name} href={hrefOf('try', name, `${taken.name}=${id}`)}>
              {name}
            </a>
          )
        );
      })}
      <a href={hrefOf('resources', kind, id)}>see it in Resources</a>
    </section>
  );
}

/** The kind of the resource that an operation makes, or else of the one that its path names. */
function kindOf({ 'x-makes': made, parameters }: Operation): string | undefined {
  const last = parameters.findLast((one) => one.in === 'path')?.schema['x-id-of'];
  return made ?? (last === 'accounts' || typeof last !== 'string' ? undefined : last);
}
