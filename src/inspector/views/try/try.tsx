import { type Operation, useServiceApi } from '../../parts/forms/documents.js';
import { SearchField } from '../../parts/forms/search-field.js';
import { useKept } from '../../parts/kept.js';
import { hrefOf } from '../../parts/links/route.js';
import type { ViewProps } from '../../parts/view-props.js';
import { OperationForm } from './operation-form.js';

/** As in the style sheet: a narrower page does not show list and form side by side. */
const WIDE = '(min-width: 761px)';

/** The operation that is selected at first. */
const FIRST = 'accounts.quotes.create';

/** All operations as forms, which the sandbox signs and sends. */
export function Try({ id }: ViewProps) {
  const { data: api, problem } = useServiceApi();
  if (api === undefined) return <p class="empty">{problem ?? 'Reading the operations …'}</p>;
  // A wide page has room for a form beside the list: it is never empty.
  const address = id ?? (matchMedia(WIDE).matches ? FIRST : '');
  const [name = '', ...places] = address.split('/');
  const operation = api.operations.find((one) => one.name === name);
  return (
    <div class={operation === undefined ? 'try' : 'try has-operation'}>
      <OperationList operations={api.operations} selected={operation?.name} />
      <div class="chosen">
        {operation === undefined ? (
          <p class="empty">
            {id === undefined
              ? 'Choose an operation. Its form is filled in, and the sandbox signs what you send.'
              : `There is no operation ${name}.`}
          </p>
        ) : (
          <>
            <a class="back" href={hrefOf('try')}>
              ← all operations
            </a>
            <OperationForm
              key={address}
              api={api}
              operation={operation}
              id={address}
              given={Object.fromEntries(places.join('/').split('&').map(memberIn))}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** Reads `quote_id=5f0c`. */
function memberIn(text: string): [name: string, value: string] {
  const mark = text.indexOf('=');
  return mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)];
}

interface OperationListProps {
  readonly operations: readonly Operation[];
  /** The name of the one that is shown. */
  readonly selected: string | undefined;
}

/** All operations in their groups, and a search. */
function OperationList({ operations, selected }: OperationListProps) {
  const [text, setText] = useKept('try search', '');
  const wanted = text.trim().toLowerCase().split(/\s+/);
  const found = operations.filter((one) => {
    const all = `${one.name} ${one.title} ${one.method} ${one.path} ${one.stability}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
  const groups = [...new Set(found.map(({ tag }) => tag))];
  return (
    <section class="operations" aria-label="Operations">
      <search class="bar">
        <SearchField
          label="Search the operations"
          placeholder="Search: quote, POST, webhooks"
          value={text}
          onText={setText}
        />
      </search>
      {found.length === 0 && <p class="empty">No operation matches.</p>}
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h2>{group}</h2>
          <ul>
            {found
              .filter(({ tag }) => tag === group)
              .map(({ name, title, method, stability }) => (
                <li key={name}>
                  <a href={hrefOf('try', name)} aria-current={name === selected ? 'true' : undefined}>
                    <span class="method">{method}</span> <span>{title}</span>
                    {stability !== 'specified' && <span class="mark"> {stability}</span>}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
