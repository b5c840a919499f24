import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SandboxKey } from '../../../sandbox/drive/keys.js';
import type { SendResult } from '../../../sandbox/drive/requests/send.js';
import type { Operation, Parameter, ServiceApi } from '../../parts/forms/documents.js';
import { type Api, hintOf, type Members, type Schema } from '../../parts/forms/schema.js';
import { FormManner, MembersFields, SchemaField } from '../../parts/forms/schema-field.js';
import { useReading } from '../../parts/hooks.js';
import { Coded } from '../../parts/values/coded.js';
import { Code } from './code.js';
import { type Draft, decided, newDraft, type Place, prepared, send, withValue } from './draft.js';
import { Result } from './result.js';

/** Forms and answers by address. They survive a visit to another view. */
const kept = new Map<string, { draft?: Draft | undefined; result?: SendResult | undefined }>();

/** The visible form. The user may have left it and come back before its answer arrives. */
let seen: { readonly id: string; readonly show: (result: SendResult) => void } | undefined;

interface OperationFormProps {
  readonly api: ServiceApi;
  readonly operation: Operation;
  /** The address of the form in the view. */
  readonly id: string;
  /** The members of the path that the address names. */
  readonly given: Members;
}

/** The form of one operation, what the sandbox makes of it, and the answer. */
export function OperationForm({ api, operation, id, given }: OperationFormProps) {
  const [draft, setDraft] = useState<Draft | undefined>(() => kept.get(id)?.draft);
  const [result, setResult] = useState(() => kept.get(id)?.result);
  const [said, setSaid] = useState<string>();
  const answer = useRef<HTMLDivElement>(null);
  const { data: keys = [] } = useReading<readonly SandboxKey[]>('keys');
  const choices = { 'header.API-Key': keys.map(keyChoice) };
  // Before the page is painted: a later effect does not run if the user leaves the form.
  useLayoutEffect(() => {
    kept.set(id, { draft, result });
  }, [id, draft, result]);
  useLayoutEffect(() => {
    seen = { id, show: setResult };
  }, [id]);
  const fill = (): void => {
    newDraft(api, operation, given).then(setDraft, (error: Error) => setSaid(error.message));
  };
  useEffect(() => {
    if (draft === undefined) fill();
  }, []);

  const submit = async (from: Draft): Promise<void> => {
    setSaid('sending …');
    try {
      const ready = await prepared(api, from);
      // Keeps what the user has typed meanwhile.
      setDraft((now) => (now === from ? ready : now));
      const sent = await send(operation, ready);
      kept.set(id, { ...kept.get(id), result: sent });
      if (seen?.id === id) seen.show(sent);
      setSaid(`answered ${sent.status ?? 'nothing'}`);
      // The answer stands below the form, which may be long.
      setTimeout(() => answer.current?.scrollIntoView({ block: 'start' }));
    } catch (error) {
      setSaid((error as Error).message);
    }
  };

  return (
    <div class="operation">
      <Head operation={operation} />
      {draft === undefined ? (
        <p class="empty">{said ?? 'Filling in …'}</p>
      ) : (
        <form
          class="panel"
          aria-label={operation.title}
          onSubmit={(event) => {
            event.preventDefault();
            void submit(draft);
          }}
        >
          <FormManner.Provider value={{ api, isOfService: true, choices }}>
            <Parameters operation={operation} draft={draft} onDraft={setDraft} />
            {operation.body !== undefined && (
              <BodyForm
                api={api}
                schema={operation.body.schema}
                text={draft.body ?? ''}
                onText={(body) =>
                  setDraft({ ...draft, body, open: draft.open.filter(({ place }) => !place.startsWith('body.')) })
                }
              />
            )}
          </FormManner.Provider>
          <div class="send">
            <button type="submit" class="main">
              Send
            </button>
            <button type="button" onClick={fill}>
              Fill in fresh values
            </button>
            <Code operation={operation} draft={draft} />
            <span role="status">{said}</span>
          </div>
          <Missing draft={draft} />
        </form>
      )}
      <div ref={answer}>
        {result !== undefined && draft !== undefined && (
          <Result
            key={result.seq}
            api={api}
            operation={operation}
            result={result}
            onNextPage={(token) => {
              const next = withValue(draft, `query.${operation.cursor}`, token);
              setDraft(next);
              void submit(next);
            }}
          />
        )}
      </div>
    </div>
  );
}

const keyChoice = ({ apiKey, revoked }: SandboxKey) =>
  [apiKey, `${apiKey.slice(0, 12)}…${revoked ? ' (revoked)' : ''}`] as const;

function Head({ operation }: { readonly operation: Operation }) {
  const { name, title, method, path, description, stability, idempotency, invented } = operation;
  return (
    <header class="panel">
      <h2>{title}</h2>
      <p>
        <code>
          {method} {path}
        </code>
      </p>
      <p class="hint">
        <code>{name}</code> · {STABILITY[stability] ?? stability} · {IDEMPOTENCY[idempotency] ?? idempotency}
      </p>
      {description.split(/\n\n+/).map((text) => (
        <p key={text}>
          <Coded text={text} />
        </p>
      ))}
      {invented.length > 0 && (
        <details>
          <summary>What the sandbox had to choose</summary>
          {invented.map((text) => (
            <p key={text}>
              <Coded text={text} />
            </p>
          ))}
        </details>
      )}
    </header>
  );
}

const STABILITY: Readonly<Record<string, string>> = {
  specified: 'specified by the API description',
  documented: 'documented in the public reference',
  partial: 'partial: only parts of it are known',
  assumed: 'assumed: its path is inferred from an older edition',
};

const IDEMPOTENCY: Readonly<Record<string, string>> = {
  safe: 'safe to send again',
  keyed: 'safe to send again with its idempotency key',
  unkeyed: 'not safe to send again',
};

interface ParametersProps {
  readonly operation: Operation;
  readonly draft: Draft;
  onDraft(draft: Draft): void;
}

function Parameters({ operation, draft, onDraft }: ParametersProps) {
  const parametersIn = (place: Place) => operation.parameters.filter((one) => one.in === place);
  const groups = [
    { place: 'path', title: 'Path', members: parametersIn('path') },
    { place: 'query', title: 'Query', members: parametersIn('query') },
    { place: 'header', title: 'Headers', members: [API_KEY, ...parametersIn('header').map(asOptional)] },
  ] as const;
  return (
    <>
      {groups.map(
        ({ place, title, members }) =>
          members.length > 0 && (
            <fieldset key={place} class="part">
              <legend>{title}</legend>
              <div class="fields">
                {members.map(({ name, schema, description, required = false }) => (
                  <SchemaField
                    key={name}
                    path={`${place}.${name}`}
                    schema={description === undefined ? schema : { ...schema, description }}
                    isRequired={required}
                    isNeeded={place === 'path' && !isOpen(draft, `path.${name}`)}
                    value={draft[place][name]}
                    onValue={(value) =>
                      onDraft(decided(withValue(draft, `${place}.${name}`, value), `${place}.${name}`))
                    }
                  />
                ))}
              </div>
            </fieldset>
          ),
      )}
    </>
  );
}

/** The header that names the signing key. The document has it as a security scheme. */
const API_KEY: Parameter = {
  name: 'API-Key',
  in: 'header',
  description: 'The sandbox signs with it. Left out: the first key that is not revoked.',
  schema: { type: 'string' },
};

/**
 * The sandbox fills in a header that is left out. It sends any text, so that the service judges it.
 */
const asOptional = ({ name, description }: Parameter): Parameter => ({
  name,
  in: 'header',
  description: `${description} Left out: the sandbox fills it in.`,
  schema: { type: 'string' },
});

const isOpen = (draft: Draft, place: string): boolean => draft.open.some((one) => one.place === place);

/** Says which operations are sent first, because the form needs their ids. */
function Missing({ draft }: { readonly draft: Draft }) {
  const missing = draft.open.filter(({ place, maker }) => {
    const [part = '', name = ''] = place.split('.');
    const value = part === 'path' ? draft.path[name] : undefined;
    return maker !== undefined && (value === undefined || value === '');
  });
  return (
    <>
      {missing.map(({ place, maker }) => (
        <p class="hint" key={place}>
          There is no {place.split('.')[1]} yet. Send asks {maker} for it first.
        </p>
      ))}
    </>
  );
}

interface BodyFormProps {
  readonly api: Api;
  readonly schema: Schema;
  /** The body as it is sent. */
  readonly text: string;
  onText(text: string): void;
}

/** A body as fields and as JSON, side by side: a change of one is a change of the other. */
function BodyForm({ api, schema, text, onText }: BodyFormProps) {
  const described = api.resolved(schema);
  const read = parsed(text);
  return (
    <fieldset class="part">
      <legend>Body</legend>
      <p class="hint">
        <Coded text={hintOf(described)} />
      </p>
      <div class="body">
        <div>
          {'problem' in read ? (
            <p class="note">The JSON cannot be read: {read.problem}. The fields come back when it can.</p>
          ) : (
            <MembersFields
              path="body"
              schema={described}
              value={read.value}
              onValue={(value) => onText(JSON.stringify(value ?? {}, null, 2))}
            />
          )}
        </div>
        <label class="json">
          <span class="field-name">as JSON, which is sent</span>
          <textarea
            value={text}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
            spellcheck={false}
            rows={Math.min(30, text.split('\n').length + 2)}
          />
        </label>
      </div>
    </fieldset>
  );
}

function parsed(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
