import { useState } from 'preact/hooks';
import type { SandboxIdempotencyKey } from '../../../sandbox/drive/idempotency.js';
import { Removal } from '../../parts/actions/action.js';
import { Copy } from '../../parts/actions/copy.js';
import { Field } from '../../parts/forms/field.js';
import { hrefOf } from '../../parts/links/route.js';
import { Panel } from '../../parts/panel.js';
import { useRowHeight } from '../../parts/row-height.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { spanOf } from '../../parts/values/format.js';
import { VirtualList } from '../../parts/virtual-list.js';
import { useIdempotencyKeys } from './use-idempotency-keys.js';

/** The idempotency keys whose answers are replayed, newest first. */
export function IdempotencyKeys() {
  const { data: keys, problem } = useIdempotencyKeys();
  const now = useSandboxNow() ?? 0;
  const rowHeight = useRowHeight();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const shown = (keys ?? []).filter((one) => one.expiresAt > now && textOf(one).includes(wanted)).reverse();
  return (
    <Panel
      title="Idempotency keys"
      hint="The same request under a key gets the same answer for 24 hours; a forgotten key has a new effect."
    >
      {problem !== undefined && <p class="note">{problem}</p>}
      {keys !== undefined && keys.length > 0 && (
        <Field label="Search">
          <input
            type="search"
            placeholder="key, operation or account"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </Field>
      )}
      {shown.length === 0 ? (
        <p class="empty">{keys === undefined ? 'Reading …' : keys.length === 0 ? EMPTY : 'None matches.'}</p>
      ) : (
        <div class="tall-rows">
          <VirtualList
            items={shown}
            rowHeight={rowHeight}
            label="Idempotency keys, newest first"
            selected={undefined}
            row={(one) => <Remembered key={one.key} one={one} now={now} />}
          />
        </div>
      )}
    </Panel>
  );
}

const EMPTY = 'No key is remembered. The answer to a write with an Idempotency-Key stands here.';

const textOf = ({ key, request }: SandboxIdempotencyKey): string =>
  [key, request.operation, request.account].join(' ').toLowerCase();

interface RememberedProps {
  readonly one: SandboxIdempotencyKey;
  readonly now: number;
}

function Remembered({ one: { key, request, status, expiresAt, first }, now }: RememberedProps) {
  const what = `${request.method} ${request.path}`;
  return (
    <li class="tall-row">
      <span class="tall-what" title={what}>
        <code>{key}</code> <Copy label="copy" of={key} text={key} />
        {first === undefined ? 'before this run' : <a href={hrefOf('timeline', first)}>first request</a>}
      </span>
      <span class="tall-more" title={what}>
        <b>{status}</b> {request.operation} · {spanOf(Math.max(0, now - request.at))} old · expires in{' '}
        {spanOf(expiresAt - now)}
      </span>
      <Removal label="forget" collection="idempotency" id={key} />
    </li>
  );
}
