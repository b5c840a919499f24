import { createHmac } from 'node:crypto';

/**
 * How deliveries are signed. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`, the key is the
 * base64-decoded secret; one `v1` for each valid secret. `body`: hex over the body alone, key used as given, as hosted
 * ramp callbacks are signed; it has room for one signature, that of the newest secret.
 */
export type DeliveryScheme = 'timestamped' | 'body';

/** The value of `X-Signature`. A second reading of the rule: the package's own signing code is not used here on purpose. */
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

const hexOf = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text, 'utf8').digest('hex');
