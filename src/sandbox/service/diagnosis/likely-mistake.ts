import { createHash, createHmac } from 'node:crypto';
import { jsonForms } from '../../core/basics/json-forms.js';
import type { ApiKey } from '../../core/keys/api-keys.js';
import type { RequestHead } from '../../core/request/messages.js';
import type { SigningCheck } from '../../core/request/refusal-details.js';
import { decoded } from '../../core/request/route.js';

/** A request with a wrong signature, and the data that the sandbox has about its sender. */
export interface WrongSignature {
  readonly head: RequestHead;
  readonly nonce: string;
  readonly body: Uint8Array;
  readonly key: ApiKey;
  /** All API keys of the partner. */
  readonly keys: readonly ApiKey[];
}

/** The steps of signing a request. */
interface Signing {
  readonly secret: string | Uint8Array;
  /** Path and query. */
  readonly target: string;
  /** SHA-256 of nonce and body, which is signed after the path. */
  readonly hash: Buffer;
  readonly formOfHash: 'bytes' | 'hex';
  readonly algorithm: 'sha512' | 'sha256';
  readonly form: 'base64' | 'hex' | 'base64 of hex';
}

/** A mistake that a client may have made. */
interface Mistake {
  /** A clause that starts with `you`. */
  readonly clause: string;
  /** The steps that differ from the right way. */
  readonly steps: Partial<Signing>;
}

/** Maximum number of other API keys whose secrets are tried, the newest first. */
const MAX_OTHER_KEYS = 16;

const NONE: Mistake = { clause: '', steps: {} };

/** The mistake that explains a signature, and the text that was probably signed. */
export interface LikelyMistake extends NonNullable<SigningCheck['probable']> {
  readonly clause: string;
}

/** Returns the common mistake, or the two, with which signing produces the received signature. */
export function likelyMistake(wrong: WrongSignature, received: string): LikelyMistake | undefined {
  const right = rightSigning(wrong);
  const mistakes = commonMistakes(wrong);
  for (const [index, one] of [NONE, ...mistakes].entries()) {
    const other = mistakes
      .slice(index)
      .find(({ steps }) => signatureBy({ ...right, ...one.steps, ...steps }) === received);
    if (other === undefined) continue;
    const clause = one === NONE ? other.clause : `${one.clause}, and ${other.clause}`;
    const { target, hash } = { ...right, ...one.steps, ...other.steps };
    return { clause, path: target, sha256: hash.toString('hex') };
  }
  return undefined;
}

const rightSigning = ({ head, nonce, body, key }: WrongSignature): Signing => ({
  secret: key.secret,
  target: head.target,
  hash: sha('sha256', nonce, body),
  formOfHash: 'bytes',
  algorithm: 'sha512',
  form: 'base64',
});

/** Returns the value of `API-Sign` that these steps make. */
function signatureBy({ secret, target, hash, formOfHash, algorithm, form }: Signing): string {
  const signed = formOfHash === 'hex' ? hash.toString('hex') : hash;
  const made = createHmac(algorithm, secret).update(target).update(signed).digest();
  return form === 'base64 of hex' ? Buffer.from(made.toString('hex')).toString('base64') : made.toString(form);
}

/** Returns the mistakes that clients commonly make, in the order in which a sentence names them. */
function commonMistakes(wrong: WrongSignature): Mistake[] {
  return [
    ...secretMistakes(wrong),
    ...targetMistakes(wrong),
    ...hashMistakes(wrong),
    { clause: 'you signed the hash as hex text, not as its 32 bytes', steps: { formOfHash: 'hex' } },
    { clause: 'you signed with HMAC-SHA256, not with HMAC-SHA512', steps: { algorithm: 'sha256' } },
    { clause: 'you sent the signature as hex, not as base64', steps: { form: 'hex' } },
    { clause: 'you base64-encoded the hex text of the signature, not its bytes', steps: { form: 'base64 of hex' } },
  ];
}

function secretMistakes({ key, keys }: WrongSignature): Mistake[] {
  const { apiKey, secretText, formerSecret } = key;
  const others = keys.filter((other) => other !== key).slice(-MAX_OTHER_KEYS);
  return [
    { clause: 'you did not base64-decode the secret', steps: { secret: secretText } },
    { clause: 'you signed with the API key in place of the secret', steps: { secret: apiKey } },
    ...(formerSecret === undefined
      ? []
      : [{ clause: 'you signed with the secret that was replaced', steps: { secret: formerSecret } }]),
    ...others.map(({ apiKey: other, secret }) => ({
      clause: `you signed with the secret of another API key, ${other}`,
      steps: { secret },
    })),
  ];
}

function targetMistakes({ head: { target, method, origin } }: WrongSignature): Mistake[] {
  return [
    { clause: 'you signed the path without its query', steps: { target: target.replace(/\?.*/, '') } },
    { clause: 'you signed the whole URL, with scheme and host', steps: { target: origin + target } },
    { clause: 'you signed the method, too', steps: { target: method + target } },
    { clause: 'you signed the path decoded, without its percent-encoding', steps: { target: decoded(target) } },
  ];
}

function hashMistakes({ nonce, body, key }: WrongSignature): Mistake[] {
  const hashed = (clause: string, ...parts: Parts): Mistake => ({ clause, steps: { hash: sha('sha256', ...parts) } });
  return [
    hashed('you left the nonce out of the hash', body),
    hashed('you hashed the nonce after the body', body, nonce),
    hashed('you signed with the nonce of the previous request', key.previousNonce ?? nonce, body),
    {
      clause: 'you hashed nonce and body with SHA-512, not with SHA-256',
      steps: { hash: sha('sha512', nonce, body) },
    },
    {
      clause: 'you put the nonce outside the hash',
      steps: { hash: Buffer.concat([Buffer.from(nonce), sha('sha256', body)]) },
    },
    ...(body.length === 0
      ? [hashed('you signed {} as the body, and sent none', nonce, '{}')]
      : bodyMistakes(body).map(([clause, other]) => hashed(clause, nonce, other))),
  ];
}

function bodyMistakes(body: Uint8Array): [clause: string, body: string][] {
  const text = Buffer.from(body).toString('utf8');
  return [
    ['you left out the body', ''],
    ['you signed a line break at the end of the body', `${text}\n`],
    ['you signed the body without the line break at its end', text.replace(/\r?\n$/, '')],
    ...jsonForms(text).map(({ how, text: written }): [string, string] => [
      `you signed the body ${how}, and sent it in another form`,
      written,
    ]),
  ];
}

type Parts = readonly (string | Uint8Array)[];

function sha(algorithm: 'sha256' | 'sha512', ...parts: Parts): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}
