import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { WebhookSample } from '../../../../sandbox/webhooks/controls/samples.js';
import type { Delivery } from '../../../../sandbox/webhooks/delivery/delivery.js';
import { Curl } from '../../../parts/actions/curl.js';
import { Field } from '../../../parts/forms/field.js';
import { useAction } from '../../../parts/hooks.js';
import { hrefOf } from '../../../parts/links/route.js';
import { Panel } from '../../../parts/panel.js';
import { outcomeOf } from '../deliveries/outcome.js';
import { asChoices, Select, webhookChoices } from '../select.js';
import { curlsOf, type Event, send } from './sending.js';
import { CHOICES, TROUBLES } from './troubles.js';

interface SendProps {
  readonly webhooks: readonly WebhookOverview[];
  readonly samples: readonly WebhookSample[];
  readonly readSamples: () => void;
}

/** Sends an event of any kind, rightly or wrongly. */
export function Send({ webhooks, samples, readSamples }: SendProps) {
  const [kind, setKind] = useState('quote.executed');
  const [webhookId, setWebhookId] = useState('');
  const [trouble, setTrouble] = useState('');
  const [text, setText] = useState<string>();
  const [sent, setSent] = useState<readonly Delivery[]>([]);
  const { said, run } = useAction();
  const sample = JSON.stringify(samples.find((one) => one.kind === kind)?.data ?? {}, null, 2);
  const enabled = webhooks.filter(({ receives, disabled }) => receives && !disabled);
  const event = (): Event => ({
    kind,
    overrides: text === undefined ? {} : readPayload(text),
    webhookId: webhookId === '' ? undefined : webhookId,
    receivers: webhookId === '' ? enabled.filter(({ events }) => events.includes(kind)).length : 1,
    trouble: trouble === '' ? undefined : TROUBLES[Number(trouble)]?.[1],
  });
  const go = async (): Promise<void> => {
    setSent([]);
    setSent(await send(event()));
  };
  return (
    <Panel title="Send an event" hint="Of any kind, as if it had happened. Or wrongly, to see your receiver refuse it.">
      <div class="fields">
        <Field label="Event">
          <Select
            value={kind}
            choices={asChoices(samples.map((one) => one.kind))}
            choose={(chosen) => {
              setKind(chosen);
              setText(undefined);
              readSamples();
            }}
          />
        </Field>
        <Field label="To">
          <Select
            value={webhookId}
            choices={[['', 'all webhooks of the kind'], ...webhookChoices(enabled)]}
            choose={setWebhookId}
          />
        </Field>
        <Field label="What goes wrong">
          <Select value={trouble} choices={[['', 'nothing'], ...CHOICES]} choose={setTrouble} />
        </Field>
      </div>
      <details class="more-of">
        <summary>Payload, with ids of this sandbox</summary>
        <Field label="Payload (JSON)">
          <textarea
            spellcheck={false}
            rows={8}
            value={text ?? sample}
            onInput={(change) => setText(change.currentTarget.value)}
          />
        </Field>
        {text !== undefined && (
          <button type="button" class="quiet" onClick={() => setText(undefined)}>
            as it was
          </button>
        )}
      </details>
      <span class="action">
        <button type="button" onClick={() => run(go, 'sent')}>
          Send
        </button>
        <Curl of="Send" text={() => curlsOf(event()).join('\n')} />
        <span role="status">{said}</span>
      </span>
      {sent.length > 0 && (
        <ul class="links">
          {sent.map(({ id, type, status, attempts }) => {
            const last = attempts.at(-1);
            return (
              <li key={id}>
                <a href={hrefOf('webhooks', id)}>
                  {type}: {status}, {last === undefined ? 'held back until its time' : outcomeOf(last)}
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

function readPayload(text: string): object {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The payload is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
