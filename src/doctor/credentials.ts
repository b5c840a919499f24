import { type Finding, finding } from './finding.js';

/** A secret of fewer bytes is likely to be cut off. */
const MIN_SECRET_BYTES = 16;

/** Size in bytes, decoded from base64, from which a text looks like a secret. */
const SECRET_LIKE_BYTES = 48;

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** True if the secret would be sent as the key. */
export const isSecretInKey = (apiKey: string, apiSecret: string): boolean =>
  apiKey === apiSecret || looksSwapped(apiKey, apiSecret);

/** Checks the form of both. Their values are in no message. */
export function credentialFindings(apiKey: string, apiSecret: string): Finding[] {
  if (looksSwapped(apiKey, apiSecret)) {
    return [
      finding(
        'secret',
        'problem',
        'PARTNER_API_KEY looks like a secret, and PARTNER_API_SECRET does not: swap the two',
      ),
    ];
  }
  if (apiKey === apiSecret) return [finding('secret', 'problem', 'key and secret are the same text')];
  const secret = mistakeOf(apiSecret) ?? secretMistake(apiSecret);
  const key = mistakeOf(apiKey);
  return [
    key === undefined
      ? finding('key', 'ok', `${apiKey.length} characters`)
      : finding('key', 'problem', `PARTNER_API_KEY ${key}`),
    secret === undefined ? wellFormed(apiSecret) : finding('secret', 'problem', `PARTNER_API_SECRET ${secret}`),
  ];
}

/** Returns the mistake of a text that was copied from a file or a page, if it shows. */
export function mistakeOf(text: string): string | undefined {
  if (text.trim() !== text) return 'has white space or a line end around it: a file was read with its last line end?';
  if (/^["'`].*["'`]$/s.test(text)) return 'has quotation marks around it';
  if (/\\n/.test(text)) return 'has a written \\n in it';
  if (/\s/.test(text)) return 'has white space in it';
  if (/[^!-~]/.test(text)) return 'has characters that are not ASCII';
  return undefined;
}

function secretMistake(secret: string): string | undefined {
  if (/^-----BEGIN/.test(secret)) return 'is a PEM file: the API takes a base64 secret';
  if (/^([0-9a-f]{2}){16,}$/i.test(secret)) return 'looks like hex: give it in base64, as it was shown';
  if (!BASE64.test(secret)) return 'is not base64';
  const bytes = bytesOf(secret);
  if (bytes < MIN_SECRET_BYTES) return `has only ${bytes} bytes: it may be cut off`;
  return undefined;
}

function wellFormed(secret: string): Finding {
  const alphabet = /[-_]/.test(secret) ? 'url-safe base64' : 'base64';
  const digits = secret.replace(/=+$/, '').length;
  if (digits % 4 === 1)
    return finding('secret', 'warning', `${alphabet} of an impossible length: a character is missing`);
  return finding('secret', 'ok', `${alphabet}, ${bytesOf(secret)} bytes`);
}

function looksSwapped(apiKey: string, apiSecret: string): boolean {
  const [key, secret] = [apiKey.trim(), apiSecret.trim()];
  return /[+/=]/.test(key) && isSecretLike(key) && !isSecretLike(secret);
}

const isSecretLike = (text: string): boolean => BASE64.test(text) && bytesOf(text) >= SECRET_LIKE_BYTES;

const bytesOf = (base64: string): number => Buffer.from(base64, 'base64').length;
