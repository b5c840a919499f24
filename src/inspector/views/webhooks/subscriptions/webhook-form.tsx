import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import { MethodForm } from '../../../parts/forms/method-form.js';
import { asChoices } from '../select.js';

interface WebhookFormProps {
  readonly kinds: readonly string[];
  /** The one to change. Undefined: a new one. */
  readonly webhook?: WebhookOverview;
  readonly onDone: () => void;
}

/** Registers a webhook that leads anywhere, or changes one. */
export function WebhookForm({ kinds, webhook, onDone }: WebhookFormProps) {
  const events = asChoices([...new Set([...kinds, ...(webhook?.events ?? [])])]);
  const fit = () => ({ choices: { 'input.events': events, 'change.events': events } });
  return (
    <details class="more-of">
      <summary>{webhook === undefined ? 'Register a webhook of your own' : 'Change its URL or kinds'}</summary>
      {webhook === undefined ? (
        <MethodForm label="Register" method="webhooks/register" fit={fit} onDone={onDone} />
      ) : (
        <MethodForm
          label="Change"
          method="webhooks/update"
          given={{ webhookId: webhook.id }}
          begin={{ 'change.url': webhook.url, 'change.events': webhook.events }}
          only={['change.url', 'change.events']}
          fit={fit}
          onDone={onDone}
        />
      )}
    </details>
  );
}
