import { WebhookVerificationError } from '../partner-error.js';
import { ownMember } from '../util/members.js';
import { readHeader, type WebhookHeaders } from './headers.js';
import type { WebhookEvent, WebhookObject } from './kinds.js';

/**
 * The content of a delivery, the same for both forms in which the service sends it. Its members are those of
 * `WebhookEvent`.
 */
interface WebhookContent {
  readonly id?: string;
  readonly type: string;
  readonly data: WebhookObject;
  readonly raw: WebhookObject;
}

/**
 * Brings both payload forms, `{ id, type, data }` and `{ event_type, …members }`, into one. The flat form is recognised
 * first: there `type` and `data` may be members of the resource itself.
 */
export function contentOf(raw: WebhookObject, headers: WebhookHeaders): WebhookContent {
  const flatType = textIn(raw, 'event_type');
  if (flatType !== undefined) {
    const { event_type: _, ...data } = raw;
    return { ...flatId(raw, headers), type: flatType, data, raw };
  }
  const data = ownMember(raw, 'data');
  const type = textIn(raw, 'type');
  if (type !== undefined) {
    const { type: _, ...members } = raw;
    return { ...envelopeId(raw, headers), type, data: isObject(data) ? data : members, raw };
  }
  const headerType = readHeader(headers, 'X-Webhook-Event');
  if (headerType !== undefined) {
    return { ...flatId(raw, headers), type: headerType, data: isObject(data) ? data : raw, raw };
  }
  throw new WebhookVerificationError(
    'bad_format',
    'the payload names no event kind: neither type nor event_type is text',
  );
}

/**
 * The id by which a repeated delivery is known. Not the flat form's own `id`: it may be the resource's, and the next
 * event about the same resource would be taken for a repeat and lost.
 */
export function deliveryIdOf(event: WebhookEvent, headers: WebhookHeaders): string | undefined {
  const { raw } = event;
  const enveloped = textIn(raw, 'event_type') === undefined && textIn(raw, 'type') !== undefined;
  return enveloped ? ownMember(event, 'id') : readHeader(headers, 'X-Webhook-ID');
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
  return given(textIn(raw, 'id') ?? readHeader(headers, 'X-Webhook-ID'));
}

/** In the flat form `id` may be the resource's, which many events share, so the header goes first. */
function flatId(raw: WebhookObject, headers: WebhookHeaders): { id?: string } {
  return given(readHeader(headers, 'X-Webhook-ID') ?? textIn(raw, 'id'));
}

function given(id: string | undefined): { id?: string } {
  return id === undefined ? {} : { id };
}

/** A member that was sent: not what a polluted `Object.prototype` has under that name. */
function textIn(raw: WebhookObject, name: string): string | undefined {
  const value = ownMember(raw, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isObject(value: unknown): value is WebhookObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
