import type { Mistake, WrongSignature } from './wrong-signature.js';

/** A possible key of the HMAC. */
export interface Secret extends Mistake {
  readonly key: string | Uint8Array;
}

/** Maximum number of other API keys whose secrets are tried, the newest first. */
const MAX_OTHER_KEYS = 16;

/** Returns the bytes that a client may have used as the secret. */
export function secretsFor({ key, keys }: WrongSignature): Secret[] {
  const { apiKey, secret, formerSecret } = key;
  const text = secret.toString('base64');
  const withoutSigns = text.replaceAll(/[+/]/g, '');
  const found: (Secret | undefined)[] = [
    { clause: 'you did not base64-decode the secret', key: text, isCommon: true },
    withoutSigns === text
      ? undefined
      : {
          clause: 'you decoded the secret as url-safe base64, which lost its + and /',
          key: Buffer.from(withoutSigns, 'base64'),
        },
    { clause: 'you turned the decoded secret into text', key: secret.toString('utf8') },
    { clause: 'you turned the decoded secret into text', key: secret.toString('latin1') },
    { clause: 'you turned the decoded secret into hex text', key: secret.toString('hex') },
    { clause: 'you did not base64-decode the secret, and left a line break at its end', key: `${text}\n` },
    { clause: 'you signed with an empty secret', key: '' },
    { clause: 'you signed with the API key in place of the secret', key: apiKey, isCommon: true },
    { clause: 'you signed with the API key in place of the secret', key: Buffer.from(apiKey, 'base64') },
    ...(formerSecret === undefined ? [] : both('you signed with the secret that was replaced', formerSecret)),
    ...keys
      .filter((other) => other !== key)
      .slice(-MAX_OTHER_KEYS)
      .flatMap((other) => both(`you signed with the secret of another API key, ${other.apiKey}`, other.secret)),
  ];
  return found.filter((one) => one !== undefined);
}

function both(clause: string, secret: Buffer): Secret[] {
  return [
    { clause, key: secret },
    { clause: `${clause}, and you did not base64-decode it`, key: secret.toString('base64') },
  ];
}
