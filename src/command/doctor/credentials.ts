import { isBase64 } from '../../runtime/bytes.js';
import { areSwapped, copyingMistake } from '../../signing/credentials.js';
import { formMistake } from '../../util/secret-form.js';
import { type Finding, finding } from './finding.js';

/** A secret of fewer bytes is likely to be cut off. */
const MIN_SECRET_BYTES = 16;

export const isSecretInKey = (apiKey: string, apiSecret: string): boolean =>
  apiKey === apiSecret || areSwapped(apiKey, apiSecret);

/** Checks the form of both. Their values are in no message. */
export function credentialFindings(apiKey: string, apiSecret: string): Finding[] {
  if (areSwapped(apiKey, apiSecret)) {
    const swapped = 'PARTNER_API_KEY looks like a secret, and PARTNER_API_SECRET does not: swap the two';
    return [finding('secret', 'problem', swapped)];
  }
  if (apiKey === apiSecret) return [finding('secret', 'problem', 'API key and secret are the same string')];
  const secret = mistakeOf(apiSecret) ?? secretMistake(apiSecret);
  const key = mistakeOf(apiKey);
  return [
    key === undefined
      ? finding('key', 'ok', `${apiKey.length} characters`)
      : finding('key', 'problem', `PARTNER_API_KEY ${key}`),
    secret === undefined ? wellFormed(apiSecret) : finding('secret', 'problem', `PARTNER_API_SECRET ${secret}`),
  ];
}

/** Returns the mistake of a string that was copied from a file or a page, if it shows. */
export function mistakeOf(text: string): string | undefined {
  return copyingMistake(text) ?? (/[^!-~]/.test(text) ? 'has characters that are not ASCII' : undefined);
}

function secretMistake(secret: string): string | undefined {
  const mistake = formMistake(secret);
  if (mistake !== undefined) return mistake;
  if (!isBase64(secret)) return 'is not base64';
  const bytes = bytesOf(secret);
  return bytes < MIN_SECRET_BYTES ? `has only ${bytes} bytes: it may be cut off` : undefined;
}

function wellFormed(secret: string): Finding {
  const alphabet = /[-_]/.test(secret) ? 'url-safe base64' : 'base64';
  const digits = secret.replace(/=+$/, '').length;
  if (digits % 4 === 1)
    return finding('secret', 'warning', `${alphabet} of an impossible length: a character is missing`);
  return finding('secret', 'ok', `${alphabet}, ${bytesOf(secret)} bytes`);
}

const bytesOf = (base64: string): number => Buffer.from(base64, 'base64').length;
