import { useState } from 'preact/hooks';
import type { WebhookEffect } from '../../../sandbox/trouble/webhook-faults/fault-options.js';
import type { WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { WebhookSample } from '../../../sandbox/webhooks/controls/samples.js';
import type { Delivery } from '../../../sandbox/webhooks/delivery/delivery.js';
import type { WebhookFault, WebhookFaultOptions } from '../../../sandbox/webhooks/delivery/delivery-fault.js';
import { Action, Removal } from '../../parts/actions/action.js';
import { Curl } from '../../parts/actions/curl.js';
import { Field } from '../../parts/forms/field.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { useAction, useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';
import { spanOf } from '../../parts/values/format.js';
import { call, curlOf, remove } from '../../wire/api.js';
import { outcomeOf } from './deliveries.js';
import { asChoices, Select, webhookChoices } from './select.js';

interface SendProps {
  readonly webhooks: readonly WebhookOverview[];
  readonly samples: readonly WebhookSample[];
}

/** Sends an event of any kind, rightly or wrongly. */
export function Send({ webhooks, samples }: SendProps) {
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
    <Panel
      title="Send an event"
      hint="Sends any event as if it had happened, or a wrong one that your receiver must refuse."
    >
      <div class="fields">
        <Field label="Event">
          <Select
            value={kind}
            choices={asChoices(samples.map((one) => one.kind))}
            choose={(chosen) => {
              setKind(chosen);
              setText(undefined);
            }}
          />
        </Field>
        <Field label="To">
          <Select
            value={webhookId}
            choices={[['', 'all webhooks of this kind'], ...webhookChoices(enabled)]}
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
            Restore the sample
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

function readPayload(text: string): object {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The payload is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

interface BadWebhooksProps {
  readonly webhooks: readonly WebhookOverview[];
  readonly kinds: readonly string[];
}

/** Faults of future deliveries; each can be removed. */
export function BadWebhooks({ webhooks, kinds }: BadWebhooksProps) {
  const { data = [], problem } = useReading<WebhookFault[]>('webhooks/faults');
  const columns = [
    { title: 'fault', cell: troubleOf },
    { title: 'matches', cell: aimOf },
    { title: 'used', isNumber: true, cell: ({ applied }: WebhookFault) => applied },
    { title: 'left', isNumber: true, cell: ({ left }: WebhookFault) => left },
    {
      title: '',
      cell: ({ id }: WebhookFault) => <Removal label="Remove" collection="webhooks/faults" id={id} />,
    },
  ];
  return (
    <Panel
      title="Future deliveries that go wrong"
      hint="Each fault changes the next attempts that it matches, whatever their cause."
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
        empty="None: all deliveries are correct."
        keyOf={({ id }) => id}
      />
      {data.length > 1 && <Action label="Remove all" method="webhooks/faults/clear" />}
    </Panel>
  );
}

/** An event to send. */
interface Event {
  readonly kind: string;
  readonly overrides: object;
  /** Undefined: all webhooks of the kind. */
  readonly webhookId: string | undefined;
  /** Number of webhooks that get it. */
  readonly receivers: number;
  readonly trouble: WebhookFaultOptions | undefined;
}

const FAULTS = 'webhooks/faults';

/** Sends it. A second event follows where the first is to be overtaken. */
async function send(event: Event): Promise<Delivery[]> {
  const { trouble } = event;
  if (trouble === undefined) return call('webhooks/trigger', ...triggerArgs(event));
  const eventId = newEventId();
  const fault = await call<WebhookFault>(`${FAULTS}/add`, faultOf(event, eventId));
  try {
    const held = await call<Delivery[]>('webhooks/trigger', ...triggerArgs(event, eventId));
    if (trouble.reorder !== true) return held;
    return [...held, ...(await call<Delivery[]>('webhooks/trigger', ...triggerArgs(event)))];
  } catch (error) {
    // It was for this event alone.
    await remove(FAULTS, fault.id);
    throw error;
  }
}

/** The same from a shell. */
function curlsOf(event: Event): string[] {
  if (event.trouble === undefined) return [curlOf('webhooks/trigger', ...triggerArgs(event))];
  const eventId = newEventId();
  const lines = [
    curlOf(`${FAULTS}/add`, faultOf(event, eventId)),
    curlOf('webhooks/trigger', ...triggerArgs(event, eventId)),
  ];
  return event.trouble.reorder === true ? [...lines, curlOf('webhooks/trigger', ...triggerArgs(event))] : lines;
}

/** The bad webhook applies to this event alone, whatever else happens meanwhile. */
const faultOf = ({ trouble, receivers }: Event, eventId: string): WebhookFaultOptions => ({
  ...trouble,
  eventId,
  times: Math.max(1, receivers),
});

function triggerArgs({ kind, overrides, webhookId }: Event, eventId?: string): unknown[] {
  const options = { ...(webhookId === undefined ? {} : { webhookId }), ...(eventId === undefined ? {} : { eventId }) };
  const isPlain = Object.keys(options).length === 0;
  if (isPlain && Object.keys(overrides).length === 0) return [kind];
  return isPlain ? [kind, overrides] : [kind, overrides, options];
}

function newEventId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `evt_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

type Trouble = Partial<Pick<WebhookFault, WebhookEffect>>;

/** Troubles of a delivery, by the words of the page. */
const TROUBLES: readonly (readonly [name: string, trouble: Trouble])[] = [
  ['wrong signature', { signature: 'wrong' }],
  ['no signature', { signature: 'missing' }],
  ['signed with another secret', { signature: 'other_secret' }],
  ['malformed signature', { signature: 'malformed' }],
  ['stale: signed 10 minutes ago', { timestamp: 'stale' }],
  ['signed 10 minutes in the future', { timestamp: 'future' }],
  ['twice', { duplicate: 1 }],
  ['late: 30 s of the clock', { delay: 30_000 }],
  ['lost', { drop: true }],
  ['reordered: the next one overtakes it', { reorder: true }],
  ['body changed after signing', { body: 'changed' }],
  ['body serialised again after signing', { body: 'reserialized' }],
  ['body cut off', { body: 'truncated' }],
  ['a kind that you do not know', { sentAs: 'loan.repaid' }],
  ['another content type', { contentType: 'text/plain' }],
];

/** Their places in the list, as a form has them. */
const CHOICES = TROUBLES.map(([name], place) => [String(place), name] as const);

/** Each effect is in a trouble. */
const EFFECTS = [...new Set(TROUBLES.flatMap(([, trouble]) => Object.keys(trouble) as WebhookEffect[]))];

/** The effect of a bad webhook, in the words of the list where they fit. */
function troubleOf(fault: WebhookFault): string {
  const effects = EFFECTS.filter((name) => fault[name] !== undefined && fault[name] !== false);
  const told = effects.map((name) => {
    const known = TROUBLES.find(([, trouble]) => trouble[name] === fault[name]);
    if (known !== undefined) return known[0];
    return name === 'delay' ? `late: ${spanOf(Number(fault.delay))} of the clock` : `${name} ${fault[name]}`;
  });
  return told.join(', ');
}

/** The attempts that a bad webhook applies to. */
function aimOf({ kind, webhookId, eventId, probability }: WebhookFault): string {
  const parts = [kind ?? 'any kind', webhookId ?? 'any webhook', eventId, probability && `1 in ${1 / probability}`];
  return parts.filter(Boolean).join(' · ');
}
