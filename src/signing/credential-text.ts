import { isBase64 } from '../runtime/bytes.js';

/** Returns the mistake of a text that was copied from a file or a page, if it shows. */
export function copyingMistake(text: string): string | undefined {
  if (text.trim() !== text) return 'has white space or a line end around it: a file was read with its last line end?';
  if (/^["'`].*["'`]$/s.test(text)) return 'has quotation marks around it';
  if (/\\n/.test(text)) return 'has a written \\n in it';
  if (/\s/.test(text)) return 'has white space in it';
  return undefined;
}

/** True if the two are swapped: the secret would be sent as the key. */
export function areSwapped(apiKey: string, apiSecret: string): boolean {
  const [key, secret] = [apiKey.trim(), apiSecret.trim()];
  return /[+/=]/.test(key) && isSecretLike(key) && !isSecretLike(secret);
}

/** Length in base64 from which a text looks like a secret: that of 48 bytes. */
const SECRET_LIKE_LENGTH = 64;

const isSecretLike = (text: string): boolean => text.length >= SECRET_LIKE_LENGTH && isBase64(text);
