import { createHmac } from 'node:crypto';

/**
 * The signature of deliveries.
 *
 * - `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the base64-decoded
 *   secret. There is one `v1` for each valid secret.
 * - `body`: hex over the body alone, as hosted ramp callbacks are signed. The key is the secret as
 *   it is. There is one signature, that of the newest secret.
 */
export type DeliveryScheme = 'timestamped' | 'body';

/**
 * Returns the value of `X-Signature`. Does not use the package's own signing code, so each checks
 * the other.
 */
export function signatureHeader(
  scheme: DeliveryScheme,
  secrets: readonly string[],
  body: string,
  unixSeconds: number,
): string {
  const [newest = ''] = secrets;
  if (scheme === 'body') return hexOf(Buffer.from(newest, 'utf8'), body);
  const signatures = secrets.map((secret) => `v1=${hexOf(Buffer.from(secret, 'base64'), `${unixSeconds}.${body}`)}`);
  return [`t=${unixSeconds}`, ...signatures].join(',');
}

/** Returns the part of a signing secret that may be shown, which is enough to recognise it. */
export const maskedSecret = (secret: string): string => `…${secret.slice(-4)}`;

const hexOf = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text, 'utf8').digest('hex');
