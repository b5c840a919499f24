import type { DeliveryScheme } from '../delivery/signature.js';
import type { ClaimedSignature } from './claimed-signature.js';
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
export interface Suspect extends Omit<ClaimedSignature, 'problem'> {
  readonly body: string;
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
  const { candidates, others } = suspect;
  if (candidates.every(({ scheme }) => scheme !== suspect.scheme)) return otherScheme(suspect);
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
  const { body, timestamp = '', signatures } = suspect;
  const id = suspect.id ?? eventIn(body)?.id;
  let least: string[] | undefined;
  const bodies = most === 0 ? [{ value: body }] : bodiesOf(body);
  for (const { secret, scheme } of candidates) {
    if (scheme !== suspect.scheme) continue;
    for (const written of bodies) {
      for (const text of textsOf(scheme, timestamp, id)) {
        for (const key of keysOf(secret, scheme)) {
          const mistakes = mistakesOf([written, text, key]);
          if (mistakes.length > most || mistakes.length >= (least?.length ?? Infinity)) continue;
          const writing = writingGiven(signatures, scheme, key.value, text.value(written.value));
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
function writingGiven(
  signatures: readonly string[],
  scheme: DeliveryScheme,
  key: Uint8Array,
  text: string,
): readonly string[] | undefined {
  for (const signature of signatures) {
    const writing = encodingOf(signature, scheme);
    if (writing !== undefined && produces(key, text, signature, writing)) return writing.mistakes;
  }
  return undefined;
}

/** The signature may belong to another body that the sandbox has sent. */
function mistakeAgainstSent(suspect: Suspect): string | undefined {
  const { body, candidates, others, sent } = suspect;
  if (body.length > LONG_BODY_LENGTH) return undefined;
  const secrets = [...candidates, ...others];
  const signed = sent.find((one) => mistakesWith({ ...suspect, body: one.body }, secrets, 0) !== undefined);
  if (signed === undefined) return undefined;
  if (body !== '' && signed.body.startsWith(body)) {
    return `the body is cut off: ${body.length} of ${signed.body.length} characters are there`;
  }
  const [event, original] = [eventIn(body), eventIn(signed.body)];
  if (event?.id !== undefined && event.id === original?.id && event.kind === original.kind) {
    return 'the body was changed after it was signed';
  }
  return `the header is that of another event, ${signed.eventId}`;
}

/** Returns kind and id in a body: the id of the event or, in the flat form, of its resource. */
function eventIn(body: string): { readonly kind: unknown; readonly id: string | undefined } | undefined {
  try {
    const { id, type, event_type: kind = type } = Object(JSON.parse(body));
    return { kind, id: typeof id === 'string' ? id : undefined };
  } catch {
    return undefined;
  }
}

function otherScheme({ scheme, candidates }: Suspect): string {
  const own = [...new Set(candidates.map((candidate) => candidate.scheme))].join(' or ');
  return `the delivery has the signature of the scheme ${scheme}, and the webhook has the scheme ${own}`;
}

function guess({ signatures, scheme = 'timestamped', candidates }: Suspect): string {
  const odd = signatures.find((signature) => encodingOf(signature, scheme) === undefined);
  const form = scheme === 'standard' ? 'base64 of 32 bytes' : '64 digits of hex';
  if (odd !== undefined) return `the signature is not ${form}: it has ${odd.length} characters`;
  if (candidates.some((one) => one.scheme !== 'body' && !/^[\w+/-]+={0,2}$/.test(one.secret.trim()))) {
    return 'the secret is not base64: use it exactly as it was shown at the registration';
  }
  return 'another secret has signed it, or the body was changed after it was signed';
}
