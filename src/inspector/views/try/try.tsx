import { hrefOf } from '../../parts/links/route.js';
import type { ViewProps } from '../../parts/view-props.js';
import { useApi } from './document.js';
import { OperationForm } from './operation-form.js';
import { OperationList } from './operation-list.js';

/** As in the style sheet: below it list and form are not beside each other. */
const WIDE = '(min-width: 761px)';

/** The operation whose form stands there at first. */
const FIRST = 'accounts.quotes.create';

/** All operations as forms, which the sandbox signs and sends. */
export function Try({ id }: ViewProps) {
  const { api, problem } = useApi();
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
