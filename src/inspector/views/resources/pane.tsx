import { useRef, useState } from 'preact/hooks';
import { Action } from '../../parts/actions/button.js';
import { Copy } from '../../parts/actions/copy.js';
import { Code } from '../../parts/code.js';
import { Facts } from '../../parts/facts.js';
import { Forms } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { useHolders } from '../../parts/links/holder.js';
import { Pane } from '../../parts/pane.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { titled } from '../../parts/values/words.js';
import { hrefHere, hrefOf } from '../../wire/address.js';
import type { ResourceDetails, ResourceKindInfo } from '../../wire/sandbox.js';
import { FORMS } from './forms.js';
import { OverTime } from './over-time.js';
import { States, useDue } from './states.js';
import { brief, labelOf, whatOf, wordsOf } from './values.js';

interface ResourcePaneProps {
  readonly info: ResourceKindInfo;
  readonly id: string;
}

/** A resource: what it is, its state, what happened to it, and what may be done with it. */
export function ResourcePane({ info: { kind, states }, id }: ResourcePaneProps) {
  const path = `resources/${kind}/${encodeURIComponent(id)}`;
  const { data: resource, problem, again } = useReading<ResourceDetails>(path);
  const now = useSandboxNow();
  useDue(resource === undefined ? [] : [resource], now, again);
  const name = titled(kind);
  return (
    <Pane label={`${name} ${id}`} title={`${name} ${whatOf(resource?.record)}`} closeHref={hrefHere(kind)}>
      <p>
        <code>{id}</code> <Copy label="copy" of="the id" text={id} />
      </p>
      {problem !== undefined && (
        <p class="note">This resource was removed, or never existed: {problem.split(';')[0]}.</p>
      )}
      {resource !== undefined && (
        <>
          <Members resource={resource} />
          {states !== undefined && <States states={states} resource={resource} now={now} />}
          <OverTime kind={kind} id={id} />
          {problem === undefined && <Moves resource={resource} again={again} />}
        </>
      )}
    </Pane>
  );
}

/** A longer value is only in the JSON. */
const LONG_CHARACTERS = 100;

function Members({ resource }: { readonly resource: ResourceDetails }) {
  const { id, kind, account, user, status, record, holdings } = resource;
  const holder = useHolders().get(account ?? '') ?? account;
  const members = Object.entries(record as object).map(([name, value]) => [wordsOf(name), brief(value)] as const);
  // What the pane says anyway is left out.
  const told = members.filter(([, text]) => text !== '' && text !== id && text !== status);
  const short = told.filter(([, text]) => text.length <= LONG_CHARACTERS);
  const link = (name: string, href: string, text = '') =>
    [name, text !== '' && kind !== `${name}s` && <a href={href}>{text}</a>] as const;
  return (
    <section aria-label="Members">
      <Facts
        facts={[
          link('account', hrefOf('resources', 'accounts', account ?? ''), holder),
          link('user', hrefOf('resources', 'users', user ?? ''), user),
          ...short,
          link('deliveries', hrefOf('webhooks'), kind === 'webhooks' ? 'in Webhooks' : ''),
          link('balances', `${hrefOf('money')}?text=${id}`, holdings && `${holdings.length} assets`),
        ]}
      />
      <details open={short.length < told.length}>
        <summary>All members</summary>
        <Code label="All members" text={JSON.stringify(record)} />
      </details>
    </section>
  );
}

interface MovesProps {
  readonly resource: ResourceDetails;
  readonly again: () => void;
}

/** What each destructive move says once it is done, beside *Undo*. */
const DESTRUCTIVE: Readonly<Record<string, string>> = {
  empty: 'Every balance of the account is empty, except for what orders hold.',
  remove: 'It is removed.',
  rotateSecret: 'The webhook has a new secret.',
};

/** The calls that the state allows, and those that need input. */
function Moves({ resource, again }: MovesProps) {
  const [said, setSaid] = useState('');
  const place = useRef<HTMLHeadingElement>(null);
  const { kind, moves } = resource;
  const forms = FORMS[kind]?.(resource) ?? [];
  const moved = (label: string): void => {
    setSaid(`${label}: done`);
    // The button goes with the state that allowed it. The keyboard goes on from here.
    place.current?.focus();
    again();
  };
  return (
    <section aria-label="Actions">
      <h3 class="heading" ref={place} tabIndex={-1}>
        Actions <span role="status">{said}</span>
      </h3>
      {moves.length + forms.length === 0 && <p class="soft">This state allows no action.</p>}
      <div class="actions">
        {moves.map(({ name, method, args }) => (
          <Action
            key={name}
            label={labelOf(name)}
            kind={DESTRUCTIVE[name] === undefined ? undefined : 'danger'}
            undo={DESTRUCTIVE[name]}
            method={method.replaceAll('.', '/')}
            args={args}
            onDone={() => moved(labelOf(name))}
          />
        ))}
      </div>
      <Forms specs={forms} onDone={again} />
    </section>
  );
}
