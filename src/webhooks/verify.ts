import { ConfigurationError, WebhookVerificationError } from '../partner-error.js';
import { ANYTHING, checkOptions, FUNCTION, type Rules, rule } from '../util/options.js';
import { bytesOf, type WebhookBody } from './body.js';
import { contentOf, parseObject } from './event.js';
import { readHeader, type WebhookHeaders } from './headers.js';
import type { WebhookEvent } from './kinds.js';
import {
  type ClaimedSignature,
  checkScheme,
  hexSignature,
  keyOf,
  parseSignature,
  SIGNATURE_HEADER,
  sameSignature,
  type WebhookScheme,
} from './signature.js';

/** The signing secret or secrets: one of the two members, not both. */
export type WebhookSecrets =
  | {
      /**
       * Several signing secrets, while one replaces another: a delivery signed with any of them is accepted. At least
       * one.
       */
      readonly secrets: readonly string[];
      readonly secret?: undefined;
    }
  // The last, since the compiler names the members of the last one when both are missing.
  | {
      /** The `signing_secret` shown once when the webhook was registered. */
      readonly secret: string;
      readonly secrets?: undefined;
    };

/** How deliveries are verified. */
export interface WebhookVerification {
  /**
   * How far the signed time may lie in the past or in the future, in seconds; the limit itself is accepted. Default
   * 300. A finite number, at least 0 (which accepts next to nothing): there is no value that switches the check off.
   */
  readonly tolerance?: number | undefined;
  /**
   * How deliveries are signed. Default `timestamped`. The scheme `body` signs no time, so `tolerance` cannot be given
   * with it.
   */
  readonly scheme?: WebhookScheme | undefined;
  /** The clock: milliseconds since the Unix epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** What `verifyWebhook` is given. */
export type VerifyWebhookOptions = WebhookSecrets &
  WebhookVerification & {
    /** The body as it arrived: bytes or text, not the parsed object. */
    readonly body: WebhookBody;
    /** The delivery's headers: a fetch `Headers`, or a plain record with names in any letter case. */
    readonly headers: WebhookHeaders;
  };

/** A delivery that is proven to come from the service. */
export interface ProvenDelivery {
  readonly event: WebhookEvent;
  /**
   * What the first secret signs for it, hex. An exact repeat has the same one, also when only another of its signatures
   * is sent again.
   */
  readonly signature: string;
}

/** Proves and reads deliveries by options that were checked once. Both methods throw as `verifyWebhook` does. */
export interface Verifier {
  /**
   * How far the signed time may lie in the past or in the future, in ms. The default also in a scheme that signs no
   * time.
   */
  readonly tolerance: number;
  /**
   * Refuses what the headers alone show to be no fresh delivery. The signature is not compared: that takes the body.
   */
  checkHead(headers: WebhookHeaders): void;
  prove(body: WebhookBody, headers: WebhookHeaders): ProvenDelivery;
}

const DEFAULT_TOLERANCE_MS = 300_000;

/**
 * Proves that a webhook delivery comes from the service and is fresh, and reads it.
 *
 * ```ts
 * const event = verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, secret });
 * if (event.type === 'quote.executed') await settle(event.data);
 * ```
 *
 * Answer 2xx within 30 s, otherwise the service delivers again. Deliveries repeat and are not ordered: handle each `id`
 * once.
 *
 * @throws WebhookVerificationError with `reason`: `missing_header` (no `X-Signature`); `bad_format` (the header has
 *   another form, the body was given parsed, or a correctly signed body is no JSON object that names an event kind);
 *   `bad_signature`; `too_old`, `too_new` (rightly signed, but outside `tolerance`). Answer 400 and do nothing.
 * @throws ConfigurationError when an option is missing or wrong: a mistake of the program, not of the sender.
 */
export function verifyWebhook(options: VerifyWebhookOptions): WebhookEvent {
  const read = checkOptions('verifyWebhook', options, RULES, ConfigurationError);
  return verifierOf(read).prove(read.body, read.headers).event;
}

/** The options that `verifierOf` reads; it checks them itself, each with the others. */
export const VERIFICATION_RULES = {
  secret: ANYTHING,
  secrets: rule(
    () => true,
    '',
    (secrets) => (Array.isArray(secrets) ? [...secrets] : secrets),
  ),
  tolerance: ANYTHING,
  scheme: ANYTHING,
  now: FUNCTION,
} satisfies Rules<WebhookSecrets & WebhookVerification>;

const RULES = { ...VERIFICATION_RULES, body: ANYTHING, headers: ANYTHING } satisfies Rules<VerifyWebhookOptions>;

/**
 * Checks options that have been read, once, for any number of deliveries.
 *
 * @throws ConfigurationError when one is missing or wrong.
 */
export function verifierOf(options: WebhookSecrets & WebhookVerification): Verifier {
  const scheme = checkScheme(options.scheme);
  const tolerance = toleranceOf(options, scheme);
  const keys = keysOf(options, scheme);
  const claimedBy = (headers: WebhookHeaders) => parseSignature(signatureHeader(headers), scheme);
  const freshTime = ({ timestamp }: ClaimedSignature): { timestamp?: number } => {
    if (timestamp === undefined) return {};
    const seconds = Number(timestamp);
    refuseStale(nowOf(options) - seconds * 1000, tolerance);
    return { timestamp: seconds };
  };
  return {
    tolerance,
    checkHead: (headers) => void freshTime(claimedBy(headers)),
    prove: (body, headers) => {
      const bytes = bytesOf(body);
      const claimed = claimedBy(headers);
      const { secretIndex, signature } = proof(keys, bytes, claimed);
      // Judged again once it is proven: the body may have taken its time.
      const time = freshTime(claimed);
      // That a kind brings its data is the service's word, and a hint only.
      const event = { ...contentOf(parseObject(bytes), headers), ...time, secretIndex } as WebhookEvent;
      return { event, signature };
    },
  };
}

/** In ms. Every value that would make the comparison always pass is refused. */
function toleranceOf({ tolerance }: WebhookVerification, scheme: WebhookScheme): number {
  if (tolerance === undefined) return DEFAULT_TOLERANCE_MS;
  if (scheme === 'body') {
    throw new ConfigurationError("the scheme 'body' signs no time, so there is nothing to which tolerance could apply");
  }
  if (Number.isFinite(tolerance) && tolerance >= 0) return tolerance * 1000;
  throw new ConfigurationError('tolerance must be a finite number of seconds, at least 0');
}

function keysOf({ secret, secrets }: WebhookSecrets, scheme: WebhookScheme): readonly Uint8Array[] {
  if (secret !== undefined && secrets !== undefined)
    throw new ConfigurationError('give either secret or secrets, not both');
  if (secrets === undefined) return [keyOf(secret, scheme, 'secret')];
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new ConfigurationError('secrets must be a list of at least one signing secret');
  }
  return Array.from(secrets, (one, index) => keyOf(one, scheme, `secrets[${index}]`));
}

function nowOf({ now = Date.now }: WebhookVerification): number {
  const time = now();
  if (Number.isFinite(time)) return time;
  throw new ConfigurationError('now must return milliseconds since the Unix epoch');
}

function signatureHeader(headers: WebhookHeaders): string {
  const header = readHeader(headers, SIGNATURE_HEADER);
  if (header !== undefined) return header;
  throw new WebhookVerificationError('missing_header', `the delivery has no header ${SIGNATURE_HEADER}`);
}

function proof(
  keys: readonly Uint8Array[],
  body: Uint8Array,
  { timestamp, signatures }: ClaimedSignature,
): { secretIndex: number; signature: string } {
  let first: string | undefined;
  const secretIndex = keys.findIndex((key) => {
    const expected = hexSignature(key, body, timestamp);
    first ??= expected;
    return signatures.some((signature) => sameSignature(expected, signature));
  });
  if (secretIndex >= 0 && first !== undefined) return { secretIndex, signature: first };
  throw new WebhookVerificationError(
    'bad_signature',
    'no signature matches: the secret is another one, or the body is not byte for byte as it was sent',
  );
}

/** In ms. A negative age is that of a time ahead of the clock. */
function refuseStale(age: number, tolerance: number): void {
  if (age > tolerance) throw new WebhookVerificationError('too_old', lateness('old', age, tolerance));
  if (-age > tolerance) throw new WebhookVerificationError('too_new', lateness('ahead of the clock', -age, tolerance));
}

function lateness(what: string, milliseconds: number, tolerance: number): string {
  return `the delivery is ${milliseconds / 1000} s ${what}, more than the ${tolerance / 1000} s of tolerance`;
}
