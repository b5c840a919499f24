import { isRecord } from '../../../util/options.js';

/**
 * The form of payloads.
 *
 * - `enveloped`: `{ id, type, data }`, with the id of the event.
 * - `flat`: `{ event_type, timestamp, … }`, with the members of the data at the same level. There
 *   is no id of the event, so an `id` is the id of the resource. The sandbox chose to include
 *   `timestamp`, the time of the event.
 */
export type DeliveryForm = 'enveloped' | 'flat';

/**
 * Our name for the callback of a hosted ramp transaction. Its payload has no kind, its headers name
 * neither kind nor webhook, and it is signed by the scheme `body`.
 */
export const RAMP_CALLBACK = 'ramp.transaction_updated';

/** An event to write as a payload. */
interface EventToWrite {
  readonly eventId: string;
  readonly type: string;
  readonly data: unknown;
  /** Time of the event: ISO 8601, UTC. */
  readonly timestamp: string;
}

/** Returns the body of an event's deliveries. Every attempt sends these bytes. */
export function payloadOf(form: DeliveryForm, { eventId, type, data, timestamp }: EventToWrite): string {
  if (type === RAMP_CALLBACK) return JSON.stringify(data);
  if (form === 'enveloped') return JSON.stringify({ id: eventId, type, data });
  return JSON.stringify(Object.assign({ event_type: type, timestamp }, data, { event_type: type }));
}

/** Returns the members of the event in a payload of either form. */
export function membersIn(body: string): Readonly<Record<string, unknown>> {
  const payload: Record<string, unknown> = JSON.parse(body);
  if (isFlat(payload)) return payload;
  return isRecord(payload['data']) ? payload['data'] : {};
}

/** Returns the id of an event's subject. */
export function subjectOf({
  ref_id: reference,
  id = reference,
}: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

/** Returns a payload of either form with another kind. */
export function renamed(body: string, kind: string): string {
  const payload: Record<string, unknown> = JSON.parse(body);
  return JSON.stringify({ ...payload, [isFlat(payload) ? 'event_type' : 'type']: kind });
}

const isFlat = (payload: object): boolean => Object.hasOwn(payload, 'event_type');
