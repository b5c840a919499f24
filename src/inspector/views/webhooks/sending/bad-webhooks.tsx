import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../../sandbox/controls/webhooks/reports.js';
import type { WebhookFault } from '../../../../sandbox/webhooks/faults/webhook-faults.js';
import { Action, Removal } from '../../../parts/action.js';
import { Field } from '../../../parts/field.js';
import { useLiveReading } from '../../../parts/hooks.js';
import { Panel } from '../../../parts/panel.js';
import { Table } from '../../../parts/table.js';
import type { Live } from '../../../wire/live.js';
import { TroubleSelect } from './trouble-select.js';
import { aimOf, TROUBLES, troubleOf } from './troubles.js';

interface BadWebhooksProps {
  readonly live: Live;
  readonly webhooks: readonly WebhookOverview[];
  readonly kinds: readonly string[];
}

/** What will go wrong with deliveries to come; each can be taken back. */
export function BadWebhooks({ live, webhooks, kinds }: BadWebhooksProps) {
  const {
    data = [],
    problem,
    again,
  } = useLiveReading<WebhookFault[]>(live, 'webhooks/faults', [...(['fault', 'control', 'clock'] as const)]);
  const [trouble, setTrouble] = useState(0);
  const [kind, setKind] = useState('');
  const [webhookId, setWebhookId] = useState('');
  const [times, setTimes] = useState('1');
  const options = {
    ...TROUBLES[trouble]?.[1],
    ...(kind === '' ? {} : { kind }),
    ...(webhookId === '' ? {} : { webhookId }),
    times: /^\d+$/.test(times.trim()) ? Number(times) : times.trim(),
  };
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
      <div class="fields">
        <TroubleSelect label="What goes wrong" chosen={trouble} choose={setTrouble} />
        <Field label="Kind">
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">any</option>
            {kinds.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </Field>
        <Field label="Webhook">
          <select value={webhookId} onChange={(event) => setWebhookId(event.currentTarget.value)}>
            <option value="">any</option>
            {webhooks.map(({ id, url }) => (
              <option key={id} value={id}>
                {url}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Attempts, or always">
          <input size={6} value={times} onInput={(event) => setTimes(event.currentTarget.value)} />
        </Field>
        <Action label="Add" method="webhooks/faults/add" args={[options]} done="added" onDone={again} />
      </div>
      <Table
        caption="Bad deliveries to come"
        columns={columns}
        rows={data}
        empty="None: all deliveries are right."
        keyOf={({ id }) => id}
      />
      {data.length > 1 && <Action label="Remove all" method="webhooks/faults/clear" onDone={again} />}
    </Panel>
  );
}
