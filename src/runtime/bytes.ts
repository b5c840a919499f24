const encoder = new TextEncoder();
/** It keeps a byte order mark, so the text has all that was sent. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the UTF-8 of a text. Half a surrogate pair becomes U+FFFD. */
export const utf8Bytes = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** Returns the text of UTF-8. Wrong bytes become U+FFFD. */
export const utf8Text = (bytes: Uint8Array): string => decoder.decode(bytes);

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
