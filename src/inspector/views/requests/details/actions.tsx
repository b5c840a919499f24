import { Action } from '../../../parts/actions/button.js';
import { FailNext } from '../../../parts/fail-next.js';
import { Menu } from '../../../parts/menu.js';
import { setQuery, step } from '../../../wire/address.js';
import type { JournalEntry, RequestDetails } from '../../../wire/sandbox.js';
import { compared } from './difference.js';

const COMPARING = 'Open another request: it shows the difference from this one.';

/**
 * What can be done with a request: send it again, let the next one fail, compare it, make it a
 * test.
 */
export function CallActions({ attempt }: { readonly attempt: JournalEntry }) {
  const { seq, operation, path, key } = attempt;
  const isCompared = compared.value === String(seq);
  const resend = {
    method: 'requests/replay',
    done: 'sent',
    onDone: (answer: unknown) => step((answer as RequestDetails).seq),
  };
  return (
    <section aria-label="Actions" class="actions call-actions">
      <Action label="Send again" kind="main" args={[seq]} {...resend} />
      {key !== undefined && <Action label="Send with a new idempotency key" args={[seq, { key: 'new' }]} {...resend} />}
      <Menu label="Fail the next one" title="Fail the next one">
        {() => <FailNext operation={operation} path={operation === undefined ? path.split('?')[0] : undefined} />}
      </Menu>
      <button
        type="button"
        aria-pressed={isCompared}
        title={COMPARING}
        onClick={() => setQuery(isCompared ? { with: '', tab: '' } : { with: String(seq), tab: 'difference' })}
      >
        Compare
      </button>
      <button type="button" onClick={() => setQuery({ tab: 'code', language: 'test' })}>
        Turn into a test
      </button>
      {isCompared && <p class="hint">{COMPARING}</p>}
    </section>
  );
}
