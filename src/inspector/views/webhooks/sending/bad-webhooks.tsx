import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { WebhookFault } from '../../../../sandbox/webhooks/delivery/delivery-fault.js';
import { Action, Removal } from '../../../parts/actions/action.js';
import type { OptionField } from '../../../parts/forms/option-fields.js';
import { OptionsForm } from '../../../parts/forms/options-form.js';
import { useReading } from '../../../parts/hooks.js';
import { Panel } from '../../../parts/panel.js';
import { Table } from '../../../parts/table.js';
import { asChoices, webhookChoices } from '../select.js';
import { aimOf, CHOICES, TROUBLES, troubleOf } from './troubles.js';

interface BadWebhooksProps {
  readonly webhooks: readonly WebhookOverview[];
  readonly kinds: readonly string[];
}

/** Troubles of deliveries to come; each can be taken back. */
export function BadWebhooks({ webhooks, kinds }: BadWebhooksProps) {
  const { data = [], problem, again } = useReading<WebhookFault[]>('webhooks/faults');
  const fields: readonly OptionField[] = [
    { name: 'trouble', label: 'What goes wrong', choices: CHOICES },
    { name: 'kind', label: 'Kind', choices: [['', 'any'], ...asChoices(kinds)] },
    {
      name: 'webhookId',
      label: 'Webhook',
      choices: [['', 'any'], ...webhookChoices(webhooks)],
    },
    { name: 'times', label: 'Attempts, or always', kind: 'number' },
  ];
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
      <OptionsForm
        label="Add"
        method="webhooks/faults/add"
        fields={() => fields}
        argsOf={({ trouble, ...options }) => [{ ...TROUBLES[Number(trouble)]?.[1], ...options }]}
        begin={{ times: '1' }}
        onDone={again}
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
