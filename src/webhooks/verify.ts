import { ConfigurationError, WebhookVerificationError } from '../partner-error.js';
import { hexText, utf8Bytes } from '../runtime/bytes.js';
import { hmacSha256Sync, sha256Sync } from '../runtime/crypto.js';
import { ANYTHING, checkGiven, copyList, type Rules, rule } from '../util/options.js';
import { bytesOf, type WebhookBody } from './body.js';
import { contentOf, readBody, type WebhookEvent } from './event.js';
import { readHeader, type WebhookHeaders } from './headers.js';
import {
  type ClaimedSignature,
  checkScheme,
  claimedSignature,
  keyOf,
  sameSignature,
  signatureText,
  signedParts,
  type WebhookScheme,
} from './signature.js';

/** The signing secret or secrets: one of the two members, not both. */
export type WebhookSecrets =
  | {
      /**
       * Several signing secrets, at least one, while a new one replaces an old one. A delivery that
       * any of them has signed is accepted.
       */
      readonly secrets: readonly string[];
      readonly secret?: undefined;
    }
  // `secret` comes last: if both are missing, then the compiler names the member of the last type.
  | {
      /** The `signing_secret` shown once when the webhook was registered. */
      readonly secret: string;
      readonly secrets?: undefined;
    };

/** Rules of verification. */
export interface WebhookVerification {
  /**
   * The largest difference between the signed time and now, past or future, in seconds; the limit
   * itself is accepted. Default 300. A finite number, at least 0 (which accepts almost nothing): no
   * value switches the check off. Cannot be given with the scheme `body`, which signs no time.
   */
  readonly toleranceSeconds?: number | undefined;
  /** Default `timestamped`. */
  readonly scheme?: WebhookScheme | undefined;
}

/** Options of `verifyWebhook`. */
export type VerifyWebhookOptions = WebhookSecrets &
  WebhookVerification & {
    /**
     * The body as it arrived: bytes or a string, not the parsed object.
     *
     * @example
     * const body = await request.arrayBuffer();
     * const event = verifyWebhook({ body, headers: request.headers, secret });
     */
    readonly body: WebhookBody;
    /**
     * The delivery's headers: a fetch `Headers`, or a record with names in any letter case.
     *
     * @example
     * const event = verifyWebhook({ body: rawBody, headers: request.headers, secret });
     */
    readonly headers: WebhookHeaders;
  };

const DEFAULT_TOLERANCE_MS = 300_000;

/**
 * Verifies that a webhook delivery comes from the service and is fresh, and reads it.
 *
 * Respond with 2xx within 30 s, otherwise the service delivers again. Deliveries may be duplicates
 * and are not ordered, so handle each `deliveryId` once.
 *
 * @example
 * const body = await request.arrayBuffer();
 * const event = verifyWebhook({ body, headers: request.headers, secret });
 * if (event.type === 'quote.executed') await settle(event.data);
 *
 * @throws WebhookVerificationError with `reason`: `missing_header` (a header of the scheme is
 *   missing); `bad_format` (a header has another form, the body was given parsed, or a correctly
 *   signed body is not a JSON object that names an event kind); `bad_signature`; `too_old`,
 *   `too_new` (correctly signed, but outside `toleranceSeconds`). Respond with 400 and do nothing.
 * @throws ConfigurationError if an option is missing or wrong: a mistake of the program, not of the
 *   sender.
 */
export function verifyWebhook(options: VerifyWebhookOptions): WebhookEvent {
  const given = checkGiven('verifyWebhook', options, RULES, ConfigurationError);
  const { keys, read } = verifierOf(given);
  const { signedParts, verify } = read(given.body, given.headers);
  const { hashed, eventOf } = verify(keys.map((key) => hmacSha256Sync(key, ...signedParts)));
  return eventOf(hashed && sha256Sync(...hashed));
}

/** The options of `verifierOf`, which checks each together with the others. */
export const VERIFICATION_RULES = {
  secret: ANYTHING,
  secrets: rule(() => true, '', copyList),
  toleranceSeconds: ANYTHING,
  scheme: ANYTHING,
} satisfies Rules<WebhookSecrets & WebhookVerification>;

const RULES = { ...VERIFICATION_RULES, body: ANYTHING, headers: ANYTHING } satisfies Rules<VerifyWebhookOptions>;

/** Verifies and reads deliveries. The methods throw what `verifyWebhook` throws. */
export type Verifier = ReturnType<typeof verifierOf>;

/**
 * Checks options that have already been read. Once is enough for any number of deliveries. The
 * caller computes the hashes, because some runtimes do so asynchronously.
 *
 * @throws ConfigurationError if one is missing or wrong.
 */
export function verifierOf(options: WebhookSecrets & WebhookVerification) {
  const scheme = checkScheme(options.scheme);
  const toleranceMs = toleranceOf(options, scheme);
  const freshTime = ({ timestamp }: ClaimedSignature): { timestamp?: number } => {
    if (timestamp === undefined) return {};
    const seconds = Number(timestamp);
    refuseStale(Date.now() - seconds * 1000, toleranceMs);
    return { timestamp: seconds };
  };
  return {
    /** Keys of the signing secrets, in the order of the options. */
    keys: keysOf(options, scheme),
    /** Rejects a delivery whose headers show that it is not fresh. Verification needs the body. */
    checkHead: (headers: WebhookHeaders) => void freshTime(claimedSignature(headers, scheme)),
    read: (given: WebhookBody, headers: WebhookHeaders) => {
      const bytes = bytesOf(given);
      const claimed = claimedSignature(headers, scheme);
      /** @param hmacs HMAC-SHA256 of the signed parts by each of the keys. */
      const verify = (hmacs: readonly Uint8Array[]) => {
        const expected = hmacs.map((hmac) => signatureText(hmac, scheme));
        const secretIndex = indexOfSigner(expected, claimed);
        // Checked again after the check of the head, because the body may have taken its time.
        const time = freshTime(claimed);
        const { body, raw } = readBody(bytes);
        const content = contentOf(raw, headers, scheme);
        const { type, data } = content;
        const id = claimed.id ?? content.id;
        const webhookId = readHeader(headers, 'X-Webhook-ID');
        const members = {
          ...(id && { id }),
          type,
          data,
          ...(webhookId && { webhookId }),
          ...time,
          raw,
          body,
          secretIndex,
        };
        return {
          /** Parts of the bytes whose SHA-256 is the `deliveryId`; undefined if an id is signed. */
          hashed: id ? undefined : [utf8Bytes(content.kindIsSigned ? '' : `${type}\n`), bytes],
          // The cast: that each kind has its data is only a hint from the service.
          eventOf: (hash: Uint8Array | undefined) =>
            ({ ...members, deliveryId: hash === undefined ? id : hexText(hash) }) as WebhookEvent,
        };
      };
      return { signedParts: signedParts(bytes, claimed), verify };
    },
  };
}

/** In ms. Rejects every value with which the comparison would always pass. */
function toleranceOf(options: WebhookVerification, scheme: WebhookScheme): number {
  const seconds = options.toleranceSeconds;
  if (seconds === undefined) return DEFAULT_TOLERANCE_MS;
  if (scheme === 'body') {
    throw new ConfigurationError("the scheme 'body' signs no time, so toleranceSeconds cannot be given");
  }
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  throw new ConfigurationError('toleranceSeconds must be a finite number, at least 0');
}

function keysOf(options: WebhookSecrets, scheme: WebhookScheme): readonly Uint8Array[] {
  const { secret, secrets } = options;
  if (secret !== undefined && secrets !== undefined) {
    throw new ConfigurationError('give either secret or secrets, not both');
  }
  if (secrets === undefined) return [keyOf(secret, scheme, 'secret')];
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new ConfigurationError('secrets must be a list of at least one signing secret');
  }
  return Array.from(secrets, (one, index) => keyOf(one, scheme, `secrets[${index}]`));
}

/** @param expected The signature by each secret. */
function indexOfSigner(expected: readonly string[], { signatures }: ClaimedSignature): number {
  const index = expected.findIndex((one) => signatures.some((signature) => sameSignature(one, signature)));
  if (index >= 0) return index;
  throw new WebhookVerificationError(
    'bad_signature',
    'no signature matches: the secret is wrong, or the body is not byte for byte what was sent',
  );
}

/** Rejects an age in ms. A time ahead of the clock has a negative age. */
function refuseStale(age: number, toleranceMs: number): void {
  if (age > toleranceMs) throw new WebhookVerificationError('too_old', staleness('old', age, toleranceMs));
  if (-age > toleranceMs)
    throw new WebhookVerificationError('too_new', staleness('ahead of the clock', -age, toleranceMs));
}

function staleness(what: string, distanceMs: number, toleranceMs: number): string {
  return `the delivery is ${distanceMs / 1000} s ${what}, but toleranceSeconds allows ${toleranceMs / 1000}`;
}
