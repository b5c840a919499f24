import type { Delivery } from './delivery.js';
import type { StruckDelivery } from './effects.js';
import { RAMP_CALLBACK, renamed } from './payload.js';
import { signatureHeader, signatureName } from './signature.js';
import type { SubscriptionRecord } from './subscriptions.js';

/** Difference in ms of a signed time that a receiver should reject: twice the usual tolerance. */
const STALE_MS = 10 * 60_000;

/** A secret that no webhook has: base64 of 32 bytes. */
const OTHER_SECRET = Buffer.alloc(32, 'another secret').toString('base64');

/** The request that is sent. */
interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes a delivery's request with the effect of `fault`. `secrets`: the valid ones. */
export function signedRequest(
  delivery: Delivery,
  { scheme }: Pick<SubscriptionRecord, 'scheme'>,
  secrets: readonly string[],
  fault: StruckDelivery | undefined,
): SignedRequest {
  const type = fault?.sentAs ?? delivery.type;
  const body = fault?.sentAs === undefined ? delivery.body : renamed(delivery.body, fault.sentAs);
  // By the machine's clock, since receivers compare it with theirs.
  const seconds = Math.floor((Date.now() + offsetOf(fault?.timestamp)) / 1000);
  const signers = fault?.signature === 'other_secret' ? [OTHER_SECRET] : secrets;
  const { eventId: id, webhookId } = delivery;
  const right = signatureHeader(signers, { scheme, id, timestamp: seconds, body });
  const signature = spoiltSignature(right, fault?.signature);
  return {
    headers: {
      'Content-Type': fault?.contentType ?? 'application/json',
      ...(signature === undefined ? {} : { [signatureName(scheme)]: signature }),
      ...(scheme === 'standard' ? { 'webhook-id': id, 'webhook-timestamp': String(seconds) } : {}),
      ...(scheme === 'standard' || type === RAMP_CALLBACK
        ? {}
        : { 'X-Webhook-Event': type, 'X-Webhook-ID': webhookId }),
    },
    body: spoiltBody(body, fault?.body),
  };
}

function offsetOf(timestamp: StruckDelivery['timestamp']): number {
  if (timestamp === 'stale') return -STALE_MS;
  return timestamp === 'future' ? STALE_MS : (timestamp ?? 0);
}

function spoiltSignature(right: string, fault: StruckDelivery['signature']): string | undefined {
  switch (fault) {
    case 'missing':
      return undefined;
    case 'malformed':
      return `signature:${right.replace(/^t=\d+,/, '')}`;
    case 'wrong':
      // Changes each signature, but not the time.
      return right.replace(/[0-9a-f]{64}|[\w+/]{43}=/g, otherBytes);
    default:
      return right;
  }
}

/** Returns a signature in the same encoding, hex or base64, with each bit inverted. */
function otherBytes(signature: string): string {
  const encoding = signature.endsWith('=') ? 'base64' : 'hex';
  return Buffer.from(Buffer.from(signature, encoding).map((byte) => 255 - byte)).toString(encoding);
}

function spoiltBody(body: string, fault: StruckDelivery['body']): string {
  switch (fault) {
    case 'changed':
      return body.replace(/}$/, ',"changed":true}');
    case 'reserialized':
      return JSON.stringify(JSON.parse(body), null, 2);
    case 'truncated':
      return body.slice(0, body.length >> 1);
    default:
      return body;
  }
}
