import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResourceDetails } from '../../../sandbox/drive/look/resources.js';
import { Action } from '../../parts/actions/action.js';
import { Copy } from '../../parts/actions/copy.js';
import { FactList } from '../../parts/fact-list.js';
import { Forms } from '../../parts/forms/method-form.js';
import { useLive, useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { momentOf, spanOf } from '../../parts/values/format.js';
import type { live as one } from '../../wire/live.js';
import { FORMS } from './forms.js';
import { Life } from './life.js';
import { History, Moved } from './past.js';
import { labelOf, membersOf, toneOf } from './values.js';

interface DetailsProps {
  readonly live: typeof one;
  readonly kind: string;
  readonly id: string;
}

/**
 * A resource: its state and what comes next, what may be done with it, what was, and all that it
 * has.
 */
export function Details({ live, kind, id }: DetailsProps) {
  const path = `resources/${kind}/${encodeURIComponent(id)}`;
  // Its history names entries, which may come after the reading.
  useLive(live);
  const { data: resource, problem, again } = useReading<ResourceDetails>(path);
  const now = useSandboxNow();
  const due = resource?.next?.at;
  const isDue = now !== undefined && due !== undefined && due <= now;
  useEffect(() => {
    if (isDue) again();
  }, [isDue, now, again]);
  return (
    <section class="details resource" aria-label={`${labelOf(kind)} ${id}`}>
      <header>
        <h2>
          <span class="hint">{labelOf(kind)}</span> {id} <Copy label="copy" of="the id" text={id} />
        </h2>
        <a class="close" href={hrefOf('resources', kind)} aria-label="Close the details">
          ×
        </a>
      </header>
      {problem !== undefined && (
        <p class="note">This resource was removed, or never existed: {problem.split(';')[0]}.</p>
      )}
      {resource !== undefined && (
        <>
          <p>
            {resource.status !== undefined && (
              <span class={`badge tone-${toneOf(resource.status)}`}>{resource.status}</span>
            )}{' '}
            {resource.next !== undefined && now !== undefined && (
              <span class="next" title={momentOf(resource.next.at)}>
                <strong>In {spanOf(Math.max(0, resource.next.at - now))}</strong>: {resource.next.what}{' '}
              </span>
            )}
          </p>
          {problem === undefined && <Moves resource={resource} again={again} />}
          <Life live={live} id={id} />
          <History live={live} kind={kind} resource={resource} now={now} />
          <Moved live={live} resource={resource} />
          <Members resource={resource} />
        </>
      )}
    </section>
  );
}

interface MovesProps {
  readonly resource: ResourceDetails;
  readonly again: () => void;
}

/** The calls that the state allows, and those that need input. */
function Moves({ resource, again }: MovesProps) {
  const [said, setSaid] = useState('');
  const place = useRef<HTMLHeadingElement>(null);
  const { kind, moves } = resource;
  const forms = FORMS[kind]?.(resource) ?? [];
  const moved = (name: string): void => {
    setSaid(`${name}: done`);
    // The button goes with the state that allowed it. The keyboard goes on from here.
    place.current?.focus();
    again();
  };
  return (
    <section aria-label="Actions">
      <h3 ref={place} tabIndex={-1}>
        Actions <span role="status">{said}</span>
      </h3>
      {moves.length + forms.length === 0 && <p class="hint">This state allows no action.</p>}
      <div class="moves">
        {moves.map(({ name, method, args }) => (
          <Action
            key={name}
            label={labelOf(name)}
            method={method.replaceAll('.', '/')}
            args={args}
            onDone={() => moved(labelOf(name))}
          />
        ))}
      </div>
      <Forms specs={forms} onDone={again} />
      {kind === 'webhooks' && (
        <p>
          The view <a href={hrefOf('webhooks')}>Webhooks</a> has the deliveries and more actions.
        </p>
      )}
    </section>
  );
}

function Members({ resource: { kind, account, user, record } }: { readonly resource: ResourceDetails }) {
  return (
    <section aria-label="Members">
      <h3>
        Members <Copy label="JSON" of="the resource" text={() => JSON.stringify(record, null, 2)} />
      </h3>
      <FactList
        facts={[
          [
            'account',
            kind !== 'accounts' && account && <a href={hrefOf('resources', 'accounts', account)}>{account}</a>,
          ],
          ['user', kind !== 'users' && user && <a href={hrefOf('resources', 'users', user)}>{user}</a>],
          ...membersOf(record),
        ]}
      />
    </section>
  );
}
