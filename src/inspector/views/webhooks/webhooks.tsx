import type { ComponentChildren } from 'preact';
import { type Choice, Segments } from '../../parts/choices.js';
import { Icon } from '../../parts/icons.js';
import { Menu } from '../../parts/menu.js';
import { Pane, Split } from '../../parts/pane.js';
import { capitalised } from '../../parts/values/words.js';
import { address, hrefHere, hrefOf } from '../../wire/address.js';
import { EndpointList, EndpointPane, Register } from './endpoints.js';
import { EventOfDelivery, EventPane } from './event.js';
import { EventFilters, EventList, RedeliverFailed, Send } from './events.js';
import { VerifyForm } from './exchange.js';
import { InboxFilter, MessageList, MessagePane, Responses, useMessages } from './inbox.js';
import { hrefTo, show, useEndpoints } from './shown.js';

/** Panes that show no item of a list, by what stands in the place of its id. */
const FORMS: Readonly<Record<string, readonly [title: string, content: () => ComponentChildren]>> = {
  send: ['Send an event', () => <Send />],
  register: ['Register an endpoint', () => <Register />],
  responses: ['Responses of the inboxes', () => <Responses />],
  verify: ['Verify a signature', () => <VerifyForm />],
};

/**
 * Events with their deliveries, the endpoints that receive them, and the inboxes of the sandbox.
 */
export function Webhooks() {
  const { id = '' } = address.value;
  const Listed = show.value === 'endpoints' ? EndpointList : show.value === 'inbox' ? MessageList : EventList;
  return (
    <Split label="Webhooks" pane={id !== '' && <Opened id={id} />}>
      <Bar />
      <Listed selected={id.split('/')[0]} />
    </Split>
  );
}

function Opened({ id }: { readonly id: string }) {
  const [title = '', contentOf] = FORMS[id] ?? [];
  if (contentOf !== undefined) {
    return (
      <Pane label={title} title={title} closeHref={hrefHere()}>
        {contentOf()}
      </Pane>
    );
  }
  if (show.value === 'endpoints') return <EndpointPane key={id} id={id} />;
  if (show.value === 'inbox') return <MessagePane key={id} id={id} />;
  const [event = '', deliveryId, attempt] = id.split('/');
  if (event.startsWith('dlv_')) return <EventOfDelivery key={id} id={id} />;
  return <EventPane key={event} id={event} deliveryId={deliveryId} attempt={attempt} />;
}

/** What is listed, what narrows it, and what can be done. */
function Bar() {
  const shown = show.value;
  const first = { endpoints: 'register', inbox: 'responses' }[shown] ?? 'send';
  const list = (next: string): void => {
    location.hash = next === 'events' ? hrefOf('webhooks') : hrefTo({ show: next });
  };
  const lists: readonly Choice[] = [
    ['events', 'Events'],
    ['endpoints', 'Endpoints', useEndpoints().own.length],
    ['inbox', 'Inbox', useMessages().length],
  ];
  return (
    <div class="bar">
      <Segments label="Shown" value={shown} onChange={list} of={lists} />
      {shown === 'events' && <EventFilters />}
      {shown === 'inbox' && <InboxFilter />}
      <span class="actions end">
        <a href={hrefHere(first)} title={FORMS[first]?.[0]}>
          {capitalised(first)}
        </a>
        <Menu label="More" title={<Icon name="more" />} look="icon">
          {(close) => (
            <div class="stack">
              <RedeliverFailed />
              {Object.entries(FORMS).map(([name, [title]]) => (
                <a key={name} href={hrefHere(name)} onClick={close}>
                  {title}
                </a>
              ))}
            </div>
          )}
        </Menu>
      </span>
    </div>
  );
}
