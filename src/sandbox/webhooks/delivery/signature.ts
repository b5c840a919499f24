import { createHmac } from 'node:crypto';

/**
 * How deliveries are signed, always by HMAC-SHA256.
 *
 * - `timestamped`: `X-Signature: t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The HMAC key is the
 *   secret, decoded from base64. There is one `v1` for each valid secret.
 * - `body`: `X-Signature: <hex>` over the body alone, as hosted ramp callbacks are signed. The HMAC
 *   key is the text of the secret. There is one signature, that of the newest secret.
 * - `standard`: as standardwebhooks.com specifies, over `<webhook-id>.<webhook-timestamp>.<body>`.
 *   `webhook-id` is the id of the event. The HMAC key is the secret, decoded from base64, and
 *   `webhook-signature` has one `v1,<base64>` for each valid secret.
 */
export type DeliveryScheme = 'timestamped' | 'body' | 'standard';

export const DELIVERY_SCHEMES = ['timestamped', 'body', 'standard'] as const satisfies readonly DeliveryScheme[];

/** What is signed. */
interface Signed {
  readonly scheme: DeliveryScheme;
  /** Only the scheme `standard` signs it. */
  readonly id: string;
  /** Unix seconds. The scheme `body` does not sign them. */
  readonly timestamp: number | string;
  readonly body: string;
}

function signedText({ scheme, id, timestamp, body }: Signed): string {
  if (scheme === 'body') return body;
  return scheme === 'standard' ? `${id}.${timestamp}.${body}` : `${timestamp}.${body}`;
}

/**
 * Returns one signature, without the `v1` before it. Does not use the package's own signing code,
 * so each checks the other.
 */
export function signatureBy(secret: string, signed: Signed): string {
  const { scheme } = signed;
  const key = Buffer.from(bareSecret(secret, scheme), scheme === 'body' ? 'utf8' : 'base64');
  return createHmac('sha256', key)
    .update(signedText(signed), 'utf8')
    .digest(scheme === 'standard' ? 'base64' : 'hex');
}

/** Removes the `whsec_` that secrets of the scheme `standard` may begin with. */
const bareSecret = (secret: string, scheme: DeliveryScheme): string =>
  scheme === 'standard' ? secret.replace(/^whsec_/, '') : secret;

/** Returns the value of the header that contains the signatures. `secrets`: newest first. */
export function signatureHeader(secrets: readonly string[], signed: Signed): string {
  const [newest = ''] = secrets;
  const { scheme, timestamp } = signed;
  if (scheme === 'body') return signatureBy(newest, signed);
  const signatures = secrets.map((secret) => signatureBy(secret, signed));
  if (scheme === 'standard') return signatures.map((signature) => `v1,${signature}`).join(' ');
  return [`t=${timestamp}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}

/** Returns the name of the header that contains the signatures. */
export const signatureName = (scheme: DeliveryScheme): string =>
  scheme === 'standard' ? 'webhook-signature' : 'X-Signature';

/** Returns the part of a signing secret that may be shown, which is enough to recognise it. */
export const maskedSecret = (secret: string): string => `…${secret.slice(-4)}`;
