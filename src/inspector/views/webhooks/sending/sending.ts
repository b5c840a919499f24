import type { Delivery } from '../../../../sandbox/webhooks/delivery/delivery.js';
import type { WebhookFault, WebhookFaultOptions } from '../../../../sandbox/webhooks/delivery/delivery-fault.js';
import { call, curlOf, remove } from '../../../wire/api.js';

/** An event to send. */
export interface Event {
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
export async function send(event: Event): Promise<Delivery[]> {
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
export function curlsOf(event: Event): string[] {
  if (event.trouble === undefined) return [curlOf('webhooks/trigger', ...triggerArgs(event))];
  const eventId = newEventId();
  const lines = [
    curlOf(`${FAULTS}/add`, faultOf(event, eventId)),
    curlOf('webhooks/trigger', ...triggerArgs(event, eventId)),
  ];
  return event.trouble.reorder === true ? [...lines, curlOf('webhooks/trigger', ...triggerArgs(event))] : lines;
}

/** The bad webhook strikes this event alone, whatever else happens meanwhile. */
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
