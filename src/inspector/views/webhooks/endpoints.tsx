import { Action, Removal } from '../../parts/actions/button.js';
import { asChoices } from '../../parts/choices.js';
import { Facts } from '../../parts/facts.js';
import { type FormSpec, Forms, MethodForm } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { type Tone, Verdict } from '../../parts/marks.js';
import { Masked } from '../../parts/masked.js';
import { Missing, Pane } from '../../parts/pane.js';
import { NOT_OF_DELIVERIES } from '../../parts/troubles.js';
import { momentOf, spanOf } from '../../parts/values/times.js';
import { capitalised } from '../../parts/values/words.js';
import { hrefHere } from '../../wire/address.js';
import { read } from '../../wire/api.js';
import type { SigningSecret, WebhookOverview } from '../../wire/sandbox.js';
import { HookList, type HookRow } from './list.js';
import { hrefTo, useEndpoints } from './shown.js';

/** The endpoints to which events are delivered. */
export function EndpointList({ selected }: { readonly selected: string | undefined }) {
  const { own, kinds, nameOf } = useEndpoints();
  const rows = own.map((webhook): HookRow => {
    const { id, events } = webhook;
    const [tone, words] = fareOf(webhook);
    const about = events.length >= kinds.length ? `all ${events.length} kinds` : events.join(', ');
    return { id, title: nameOf(id), about, dots: [{ tone, title: words }], words, tone };
  });
  if (rows.length === 0) return <p class="empty">No endpoint is registered yet.</p>;
  return <HookList label="Endpoints" rows={rows} selected={selected} />;
}

/** How an endpoint fares, in a few words. */
function fareOf({ disabled, attempts, deliveries, failing }: WebhookOverview): [Tone, string] {
  if (disabled) return ['warn', 'disabled'];
  if (attempts === 0) return ['plain', 'no attempts yet'];
  const { delivered, pending, failed } = deliveries;
  const tone = failed > 0 ? 'bad' : failing > 0 ? 'warn' : 'good';
  return [tone, `${delivered} delivered, ${pending} pending, ${failed} failed`];
}

/** An endpoint: how it fares, its facts and secrets, and what can be done with it. */
export function EndpointPane({ id }: { readonly id: string }) {
  const { own, nameOf } = useEndpoints();
  const webhook = own.find((one) => one.id === id);
  if (webhook === undefined) return <Missing what="Endpoint" closeHref={hrefHere()} />;
  const { url, description, disabled, events, form, scheme, ageMs, attempts, successShare = 0, deliveries } = webhook;
  const [tone, words] = fareOf(webhook);
  const ask = () => `Removes the endpoint. ${deliveries.pending} pending deliveries will fail.`;
  const facts = { URL: url, kinds: events.join(', '), payload: form, signature: scheme, webhook: id };
  const secrets = webhook.secrets.map(({ masked, until }, index) => {
    const name = until === undefined ? 'secret' : `secret until ${momentOf(until)}`;
    const secret = async () => (await read<SigningSecret[]>(`webhooks/secrets/${id}`))[index]?.secret ?? '';
    return [name, <Masked key={masked} label="the signing secret" masked={masked} secret={secret} />] as const;
  });
  return (
    <Pane label={`Endpoint ${id}`} title={nameOf(id)} closeHref={hrefHere()}>
      <p class="soft hook-head">
        {description} Registered {spanOf(ageMs)} ago. <a href={hrefTo({ webhookId: id })}>Show its events</a>
      </p>
      <Verdict tone={tone} title={`${capitalised(words)}.`}>
        {attempts > 0 && `${Math.round(successShare * 1000) / 10} % of ${attempts} attempts got a 2xx response.`}
      </Verdict>
      <p class="actions">
        <Action label="Send a test event" method="webhooks/trigger" args={['webhook.test', {}, { webhookId: id }]} />
        <Action label={disabled ? 'Enable' : 'Disable'} method="webhooks/update" args={[id, { disabled: !disabled }]} />
        <Action label="Rotate the secret" method="webhooks/rotateSecret" args={[id]} />
        <Removal label="Remove" kind="danger" collection="webhooks" id={id} ask={ask} />
      </p>
      <Facts facts={[...Object.entries(facts), ...secrets]} />
      <EndpointForms webhook={webhook} />
    </Pane>
  );
}

/**
 * What changes an endpoint, and what makes its next deliveries go wrong. Faults has what does so.
 */
function EndpointForms({ webhook }: { readonly webhook: WebhookOverview }) {
  const { id, url, events, form, scheme, description } = webhook;
  const kinds = asChoices([...new Set([...useEndpoints().kinds, ...events])]);
  const present = Object.entries({ url, events, form, scheme, description });
  const begin = Object.fromEntries(present.map(([name, value]) => [`change.${name}`, value]));
  const change: FormSpec = {
    label: 'Change it',
    method: 'webhooks/update',
    given: { webhookId: id },
    begin,
    only: Object.keys(begin),
    fit: () => ({ choices: { 'change.events': kinds } }),
  };
  const trouble: FormSpec = {
    label: 'Make its deliveries go wrong',
    method: 'troubles/add',
    given: { 'options.match.webhookId': id },
    begin: { 'options.times': 1, 'options.does.delivery': {} },
    fit: () => ({ hidden: NOT_OF_DELIVERIES, choices: { 'options.match.event': kinds } }),
  };
  return <Forms specs={[change, trouble]} />;
}

/** Registers an endpoint. The form begins with an inbox of the sandbox, which needs no server. */
export function Register() {
  const kinds = asChoices(useEndpoints().kinds);
  // As the sandbox reaches itself: the browser may know it by another address.
  const { data: url } = useReading<string>('inbox/url?name=first-try');
  if (url === undefined) return null;
  const fit = () => ({ choices: { 'input.events': kinds } });
  return (
    <>
      <p class="hint">An inbox of the sandbox receives events without a server of yours: here is the URL of one.</p>
      <MethodForm label="Register" method="webhooks/register" begin={{ 'input.url': url }} fit={fit} />
    </>
  );
}
