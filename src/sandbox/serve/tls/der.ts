// Encodes ASN.1 values as DER (X.690): each is a tag, the length of its content, and the content.

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const element = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
};

/** Below 128 one byte; otherwise the number of bytes, with the high bit set, and these bytes. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = bytesOf(length);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** Returns the bytes of an integer, the highest first; none for 0. */
function bytesOf(value: number): number[] {
  return value === 0 ? [] : [...bytesOf(Math.floor(value / 0x100)), value % 0x100];
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(TAG.sequence, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => element(TAG.set, ...items);
export const octetString = (content: Uint8Array): Buffer => element(TAG.octetString, content);
export const utf8String = (text: string): Buffer => element(TAG.utf8String, Buffer.from(text));
export const TRUE = element(TAG.boolean, Buffer.from([0xff]));

/** Encodes an integer that is not negative. The leading 0 prevents a high bit from being a sign. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  return element(TAG.integer, ...((digits[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : []), digits);
}

/** The first byte is the number of unused bits at the end. */
export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return element(TAG.bitString, Buffer.from([unusedBits]), content);
}

/** Encodes an object id from its usual form, for example `2.5.29.17`. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return element(TAG.objectId, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

/** Encodes seven bits per byte; all bytes except the last have the high bit set. */
function base128(value: number): number[] {
  const more = (rest: number): number[] => (rest === 0 ? [] : [...more(Math.floor(rest / 0x80)), 0x80 | (rest % 0x80)]);
  return [...more(Math.floor(value / 0x80)), value % 0x80];
}

/**
 * Encodes a time to the second. Years from 2050 need the longer form, all others the shorter one.
 */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, '');
  if (date.getUTCFullYear() >= 2050) return element(TAG.generalizedTime, Buffer.from(digits));
  return element(TAG.utcTime, Buffer.from(digits.slice(2)));
}

/**
 * Encodes a context-specific tag. An explicit one encloses a value, an implicit one replaces its
 * tag.
 */
export function tagged(tag: number, content: Uint8Array, form: 'explicit' | 'implicit' = 'explicit'): Buffer {
  return element((form === 'explicit' ? 0xa0 : 0x80) | tag, content);
}
