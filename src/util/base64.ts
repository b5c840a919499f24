import { Buffer } from 'node:buffer';

/** Standard or URL alphabet, padded or not: secrets are copied from many places. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** True for base64 text that stands for at least one byte: an empty key would let anybody sign. */
export function isBase64(text: string): boolean {
  return BASE64.test(text) && Buffer.from(text, 'base64').length > 0;
}
