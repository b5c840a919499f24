import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { RegisteredWebhook, SigningSecret } from '../../../sandbox/webhooks/delivery/subscriptions.js';
import { Action, CallButton, Removal } from '../../parts/actions/action.js';
import { Copy } from '../../parts/actions/copy.js';
import { Field } from '../../parts/forms/field.js';
import { Forms } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { Panel } from '../../parts/panel.js';
import { momentOf, spanOf } from '../../parts/values/format.js';
import { call, curlOf } from '../../wire/api.js';
import { asChoices } from './choices.js';
import { inboxUrl } from './inbox.js';

interface SubscriptionsProps {
  readonly webhooks: readonly WebhookOverview[] | undefined;
  readonly problem: string | undefined;
  readonly kinds: readonly string[];
  /** Shows the deliveries of one webhook alone. */
  readonly showOf: (webhookId: string) => void;
}

/** The webhooks, and forms to register further ones. */
export function Subscriptions({ webhooks = [], problem, kinds, showOf }: SubscriptionsProps) {
  const [isSeedShown, setSeedShown] = useState(false);
  const own = webhooks.filter(({ receives }) => receives);
  const seed = webhooks.filter(({ receives }) => !receives);
  const shown = isSeedShown ? webhooks : own;
  return (
    <Panel title="Webhooks" hint="The sandbox delivers events to these URLs.">
      {problem !== undefined && <p class="note">{problem}</p>}
      {own.length === 0 && problem === undefined && (
        <p>No webhook receives anything yet. An inbox of the sandbox receives events without a server of your own:</p>
      )}
      <InboxButton />
      <WebhookForm kinds={kinds} />
      <ul class="webhook-cards">
        {shown.map((webhook) => (
          <Subscription key={webhook.id} webhook={webhook} kinds={kinds} showOf={showOf} />
        ))}
      </ul>
      {seed.length > 0 && (
        <button type="button" class="quiet" aria-expanded={isSeedShown} onClick={() => setSeedShown(!isSeedShown)}>
          {isSeedShown ? 'Hide' : 'Show'} {seed.length} webhooks of other environments, which receive nothing here
        </button>
      )}
    </Panel>
  );
}

interface SubscriptionProps {
  readonly webhook: WebhookOverview;
  readonly kinds: readonly string[];
  readonly showOf: (webhookId: string) => void;
}

/** A webhook: where it leads, what it receives, how it fares, and what can be done with it. */
function Subscription({ webhook, kinds, showOf }: SubscriptionProps) {
  const { id, url, description, disabled, receives, form, scheme, events, ageMs, deliveries } = webhook;
  return (
    <li>
      <p>
        <strong class="webhook-url">{url}</strong>{' '}
        <span class={`badge ${disabled ? 'tone-bad' : 'tone-good'}`}>{disabled ? 'disabled' : 'enabled'}</span>
      </p>
      <p class="hint">
        {description ? `${description} · ` : ''}
        {kinds.every((kind) => events.includes(kind)) ? `all ${events.length} kinds` : events.join(', ')}
        {form === 'flat' && ' · flat payloads'}
        {SCHEME_WORDS[scheme]} · registered {spanOf(ageMs)} ago · {id}
      </p>
      <p>
        {successWords(webhook)}: {deliveries.delivered} delivered, {deliveries.pending} pending, {deliveries.failed}{' '}
        failed
      </p>
      {receives && <Secrets webhookId={id} current={webhook.secrets} />}
      <div class="fields recede">
        <button type="button" class="leads" onClick={() => showOf(id)}>
          Show deliveries
        </button>
        <Action label={disabled ? 'Enable' : 'Disable'} method="webhooks/update" args={[id, { disabled: !disabled }]} />
        {receives && (
          <Action
            label="Rotate the secret"
            method="webhooks/rotateSecret"
            args={[id]}
            done="The old secret is valid for one more day."
          />
        )}
        <Removal label="Remove" collection="webhooks" id={id} />
      </div>
      <WebhookForm webhook={webhook} kinds={kinds} />
    </li>
  );
}

const SCHEME_WORDS: Readonly<Record<WebhookOverview['scheme'], string>> = {
  timestamped: '',
  body: ' · signs the body alone',
  standard: ' · signs as standardwebhooks.com',
};

function successWords({ attempts, successShare }: WebhookOverview): string {
  if (successShare === undefined) return 'no attempts yet';
  return `${Math.round(successShare * 1000) / 10} % of ${attempts} attempts answered 2xx`;
}

interface SecretsProps {
  readonly webhookId: string;
  readonly current: WebhookOverview['secrets'];
}

/** The valid secrets, which the page reads when the reader asks for them. */
function Secrets({ webhookId, current }: SecretsProps) {
  const [isShown, setShown] = useState(false);
  const { data = [], problem } = useReading<SigningSecret[]>(isShown ? `webhooks/secrets/${webhookId}` : undefined);
  return (
    <div>
      Signing secret {!isShown && <code>••••{current[0]?.masked}</code>}
      <button
        type="button"
        class="quiet"
        aria-label={`${isShown ? 'Hide' : 'Show'} the signing secret`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'hide' : 'show'}
      </button>
      {isShown && (
        <span>
          {problem}
          {data.map(({ secret, until }) => (
            <span key={secret} class="secret">
              <code>{secret}</code> <Copy label="copy" of="the signing secret" text={secret} />
              {until !== undefined && ` valid until ${momentOf(until)}`}
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

interface WebhookFormProps {
  readonly kinds: readonly string[];
  /** The one to change. Undefined: a new one. */
  readonly webhook?: WebhookOverview;
}

/** Registers a webhook that leads anywhere, or changes one. */
function WebhookForm({ kinds, webhook }: WebhookFormProps) {
  const events = asChoices([...new Set([...kinds, ...(webhook?.events ?? [])])]);
  const fit = () => ({ choices: { 'input.events': events, 'change.events': events } });
  const registering = { label: 'Register a webhook of your own', method: 'webhooks/register', fit };
  const changing = webhook && {
    label: 'Change the webhook',
    method: 'webhooks/update',
    given: { webhookId: webhook.id },
    begin: {
      'change.url': webhook.url,
      'change.events': webhook.events,
      'change.form': webhook.form,
      'change.scheme': webhook.scheme,
    },
    only: ['change.url', 'change.events', 'change.form', 'change.scheme'],
    fit,
  };
  return <Forms specs={[changing ?? registering]} />;
}

/** Registers a webhook that leads to an inbox, in one click. */
function InboxButton() {
  const [name, setName] = useState('first-try');
  const register = async (): Promise<void> => {
    // The address as the sandbox reaches itself, which may not be that of the browser.
    const url = await call<string>('inbox/url', name.trim());
    await call<RegisteredWebhook>('webhooks/register', { url });
  };
  return (
    <div class="fields">
      <Field label="Name of the inbox">
        <input spellcheck={false} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </Field>
      <CallButton
        label="Register an inbox"
        isMain={true}
        done="Registered. Now send an event."
        run={register}
        curl={() => curlOf('webhooks/register', { url: inboxUrl(name.trim()) })}
      />
    </div>
  );
}
