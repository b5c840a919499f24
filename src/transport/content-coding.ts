import { builtinModule } from '../runtime/builtin-module.js';
import { concat } from '../runtime/bytes.js';
import { ownMember } from '../util/members.js';
import { systemCode } from '../util/system-error.js';
import type { DecodedBody } from './connections.js';

type Zlib = typeof import('node:zlib');

/** How a coding is undone, and the `finishFlush` with which a missing end is no error. */
type Coding = readonly [
  decode: (zlib: Zlib, bytes: Uint8Array, limits: { maxOutputLength: number; finishFlush?: number }) => Uint8Array,
  lenient: 'Z_SYNC_FLUSH' | 'BROTLI_OPERATION_FLUSH',
];

const GZIP: Coding = [(zlib, bytes, limits) => zlib.gunzipSync(bytes, limits), 'Z_SYNC_FLUSH'];

/** The content codings that are decoded, here or by the platform's `fetch`. */
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', [inflate, 'Z_SYNC_FLUSH']],
  ['br', [(zlib, bytes, limits) => zlib.brotliDecompressSync(bytes, limits), 'BROTLI_OPERATION_FLUSH']],
]);

/** A body with more codings than this is not decoded. No server applies more than two. */
const MAX_CODINGS = 5;

/** V8 has no longer string, so a longer body cannot be parsed. Zlib rejects far larger limits. */
const MAX_STRING_LENGTH = 2 ** 29;

/**
 * Undoes the content codings of a body (RFC 9110 §8.4.1). The client asks for none, but some
 * proxies apply one anyway.
 *
 * A body that is not encoded as its header says stays unchanged: some proxies decode a body and
 * leave the header. Encoded bytes are never JSON.
 *
 * @param maxBytes Maximum size of the body in bytes after each coding is decoded.
 */
export function decodeBody(body: Uint8Array[], headers: AnswerHeaders, maxBytes: number): DecodedBody {
  const names = codingsOf(headers);
  if (names.length === 0 || body.length === 0) return { kind: 'whole', body };
  const zlib = builtinModule('node:zlib');
  if (zlib === undefined || names.length > MAX_CODINGS) return { kind: 'undecoded', body };
  const maxOutputLength = Math.min(maxBytes, MAX_STRING_LENGTH);
  let bytes: Uint8Array = concat(body);
  let kind: DecodedBody['kind'] = 'whole';
  try {
    // The header lists them in the order in which they were applied.
    for (const name of names.reverse()) {
      const coding = CODINGS.get(name);
      if (coding === undefined) return { kind: 'undecoded', body };
      const decoded = decodeOne(zlib, coding, bytes, maxOutputLength);
      if (decoded.cut) kind = 'cut';
      bytes = decoded.bytes;
    }
    return { kind, body: [bytes] };
  } catch (error) {
    return systemCode(error) === 'ERR_BUFFER_TOO_LARGE' ? { kind: 'too_large', body: [] } : { kind: 'undecoded', body };
  }
}

function decodeOne(
  zlib: Zlib,
  [decode, lenient]: Coding,
  bytes: Uint8Array,
  maxOutputLength: number,
): { readonly bytes: Uint8Array; readonly cut: boolean } {
  try {
    return { bytes: decode(zlib, bytes, { maxOutputLength }), cut: false };
  } catch (error) {
    if (systemCode(error) !== 'Z_BUF_ERROR') throw error;
    return { bytes: decode(zlib, bytes, { maxOutputLength, finishFlush: zlib.constants[lenient] }), cut: true };
  }
}

/** Undoes `deflate`, the format of zlib. Some servers leave out its head of two bytes. */
function inflate(...[zlib, bytes, limits]: Parameters<Coding[0]>): Uint8Array {
  const [first = 0, second = 0] = bytes;
  const hasHead = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  return hasHead ? zlib.inflateSync(bytes, limits) : zlib.inflateRawSync(bytes, limits);
}

type AnswerHeaders = Readonly<Record<string, string>>;

/** Returns the codings of a response in lower case, without `identity`. */
function codingsOf(headers: AnswerHeaders): string[] {
  const named = ownMember(headers, 'content-encoding');
  if (named === undefined) return [];
  return named
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

/** Says which coding of a response the client does not read; undefined if there is none. */
export function unknownCoding(headers: AnswerHeaders): string | undefined {
  const unknown = codingsOf(headers).find((name) => !CODINGS.has(name));
  return unknown === undefined ? undefined : `the response is encoded with ${unknown}, which the client does not read`;
}
