import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { WebhookSample } from '../../../sandbox/webhooks/controls/trigger.js';
import type { Delivery } from '../../../sandbox/webhooks/delivery/delivery.js';
import { Removal } from '../../parts/actions/action.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { hrefOf } from '../../parts/links/route.js';
import { Panel, ReadingState } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';
import { isOfDeliveries, NOT_OF_DELIVERIES, targetOf, useTroubles, whatOf } from '../../parts/troubles.js';
import { asChoices, webhookChoices } from './choices.js';
import { outcomeOf } from './deliveries.js';

interface SendProps {
  readonly webhooks: readonly WebhookOverview[];
  readonly samples: readonly WebhookSample[];
}

/** Sends an event of any kind, rightly or wrongly. */
export function Send({ webhooks, samples }: SendProps) {
  const [sent, setSent] = useState<readonly Delivery[]>([]);
  const enabled = webhooks.filter(({ receives, disabled }) => receives && !disabled);
  return (
    <Panel
      title="Send an event"
      hint="Sends any event as if it had happened, or a wrong one that your receiver must refuse."
    >
      <MethodForm
        label="Send"
        method="webhooks/trigger"
        begin={{ kind: 'quote.executed' }}
        fit={({ kind }) => ({
          hidden: ['options.allowUnknown'],
          choices: {
            kind: asChoices(samples.map((one) => one.kind)),
            'options.webhookId': webhookChoices(enabled),
          },
          begin: { overrides: samples.find((one) => one.kind === kind)?.data },
        })}
        onDone={(answer) => setSent(answer as Delivery[])}
      />
      {sent.length > 0 && (
        <ul class="links">
          {sent.map(({ id, type, status, attempts }) => {
            const last = attempts.at(-1);
            return (
              <li key={id}>
                <a href={hrefOf('webhooks', id)}>
                  {type}: {status}, {last === undefined ? 'held back' : outcomeOf(last)}
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

interface BadWebhooksProps {
  readonly webhooks: readonly WebhookOverview[];
  readonly kinds: readonly string[];
}

/** Faults of future deliveries; each can be removed. */
export function BadWebhooks({ webhooks, kinds }: BadWebhooksProps) {
  const troubles = useTroubles();
  const active = troubles.data?.filter(isOfDeliveries) ?? [];
  return (
    <Panel
      title="Future deliveries that go wrong"
      hint="Each fault changes the next attempts that it matches, whatever their cause."
    >
      <ReadingState reading={troubles} />
      <MethodForm
        label="Add"
        method="troubles/add"
        begin={{ 'options.times': 1, 'options.does.delivery': {} }}
        fit={() => ({
          hidden: NOT_OF_DELIVERIES,
          choices: { 'options.match.event': asChoices(kinds), 'options.match.webhookId': webhookChoices(webhooks) },
        })}
      />
      <Table
        caption="Attempts that go wrong"
        columns={[
          { title: 'fault', cell: whatOf },
          { title: 'matches', cell: targetOf },
          { title: 'applied', isNumber: true, cell: ({ applied }) => applied },
          { title: 'left', isNumber: true, cell: ({ left }) => left },
          { title: '', cell: ({ id }) => <Removal label="Remove" collection="troubles" id={id} /> },
        ]}
        rows={active}
        empty="None: all deliveries are correct."
        keyOf={({ id }) => id}
      />
    </Panel>
  );
}
