import { Action } from '../../../parts/actions/button.js';
import { FailNext } from '../../../parts/fail-next.js';
import { Menu } from '../../../parts/menu.js';
import { addressed, setQuery, step } from '../../../wire/address.js';
import type { JournalEntry, RequestDetails } from '../../../wire/sandbox.js';

/** The `seq` of the request with which an open one is compared. */
export const compared = addressed('with');

/**
 * What can be done with a request: send it again, let the next one fail, compare it, make it a
 * test.
 */
export function CallActions({ attempt }: { readonly attempt: JournalEntry }) {
  const { seq, operation, path, key } = attempt;
  const show = (answer: unknown): void => step((answer as RequestDetails).seq);
  const isCompared = compared.value === String(seq);
  return (
    <section aria-label="Actions" class="actions call-actions">
      <Action label="Send again" kind="main" method="requests/replay" args={[seq]} done="sent" onDone={show} />
      {key !== undefined && (
        <Action
          label="Send with a new idempotency key"
          method="requests/replay"
          args={[seq, { key: 'new' }]}
          done="sent"
          onDone={show}
        />
      )}
      <Menu label="Fail the next one" title="Fail the next one">
        {() => <FailNext operation={operation} path={operation === undefined ? path.split('?')[0] : undefined} />}
      </Menu>
      <button
        type="button"
        aria-pressed={isCompared}
        title="Open another request: it shows the difference from this one"
        onClick={() => setQuery(isCompared ? { with: '', tab: '' } : { with: String(seq), tab: 'difference' })}
      >
        Compare
      </button>
      <button type="button" onClick={() => setQuery({ tab: 'code', language: 'test' })}>
        Turn into a test
      </button>
      {isCompared && <p class="hint">Open another request: it shows the difference from this one.</p>}
    </section>
  );
}
