import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import { Panel } from '../../../parts/panel.js';
import { InboxButton } from './inbox-button.js';
import { Subscription } from './subscription.js';
import { WebhookForm } from './webhook-form.js';

interface SubscriptionsProps {
  readonly webhooks: readonly WebhookOverview[] | undefined;
  readonly problem: string | undefined;
  readonly kinds: readonly string[];
  readonly onChange: () => void;
  /** Shows the deliveries of one webhook alone. */
  readonly showOf: (webhookId: string) => void;
}

/** The webhooks, and forms to register further ones. */
export function Subscriptions({ webhooks = [], problem, kinds, onChange, showOf }: SubscriptionsProps) {
  const [isSeedShown, setSeedShown] = useState(false);
  const own = webhooks.filter(({ receives }) => receives);
  const seed = webhooks.filter(({ receives }) => !receives);
  const shown = isSeedShown ? webhooks : own;
  return (
    <Panel title="Webhooks" hint="Where the sandbox delivers events to.">
      {problem !== undefined && <p class="note">{problem}</p>}
      {own.length === 0 && problem === undefined && (
        <p>No webhook receives anything yet. The inbox of the sandbox receives without a server of yours:</p>
      )}
      <InboxButton onDone={onChange} />
      <WebhookForm kinds={kinds} onDone={onChange} />
      <ul class="webhook-cards">
        {shown.map((webhook) => (
          <Subscription key={webhook.id} webhook={webhook} kinds={kinds} onChange={onChange} showOf={showOf} />
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
