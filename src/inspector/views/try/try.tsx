import { Search } from '../../parts/choices.js';
import { type Operation, useServiceApi } from '../../parts/forms/documents.js';
import { List, Row } from '../../parts/list.js';
import { Split } from '../../parts/pane.js';
import { address, addressed, hrefHere, hrefOf, step } from '../../wire/address.js';
import { withValue } from './draft.js';
import { OperationForm } from './form.js';
import { keep, kept, submit } from './kept.js';
import { Response } from './response.js';

/** As in the style sheet: a narrower page does not show list and form side by side. */
const WIDE = '(min-width: 901px)';

/** The operation that is selected at first. */
const FIRST = 'accounts.quotes.create';

/**
 * All operations as forms, which the sandbox signs and sends; the response stands beside the form.
 */
export function Try() {
  const { data: api, problem } = useServiceApi();
  if (api === undefined) return <p class="empty">{problem ?? 'Loading the operations …'}</p>;
  // A wide page has room for a form beside the list: it is never empty.
  const id = address.value.id ?? (matchMedia(WIDE).matches ? FIRST : '');
  const [name = '', ...places] = id.split('/');
  const operation = api.operations.find((one) => one.name === name);
  const { draft, response } = kept.value[id] ?? {};
  return (
    <Split
      label="Try a call"
      pane={
        operation !== undefined &&
        response !== undefined &&
        draft !== undefined && (
          <Response
            key={response.seq}
            api={api}
            operation={operation}
            response={response}
            onClose={() => keep(id, { response: undefined })}
            onNextPage={(token) =>
              void submit(api, operation, id, withValue(draft, ['query', operation.cursor ?? ''], token))
            }
          />
        )
      }
    >
      <div class={operation === undefined ? 'try' : 'try has-operation'}>
        <OperationList operations={api.operations} selected={operation?.name} />
        <div class="chosen">
          <a class="back" href={hrefOf('try')}>
            ‹ all operations
          </a>
          {operation === undefined ? (
            <p class="empty">{name === '' ? 'Choose an operation.' : `There is no operation ${name}.`}</p>
          ) : (
            <OperationForm
              key={id}
              api={api}
              operation={operation}
              id={id}
              given={Object.fromEntries(
                places
                  .join('/')
                  .split('&')
                  .map((one) => one.split(/=(.*)/s)),
              )}
            />
          )}
        </div>
      </div>
    </Split>
  );
}

const search = addressed('text');

interface OperationListProps {
  readonly operations: readonly Operation[];
  /** The name of the one that is shown. */
  readonly selected: string | undefined;
}

/** All operations in their groups, and a search. */
function OperationList({ operations, selected }: OperationListProps) {
  const wanted = search.value.trim().toLowerCase().split(/\s+/);
  const found = operations.filter(({ name, summary, method, path }) =>
    wanted.every((word) => `${name} ${summary} ${method} ${path}`.toLowerCase().includes(word)),
  );
  const rows = found.flatMap((one, index) => (one.tags[0] === found[index - 1]?.tags[0] ? [one] : [one.tags[0], one]));
  return (
    <section class="list" aria-label="Operations">
      <search class="bar">
        <Search label="Search the operations" filter={search} title="Names, summaries, methods and paths" />
      </search>
      {found.length === 0 && <p class="empty">No operation matches.</p>}
      <List
        items={rows}
        label="Operations by group"
        keyOf={(row) => (typeof row === 'string' ? row : row.name)}
        isRow={(row) => typeof row !== 'string'}
        selected={selected}
        onStep={(row) => typeof row !== 'string' && step(row.name)}
        row={(row, state) =>
          typeof row === 'string' ? (
            <li class="day" key={`${row} group`}>
              {row}
            </li>
          ) : (
            <Row key={row.name} href={hrefHere(row.name)} look="" {...state}>
              <span class="soft mono">{row.method}</span> <span>{row.summary}</span>
            </Row>
          )
        }
      />
    </section>
  );
}
