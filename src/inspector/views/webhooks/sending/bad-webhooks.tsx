import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { WebhookFault } from '../../../../sandbox/webhooks/delivery/delivery-fault.js';
import { Action, Removal } from '../../../parts/actions/action.js';
import { MethodForm } from '../../../parts/forms/method-form.js';
import { useReading } from '../../../parts/hooks.js';
import { Panel } from '../../../parts/panel.js';
import { Table } from '../../../parts/table.js';
import { asChoices, webhookChoices } from '../select.js';
import { aimOf, troubleOf } from './troubles.js';

interface BadWebhooksProps {
  readonly webhooks: readonly WebhookOverview[];
  readonly kinds: readonly string[];
}

/** Troubles of deliveries to come; each can be taken back. */
export function BadWebhooks({ webhooks, kinds }: BadWebhooksProps) {
  const { data = [], problem, again } = useReading<WebhookFault[]>('webhooks/faults');
  const columns = [
    { title: 'goes wrong', cell: troubleOf },
    { title: 'strikes', cell: aimOf },
    { title: 'struck', isNumber: true, cell: ({ struck }: WebhookFault) => struck },
    { title: 'left', isNumber: true, cell: ({ left }: WebhookFault) => left },
    {
      title: 'take back',
      cell: ({ id }: WebhookFault) => <Removal label="Remove" collection="webhooks/faults" id={id} onDone={again} />,
    },
  ];
  return (
    <Panel
      title="Bad deliveries to come"
      hint="Each strikes the next attempts that fit, whatever has brought them about."
    >
      {problem !== undefined && <p class="note">{problem}</p>}
      <MethodForm
        label="Add"
        method="webhooks/faults/add"
        begin={{ 'options.times': 1 }}
        fit={() => ({ choices: { 'options.kind': asChoices(kinds), 'options.webhookId': webhookChoices(webhooks) } })}
      />
      <Table
        caption="Attempts that go wrong"
        columns={columns}
        rows={data}
        empty="None: all deliveries are right."
        keyOf={({ id }) => id}
      />
      {data.length > 1 && <Action label="Remove all" method="webhooks/faults/clear" onDone={again} />}
    </Panel>
  );
}
