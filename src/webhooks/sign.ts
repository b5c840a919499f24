import { ConfigurationError } from '../partner-error.js';
import { ANYTHING, checkOptions, type Rules } from '../util/options.js';
import { bytesOf, type WebhookBody } from './body.js';
import { checkScheme, hexSignature, keyOf, type WebhookScheme } from './signature.js';

/** What `signWebhook` is given. */
export interface SignWebhookOptions {
  /** The body exactly as it will be sent: text or bytes. */
  readonly body: WebhookBody;
  /** The signing secret: base64 in the scheme `timestamped`, any text in the scheme `body`. */
  readonly secret: string;
  /**
   * When the delivery is signed, in whole unix seconds. Default: now. Cannot be given with the scheme `body`, which
   * signs no time.
   */
  readonly timestamp?: number | undefined;
  /** How to sign. Default `timestamped`. */
  readonly scheme?: WebhookScheme | undefined;
}

/** The header that proves a delivery, ready to be spread into a request's headers. */
export type SignedWebhookHeaders = { 'X-Signature': string };

/** From here on a number can only be meant as milliseconds. */
const FIRST_MILLISECONDS = 1e12;

/**
 * Signs a body as the service does, for tests of a webhook handler.
 *
 * ```ts
 * const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
 * await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...signWebhook({ body, secret }) } });
 * ```
 *
 * @throws ConfigurationError when the secret, the timestamp or the scheme is wrong.
 * @throws WebhookVerificationError (`bad_format`) when the body is neither text nor bytes.
 */
export function signWebhook(given: SignWebhookOptions): SignedWebhookHeaders {
  const options = checkOptions('signWebhook', given, RULES, ConfigurationError);
  const scheme = checkScheme(options.scheme);
  const key = keyOf(options.secret, scheme, 'secret');
  const timestamp = timestampOf(options, scheme);
  const signature = hexSignature(key, bytesOf(options.body), timestamp);
  return { 'X-Signature': timestamp === undefined ? signature : `t=${timestamp},v1=${signature}` };
}

// Checked each with the others, below.
const RULES = {
  body: ANYTHING,
  secret: ANYTHING,
  timestamp: ANYTHING,
  scheme: ANYTHING,
} satisfies Rules<SignWebhookOptions>;

function timestampOf({ timestamp }: SignWebhookOptions, scheme: WebhookScheme): string | undefined {
  if (scheme === 'body') {
    if (timestamp === undefined) return undefined;
    throw new ConfigurationError("the scheme 'body' signs no time, so timestamp cannot be given");
  }
  const seconds = timestamp === undefined ? Math.floor(Date.now() / 1000) : timestamp;
  if (Number.isInteger(seconds) && seconds >= 0 && seconds < FIRST_MILLISECONDS) return String(seconds);
  throw new ConfigurationError('timestamp must be whole unix seconds (Date.now() / 1000, rounded down)');
}
