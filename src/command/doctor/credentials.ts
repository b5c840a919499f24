import { areSwapped, copyingMistake } from '../../signing/credentials.js';
import { formMistake } from '../../util/secret-form.js';
import { type Finding, finding } from './finding.js';

/** A secret of fewer bytes is likely to be cut off. */
const MIN_SECRET_BYTES = 16;

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** True if the secret would be sent as the key. */
export const isSecretInKey = (apiKey: string, apiSecret: string): boolean =>
  apiKey === apiSecret || areSwapped(apiKey, apiSecret);

/** Checks the form of both. Their values are in no message. */
export function credentialFindings(apiKey: string, apiSecret: string): Finding[] {
  if (areSwapped(apiKey, apiSecret)) {
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
  const mistake = copyingMistake(text);
  if (mistake !== undefined) return mistake;
  if (/[^!-~]/.test(text)) return 'has characters that are not ASCII';
  return undefined;
}

function secretMistake(secret: string): string | undefined {
  const mistake = formMistake(secret);
  if (mistake !== undefined) return mistake;
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

const bytesOf = (base64: string): number => Buffer.from(base64, 'base64').length;
