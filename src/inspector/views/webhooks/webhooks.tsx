import type { ComponentChildren } from 'preact';
import { type Choice, Segments } from '../../parts/choices.js';
import { Pane, Split } from '../../parts/pane.js';
import { capitalised } from '../../parts/values/words.js';
import { address, hrefHere, hrefOf } from '../../wire/address.js';
import { EndpointList, EndpointPane, Register } from './endpoints.js';
import { EventOfDelivery, EventPane } from './event.js';
import { EventFilters, EventList, RedeliverFailed, Send } from './events.js';
import { InboxFilter, MessageList, MessagePane, Responses, useMessages } from './inbox.js';
import { hrefTo, show, useEndpoints } from './shown.js';

/** The pane that shows no item of a list, by the list: its place in the address, title and form. */
const FORMS: Readonly<Record<string, readonly [place: string, title: string, content: () => ComponentChildren]>> = {
  events: ['send', 'Send an event', () => <Send />],
  endpoints: ['register', 'Register an endpoint', () => <Register />],
  inbox: ['responses', 'Responses of the inboxes', () => <Responses />],
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
  const [place, title = '', contentOf] = FORMS[show.value] ?? [];
  if (id === place && contentOf !== undefined) {
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
  const [place = '', title] = FORMS[shown] ?? [];
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
        {shown === 'events' && <RedeliverFailed />}
        <a href={hrefHere(place)} title={title}>
          {capitalised(place)}
        </a>
      </span>
    </div>
  );
}
