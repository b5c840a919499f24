import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { SigningSecret } from '../../../../sandbox/webhooks/delivery/subscriptions.js';
import { Action, Removal } from '../../../parts/actions/action.js';
import { Copy } from '../../../parts/actions/copy.js';
import { useReading } from '../../../parts/hooks.js';
import { momentOf, spanOf } from '../../../parts/values/format.js';
import { WebhookForm } from './webhook-form.js';

interface SubscriptionProps {
  readonly webhook: WebhookOverview;
  readonly kinds: readonly string[];
  readonly onChange: () => void;
  readonly showOf: (webhookId: string) => void;
}

/** A webhook: where it leads, what it receives, how it fares, and what can be done with it. */
export function Subscription({ webhook, kinds, onChange, showOf }: SubscriptionProps) {
  const { id, url, description, disabled, receives, scheme, events, ageMs, deliveries } = webhook;
  return (
    <li>
      <p>
        <strong class="webhook-url">{url}</strong>{' '}
        <span class={`badge ${disabled ? 'badge-bad' : 'badge-good'}`}>{disabled ? 'disabled' : 'enabled'}</span>
      </p>
      <p class="hint">
        {description ? `${description} · ` : ''}
        {kinds.every((kind) => events.includes(kind)) ? `all ${events.length} kinds` : events.join(', ')}
        {scheme === 'body' && ' · signs the body alone'} · registered {spanOf(ageMs)} ago · {id}
      </p>
      <p>
        {successWords(webhook)}: {deliveries.delivered} delivered, {deliveries.pending} pending, {deliveries.failed}{' '}
        failed
      </p>
      {receives && <Secrets webhookId={id} current={webhook.secrets} />}
      <div class="fields">
        <Action
          label={disabled ? 'Enable' : 'Disable'}
          method="webhooks/update"
          args={[id, { disabled: !disabled }]}
          onDone={onChange}
        />
        {receives && (
          <Action
            label="Rotate the secret"
            method="webhooks/rotateSecret"
            args={[id]}
            done="the old one is valid for a day more"
            onDone={onChange}
          />
        )}
        <Removal label="Remove" collection="webhooks" id={id} onDone={onChange} />
        <button type="button" onClick={() => showOf(id)}>
          Show its deliveries
        </button>
      </div>
      <WebhookForm webhook={webhook} kinds={kinds} onDone={onChange} />
    </li>
  );
}

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
  // Another one is valid now: the path is read anew.
  const version = current.map(({ masked }) => masked).join();
  const path = isShown ? `webhooks/secrets/${webhookId}` : undefined;
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
      {path !== undefined && <ReadSecrets key={version} path={path} />}
    </div>
  );
}

function ReadSecrets({ path }: { readonly path: string }) {
  const { data = [], problem } = useReading<SigningSecret[]>(path);
  return (
    <span>
      {problem}
      {data.map(({ secret, until }) => (
        <span key={secret} class="secret">
          <code>{secret}</code> <Copy label="copy" of="the signing secret" text={secret} />
          {until !== undefined && ` valid until ${momentOf(until)}`}
        </span>
      ))}
    </span>
  );
}
