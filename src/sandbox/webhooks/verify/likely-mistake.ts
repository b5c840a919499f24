import type { DeliveryScheme } from '../delivery/signature.js';
import { bodiesOf, encodingOf, keysOf, produces, textsOf, type Variant } from './variants.js';

/** A secret that may have made the signature, and the scheme of its webhook. */
export interface Candidate {
  readonly secret: string;
  readonly scheme: DeliveryScheme;
  /** Undefined for a secret from the caller. */
  readonly webhookId: string | undefined;
  /** False for a replaced secret that is no longer valid. */
  readonly isValid: boolean;
}

/** Facts about a delivery with a wrong signature. */
export interface Suspect {
  readonly body: string;
  readonly timestamp: string | undefined;
  /** Signatures as they are written. */
  readonly signatures: readonly string[];
  readonly id: string | undefined;
  readonly candidates: readonly Candidate[];
  /** Secrets of other webhooks, which may have made the signature. */
  readonly others: readonly Candidate[];
  /** Events that the sandbox has sent, newest first: the header may belong to one of them. */
  readonly sent: readonly { readonly eventId: string; readonly body: string }[];
}

/**
 * Maximum length of a body in characters for all tries; a longer one is tried with one mistake at a
 * time, and not against other events.
 */
const LONG_BODY_LENGTH = 64 * 1024;

/** Returns the likely mistake: the one with which signing produces the signature. */
export function likelyMistake(suspect: Suspect): string {
  return foundMistake(suspect) ?? guess(suspect);
}

function foundMistake(suspect: Suspect): string | undefined {
  const { candidates, others, timestamp } = suspect;
  if (candidates.every(({ scheme }) => (scheme === 'body') === (timestamp !== undefined))) return OTHER_SCHEME;
  const mistakes = mistakesWith(suspect, candidates, suspect.body.length <= LONG_BODY_LENGTH ? 2 : 1);
  if (mistakes !== undefined && mistakes.length > 0) return mistakes.join('; ');
  const signer = others.find((other) => mistakesWith(suspect, [other], 0) !== undefined);
  if (signer !== undefined) return ofOther(signer);
  return mistakeAgainstSent(suspect);
}

function ofOther({ webhookId, isValid }: Candidate): string {
  if (isValid) return `it was signed with the secret of another webhook, ${webhookId}`;
  return `it was signed with a secret of ${webhookId} that was replaced and is no longer valid`;
}

/**
 * Returns the smallest combination of mistakes that produces one of the signatures, at most `most`.
 */
function mistakesWith(suspect: Suspect, candidates: readonly Candidate[], most: number): string[] | undefined {
  const { body, timestamp, id, signatures } = suspect;
  let least: string[] | undefined;
  const bodies = most === 0 ? [{ value: body }] : bodiesOf(body);
  for (const { secret, scheme } of candidates) {
    for (const written of bodies) {
      for (const text of textsOf(scheme, timestamp, id)) {
        for (const key of keysOf(secret, scheme)) {
          const mistakes = mistakesOf([written, text, key]);
          if (mistakes.length > most || mistakes.length >= (least?.length ?? Infinity)) continue;
          const writing = writingGiven(signatures, key.value, text.value(written.value));
          if (writing !== undefined) least = [...mistakes, ...writing];
        }
      }
    }
  }
  return least;
}

function mistakesOf(variants: readonly Variant<unknown>[]): string[] {
  return variants.flatMap(({ mistake }) => mistake ?? []);
}

/** Returns the mistakes in the encoding of the first signature that key and text produce. */
function writingGiven(signatures: readonly string[], key: Uint8Array, text: string): readonly string[] | undefined {
  for (const signature of signatures) {
    const writing = encodingOf(signature);
    if (writing !== undefined && produces(key, text, signature, writing)) return writing.mistakes;
  }
  return undefined;
}

/** The signature may belong to another body that the sandbox has sent. */
function mistakeAgainstSent(suspect: Suspect): string | undefined {
  const { body, id, candidates, others, sent } = suspect;
  if (body.length > LONG_BODY_LENGTH) return undefined;
  const secrets = [...candidates, ...others];
  const signed = sent.find((one) => mistakesWith({ ...suspect, body: one.body }, secrets, 0) !== undefined);
  if (signed === undefined) return undefined;
  if (body !== '' && signed.body.startsWith(body)) {
    return `the body is cut off: ${body.length} of ${signed.body.length} characters are there`;
  }
  if (id === signed.eventId) return 'the body was changed after it was signed';
  return `the header is that of another event, ${signed.eventId}`;
}

const OTHER_SCHEME = 'the header has the form of one scheme (timestamped, body), and the webhook has the other';

function guess({ signatures, candidates }: Suspect): string {
  const odd = signatures.find((signature) => encodingOf(signature) === undefined);
  if (odd !== undefined) return `the signature is not 64 digits of hex: it has ${odd.length} characters`;
  if (candidates.some(({ secret, scheme }) => scheme === 'timestamped' && !/^[\w+/-]+={0,2}$/.test(secret.trim()))) {
    return 'the secret is not base64: use it exactly as it was shown at the registration';
  }
  return 'another secret has signed it, or the body was changed after it was signed';
}
