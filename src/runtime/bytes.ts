import { builtinModule } from './builtin-module.js';

/** Jest's jsdom has no `TextEncoder` of its own. */
const { TextDecoder, TextEncoder } = builtinModule('node:util') ?? globalThis;

const encoder = new TextEncoder();
/** It keeps a byte order mark, so the text has all that was sent. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const strict = new TextDecoder('utf-8', { fatal: true });
const exact = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the UTF-8 of a text. Half a surrogate pair becomes U+FFFD. */
export const utf8Bytes = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** Returns the text of UTF-8. Wrong bytes become U+FFFD. */
export const utf8Text = (bytes: Uint8Array): string => decoder.decode(bytes);

/**
 * Returns the text of UTF-8 without a byte order mark.
 *
 * @throws TypeError for wrong bytes.
 */
export const strictText = (bytes: Uint8Array): string => strict.decode(bytes);

/** As `strictText`, with the byte order mark. */
export const exactText = (bytes: Uint8Array): string => exact.decode(bytes);

/** True for bytes of any realm: those of a test's own realm are not `instanceof Uint8Array`. */
export const isBytes = (value: unknown): value is Uint8Array =>
  Object.prototype.toString.call(value) === '[object Uint8Array]';

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

/** Standard or URL alphabet, padded or not: secrets are copied from many places. */
const BASE64 = /^[A-Za-z0-9+/_-]{2,}={0,2}$/;

/** True for base64 text of at least one byte: with an empty key, anyone could sign. */
export const isBase64 = (text: string): boolean => BASE64.test(text);

/** Returns the bytes of a text for which `isBase64` is true. A last digit of 6 bits is left out. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  const binary = atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
  return Uint8Array.from(binary, (one) => one.charCodeAt(0));
}

export const base64Text = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Returns two digits a byte, in lower case. */
export const hexText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns the first 16 bytes in the form of a UUIDv4, with its version and variant bits. */
export function uuidOf(given: Uint8Array): string {
  const bytes = given.slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hexText(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
