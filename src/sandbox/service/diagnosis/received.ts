/** A possible decoding of `API-Sign`. */
export interface Reading {
  readonly algorithm: string;
  readonly bytes: Buffer;
  /** The mistake in its form. Undefined: none. */
  readonly clause: string | undefined;
}

/** HMAC algorithms by the number of bytes that they produce. */
const ALGORITHMS: Readonly<Record<number, string>> = { 20: 'sha1', 32: 'sha256', 48: 'sha384', 64: 'sha512' };

/** Maximum length of a signature in characters; no form is longer. */
const MAX_LENGTH = 300;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const URL_SAFE = /^[A-Za-z0-9_-]+={0,2}$/;
const HEX = /^[0-9A-Fa-f]+$/;

/** Returns the possible decodings of a text, each with the mistake in its form. */
export function readingsOf(received: string): Reading[] {
  if (received.length > MAX_LENGTH) return [];
  const texts = [
    [received, undefined],
    [received.replace(/^(["'])(.*)\1$/, '$2'), 'you sent the signature in quotation marks'],
    [received.replaceAll(' ', '+'), 'you sent the signature with spaces where it has +'],
    [received.replaceAll(/\s+/g, ''), 'you sent the signature with blanks in it'],
    [percentDecoded(received), 'you percent-encoded the signature'],
  ] as const;
  return texts.flatMap(([text, clause]) =>
    clause !== undefined && text === received ? [] : bytesOf(text).flatMap((found) => reading(...found, clause)),
  );
}

function reading(bytes: Buffer, form: string | undefined, around: string | undefined): Reading[] {
  const algorithm = ALGORITHMS[bytes.length];
  if (algorithm === undefined) return [];
  const hash = algorithm === 'sha512' ? undefined : `you signed with HMAC-${named(algorithm)}, not with HMAC-SHA512`;
  const clauses = [around, form, hash].filter((clause) => clause !== undefined);
  return [{ algorithm, bytes, clause: clauses.length === 0 ? undefined : clauses.join(', and ') }];
}

const named = (algorithm: string): string => algorithm.replace('sha', 'SHA');

function bytesOf(text: string): (readonly [bytes: Buffer, clause: string | undefined])[] {
  const found: (readonly [Buffer, string | undefined])[] = [];
  if (HEX.test(text) && text.length % 2 === 0) {
    found.push([Buffer.from(text, 'hex'), 'you sent the signature as hex, not as base64']);
  }
  if (!BASE64.test(text) && !URL_SAFE.test(text)) return found;
  const bytes = Buffer.from(text, 'base64');
  found.push([bytes, base64Mistake(text)]);
  const inner = bytes.toString('latin1');
  if (HEX.test(inner) && inner.length % 2 === 0) {
    found.push([Buffer.from(inner, 'hex'), 'you base64-encoded the hex text of the signature, not its bytes']);
  }
  return found;
}

function base64Mistake(text: string): string | undefined {
  if (!BASE64.test(text)) return 'you sent the signature as url-safe base64';
  return text.length % 4 === 0 ? undefined : 'you left out the = at the end of the signature';
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
