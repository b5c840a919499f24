import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { WebhookSample } from '../../../sandbox/webhooks/controls/samples.js';
import type { Delivery } from '../../../sandbox/webhooks/delivery/delivery.js';
import { Action, Removal } from '../../parts/actions/action.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { hrefOf } from '../../parts/links/route.js';
import { Panel, ReadingState } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';
import { useTroubles } from '../../parts/troubles.js';
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
  const { troubles, unread } = useTroubles();
  const faults = troubles.filter(({ collection }) => collection === 'webhooks/faults');
  return (
    <Panel
      title="Future deliveries that go wrong"
      hint="Each fault changes the next attempts that it matches, whatever their cause."
    >
      {unread !== undefined && <ReadingState reading={unread} />}
      <MethodForm
        label="Add"
        method="webhooks/faults/add"
        begin={{ 'options.times': 1 }}
        fit={() => ({ choices: { 'options.kind': asChoices(kinds), 'options.webhookId': webhookChoices(webhooks) } })}
      />
      <Table
        caption="Attempts that go wrong"
        columns={[
          { title: 'fault', cell: ({ what }) => what },
          { title: 'matches', cell: ({ target }) => target },
          { title: 'applied', isNumber: true, cell: ({ applied }) => applied },
          { title: 'left', isNumber: true, cell: ({ left }) => left },
          { title: '', cell: ({ collection, id }) => <Removal label="Remove" {...{ collection, id }} /> },
        ]}
        rows={faults}
        empty="None: all deliveries are correct."
        keyOf={({ id }) => id}
      />
      {faults.length > 1 && <Action label="Remove all" method="webhooks/faults/clear" />}
    </Panel>
  );
}
