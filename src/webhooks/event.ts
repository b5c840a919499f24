import { WebhookVerificationError } from '../core/errors.js';
import { readHeader, type WebhookHeaders } from './headers.js';

/** The event kinds seen so far. The set is open: handle the kinds you know and answer 2xx to every other. */
export type WebhookEventType =
  | 'quote.executed'
  | 'conversion.withdrawal_completed'
  | 'conversion.quote_execution_failed'
  | 'price_trigger_swap.executed'
  | 'price_trigger_swap.execution_failed'
  | 'price_trigger_swap.cancelled'
  | 'wallet.whitelisted'
  | 'deposit.status_updated'
  | 'deposit.completed'
  | 'withdrawal.status_updated'
  | 'withdrawal.completed'
  | 'withdrawal.failed'
  | 'transfer.completed'
  | 'transfer.failed'
  | 'swap.completed'
  | 'swap.failed'
  | 'webhook.test'
  | (string & {});

/** A JSON object as it was sent. Its members are not checked: the API description does not show what events contain. */
export interface WebhookObject {
  readonly [member: string]: unknown;
}

/** The content of a delivery, the same for both forms in which the service sends it. */
export interface WebhookContent {
  /**
   * The delivery's identifier. Deliveries repeat and come in any order: handle each id once. From the envelope's `id`, else the
   * header `X-Webhook-ID` (which is not signed), else the flat form's `id`; absent when none of them is there.
   */
  readonly id?: string | undefined;
  /** The event kind; from the body, or from the header `X-Webhook-Event` (which is not signed) when the body names none. */
  readonly type: WebhookEventType;
  /** What happened: `data` of the enveloped form, or, where that is no object, all members but the one that names the kind. */
  readonly data: WebhookObject;
  /** The whole payload as sent. */
  readonly raw: WebhookObject;
}

/**
 * Brings both payload forms, `{ id, type, data }` and `{ event_type, …members }`, into one. The flat form is recognised first: there
 * `type` and `data` may be members of the resource itself.
 */
export function contentOf(raw: WebhookObject, headers: WebhookHeaders): WebhookContent {
  const { event_type: flatType, ...flatMembers } = raw;
  if (isText(flatType)) return { ...flatId(raw, headers), type: flatType, data: flatMembers, raw };
  const { type, ...members } = raw;
  if (isText(type))
    return { ...envelopeId(raw, headers), type, data: isObject(raw['data']) ? raw['data'] : members, raw };
  const headerType = readHeader(headers, 'X-Webhook-Event');
  if (headerType !== undefined) {
    return { ...flatId(raw, headers), type: headerType, data: isObject(raw['data']) ? raw['data'] : raw, raw };
  }
  throw new WebhookVerificationError(
    'bad_format',
    'the payload names no event kind: neither type nor event_type is text',
  );
}

/** The JSON object in a verified body. */
export function parseObject(body: Uint8Array): WebhookObject {
  const value = parseJson(body);
  if (isObject(value)) return value;
  throw new WebhookVerificationError('bad_format', 'the body is correctly signed, but it is no JSON object');
}

function parseJson(body: Uint8Array): unknown {
  try {
    // Strict UTF-8: a replaced character would change what was signed.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    // Without the parser's error as cause: it quotes the body.
    throw new WebhookVerificationError('bad_format', 'the body is correctly signed, but it is no JSON in UTF-8');
  }
}

/** The envelope's id is signed, so it goes before the header's. */
function envelopeId(raw: WebhookObject, headers: WebhookHeaders): { id?: string } {
  return given(isText(raw['id']) ? raw['id'] : readHeader(headers, 'X-Webhook-ID'));
}

/** In the flat form `id` may be the resource's, which many events share, so the header goes first. */
function flatId(raw: WebhookObject, headers: WebhookHeaders): { id?: string } {
  return given(readHeader(headers, 'X-Webhook-ID') ?? (isText(raw['id']) ? raw['id'] : undefined));
}

function given(id: string | undefined): { id?: string } {
  return id === undefined ? {} : { id };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is WebhookObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
