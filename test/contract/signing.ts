import { createHash, createHmac } from 'node:crypto';

export const UUID_V4 = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

/** `API-Sign`, as section 1 of the facts has it. */
export function signRequest(secret: string, target: string, nonce: string, body: Uint8Array | string = ''): string {
  const inner = createHash('sha256').update(nonce, 'ascii').update(body).digest();
  const key = Buffer.from(secret, 'base64');
  return createHmac('sha512', key).update(target, 'utf8').update(inner).digest('base64');
}

/** `X-Signature` of a delivery, with the time in its signed content. */
export function signDelivery(secret: string, body: string, seconds: number): string {
  const key = Buffer.from(secret, 'base64');
  return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`;
}

/** `X-Signature` of a hosted ramp's callback: the body alone, and the key as it was given. */
export function signCallback(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
