import { useEffect } from 'preact/hooks';
import type { Operation, Parameter, ServiceApi } from '../../parts/forms/documents.js';
import { Fields, Hint } from '../../parts/forms/fields.js';
import { FieldsOrJson } from '../../parts/forms/fields-or-json.js';
import { type FormManner, rowsOf } from '../../parts/forms/rows.js';
import { at, type Members, put, type Schema } from '../../parts/forms/schema.js';
import { useReading } from '../../parts/hooks.js';
import type { SandboxKey } from '../../wire/sandbox.js';
import { Code } from './code.js';
import { changed, type Draft } from './draft.js';
import { newDraft } from './filling.js';
import { keep, kept, submit } from './kept.js';

interface OperationFormProps {
  readonly api: ServiceApi;
  readonly operation: Operation;
  /** The address of the form in the view. */
  readonly id: string;
  /** The members of the path that the address names. */
  readonly given: Members;
}

/** One operation, and its form. */
export function OperationForm({ api, operation, id, given }: OperationFormProps) {
  const { draft, said } = kept.value[id] ?? {};
  const fill = (): void => {
    newDraft(api, operation, given).then(
      (next) => keep(id, { draft: next }),
      (error: Error) => keep(id, { said: error.message }),
    );
  };
  useEffect(() => {
    if (draft === undefined) fill();
  }, []);
  const needed = draft?.open.flatMap(({ place, maker }) => (at(draft, place) === '' ? (maker ?? []) : [])) ?? [];
  return (
    <>
      <Head operation={operation} />
      {draft === undefined ? (
        <p class="empty">{said ?? 'Filling in …'}</p>
      ) : (
        <form
          class="derived"
          aria-label={operation.summary}
          onSubmit={(event) => {
            event.preventDefault();
            void submit(api, operation, id, draft);
          }}
        >
          <Parts api={api} operation={operation} draft={draft} onDraft={(next) => keep(id, { draft: next })} />
          {needed.length > 0 && <p class="hint">Send calls {needed.join(', ')} first: there is no such id yet.</p>}
          <div class="send actions">
            <button type="submit" class="main">
              Send
            </button>
            <button type="button" onClick={fill}>
              Fill in fresh values
            </button>
            <span role="status">{said}</span>
            <Code operation={operation} draft={draft} />
          </div>
        </form>
      )}
    </>
  );
}

const IDEMPOTENCY: Readonly<Record<string, string>> = {
  safe: 'safe to send again',
  keyed: 'safe to send again with its idempotency key',
  unkeyed: 'not safe to send again',
};

/** What the operation does, and what the sandbox had to choose. */
function Head({ operation }: { readonly operation: Operation }) {
  const { name, summary, method, path, description, 'x-invented': invented = [] } = operation;
  return (
    <header>
      <h2 class="pane-title">{summary}</h2>
      <p class="mono">
        {method} {path}
      </p>
      <p class="soft">
        {name} · {operation['x-stability']} · {IDEMPOTENCY[operation['x-idempotency']]}
      </p>
      <Hint text={[description, ...invented.map((text) => `The sandbox: ${text}`)].join('\n\n')} />
    </header>
  );
}

const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const;

/** The header that names the signing key. The document has it as a security scheme. */
const API_KEY: Parameter = {
  name: 'API-Key',
  in: 'header',
  description: 'It signs the request. Default: the first API key that is not revoked.',
  schema: { type: 'string' },
};

interface PartsProps {
  readonly api: ServiceApi;
  readonly operation: Operation;
  readonly draft: Draft;
  onDraft(draft: Draft): void;
}

/** The parts of the request: path, query, headers and body. */
function Parts({ api, operation, draft, onDraft }: PartsProps) {
  const { data: keys = [] } = useReading<readonly SandboxKey[]>('keys');
  const { parameters, body } = operation;
  const apiKeys = keys.map(
    ({ apiKey, revoked }) => [apiKey, `${apiKey.slice(0, 12)}…${revoked ? ' (revoked)' : ''}`] as const,
  );
  const manner: FormManner = { api, isOfService: true, choices: { 'header.API-Key': apiKeys } };
  return (
    <>
      {PLACES.map(([place, title]) => {
        const members = [API_KEY, ...parameters].filter((one) => one.in === place);
        return (
          members.length > 0 && (
            <fieldset class="group" key={place}>
              <legend>{title}</legend>
              <Fields
                rows={rowsOf(manner, objectOf(members), draft[place], [place], true)}
                put={(path, value) => onDraft(changed(draft, place, put(draft[place], path.slice(1), value) ?? {}))}
              />
            </fieldset>
          )
        );
      })}
      {body !== undefined && (
        <FieldsOrJson
          label="Body"
          heading={<b>Body</b>}
          text={draft.body ?? ''}
          isAny={true}
          onText={(text) => onDraft(changed(draft, 'body', text))}
        >
          {(present) => (
            <Fields
              rows={rowsOf(manner, body.schema, present, ['body'], true)}
              put={(path, value) =>
                onDraft(changed(draft, 'body', JSON.stringify(put(present, path.slice(1), value) ?? {}, null, 2)))
              }
            />
          )}
        </FieldsOrJson>
      )}
    </>
  );
}

/** Parameters as the members of an object. The sandbox fills in a header that is left out. */
function objectOf(parameters: readonly Parameter[]): Schema {
  const properties = parameters.map(({ name, description, schema }) => [
    name,
    { ...schema, ...(description && { description }) },
  ]);
  const required = parameters.filter((one) => one.required === true && one.in !== 'header').map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}
