import { isBase64 } from '../runtime/bytes.js';

/** Returns the mistake of a text that was copied from a file or a page, if it shows. */
export function copyingMistake(text: string): string | undefined {
  if (text.trim() !== text) return 'has white space or a line end around it: a file was read with its last line end?';
  if (/^["'`].*["'`]$/s.test(text)) return 'has quotation marks around it';
  if (/\\n/.test(text)) return 'has a written \\n in it';
  if (/\s/.test(text)) return 'has white space in it';
  return undefined;
}

/** Returns the mistake of a secret that is not the base64 which the API takes, if it shows. */
export function formMistake(secret: string): string | undefined {
  if (/^-----BEGIN/.test(secret)) return 'is a PEM file: the API takes a base64 secret';
  return HEX.test(secret) ? 'looks like hex: give it in base64, as it was shown' : undefined;
}

/** Hex of 16 bytes or more. Less than 1 in 10^14 base64 secrets look like it. */
const HEX = /^(?=.*\d)(?=.*[a-f])([0-9a-f]{2}){16,}$/i;

/** True if the two are swapped: the secret would be sent as the key. */
export function areSwapped(apiKey: string, apiSecret: string): boolean {
  const [key, secret] = [apiKey.trim(), apiSecret.trim()];
  return /[+/=]/.test(key) && isSecretLike(key) && !isSecretLike(secret);
}

/** Length in base64 from which a text looks like a secret: that of 48 bytes. */
const SECRET_LIKE_LENGTH = 64;

const isSecretLike = (text: string): boolean => text.length >= SECRET_LIKE_LENGTH && isBase64(text);
