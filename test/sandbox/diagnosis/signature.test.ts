import { createHash, createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { openSandbox, sharedSandbox } from '../support/partner.js';

type Bytes = string | Buffer;

const sha = (...parts: readonly Bytes[]): Buffer =>
  parts.reduce((made, part) => made.update(part), createHash('sha256')).digest();
const hmac = (key: Bytes, ...parts: readonly Bytes[]): Buffer =>
  parts.reduce((made, part) => made.update(part), createHmac('sha512', key)).digest();
const decoded = (secret: string): Buffer => Buffer.from(secret, 'base64');

const QUERY = '/v1/x?start=2026-01-01T00%3A00%3A00Z';
const BODY = '{"name":"Zoë","amounts":["0.10", 2]}';
const COMPACT = '{"name":"Zoë","amounts":["0.10",2]}';

const partner = await sharedSandbox({ explain: true });
const { sandbox, url } = partner;
const former = decoded(partner.credentials.apiSecret);
const credentials = sandbox.keys.rotateSecret(partner.credentials.apiKey);
const other = sandbox.keys.issue();
const { apiKey, apiSecret } = credentials;
const secret = decoded(apiSecret);

/** What a client means to sign with the secret above. */
interface ToSign {
  readonly nonce: string;
  /** Nonce of the request before. */
  readonly previous: string;
  readonly body: string;
  /** SHA-256 of nonce and body. */
  readonly hash: Buffer;
}

/** Sends a request with this signature. Returns the causes in its answer, and its entry in the journal. */
async function sendSigned(sign: (given: ToSign) => Bytes, path = QUERY, body = '') {
  const [previous, nonce] = [String(partner.nextNonce()), String(partner.nextNonce())];
  await partner.call({ method: 'GET', path, nonce: previous, headers: { 'API-Sign': 'x' } });
  const made = sign({ nonce, previous, body, hash: sha(nonce, body) });
  const headers = { 'API-Key': apiKey, 'API-Sign': typeof made === 'string' ? made : made.toString('base64') };
  const request = { method: body === '' ? 'GET' : 'POST', path, nonce, headers, ...(body === '' ? {} : { body }) };
  const answer = await partner.call(request);
  expect(answer.status).toBe(401);
  return { causes: answer.body.error.causes, entry: sandbox.journal.at(-1) };
}

const IN_OTHER_FORM = ', and sent it in another form';

test.each<[likely: string, sign: (given: ToSign) => Bytes, body?: string]>([
  ['you did not base64-decode the secret', ({ hash }) => hmac(apiSecret, QUERY, hash)],
  ['you signed with the API key in place of the secret', ({ hash }) => hmac(apiKey, QUERY, hash)],
  ['you signed with the secret that was replaced', ({ hash }) => hmac(former, QUERY, hash)],
  [
    `you signed with the secret of another API key, ${other.apiKey}`,
    ({ hash }) => hmac(decoded(other.apiSecret), QUERY, hash),
  ],
  ['you signed the path without its query', ({ hash }) => hmac(secret, '/v1/x', hash)],
  ['you signed the whole URL, with scheme and host', ({ hash }) => hmac(secret, url, QUERY, hash)],
  ['you signed the method, too', ({ hash }) => hmac(secret, 'GET', QUERY, hash)],
  [
    'you signed the path decoded, without its percent-encoding',
    ({ hash }) => hmac(secret, '/v1/x?start=2026-01-01T00:00:00Z', hash),
  ],
  ['you left the nonce out of the hash', ({ body }) => hmac(secret, QUERY, sha(body)), BODY],
  ['you hashed the nonce after the body', ({ nonce, body }) => hmac(secret, QUERY, sha(body, nonce)), BODY],
  [
    'you signed with the nonce of the previous request',
    ({ previous, body }) => hmac(secret, QUERY, sha(previous, body)),
    BODY,
  ],
  [
    'you hashed nonce and body with SHA-512, not with SHA-256',
    ({ nonce, body }) =>
      hmac(
        secret,
        QUERY,
        createHash('sha512')
          .update(nonce + body)
          .digest(),
      ),
    BODY,
  ],
  ['you put the nonce outside the hash', ({ nonce, body }) => hmac(secret, QUERY, nonce, sha(body)), BODY],
  ['you signed {} as the body, and sent none', ({ nonce }) => hmac(secret, QUERY, sha(nonce, '{}'))],
  ['you left out the body', ({ nonce }) => hmac(secret, QUERY, sha(nonce)), BODY],
  [
    'you signed a line break at the end of the body',
    ({ nonce, body }) => hmac(secret, QUERY, sha(nonce, body, '\n')),
    BODY,
  ],
  [
    'you signed the body without the line break at its end',
    ({ nonce }) => hmac(secret, QUERY, sha(nonce, BODY)),
    `${BODY}\n`,
  ],
  [`you signed the body without spaces${IN_OTHER_FORM}`, ({ nonce }) => hmac(secret, QUERY, sha(nonce, COMPACT)), BODY],
  [
    `you signed the body with a space after each comma and colon${IN_OTHER_FORM}`,
    ({ nonce }) => hmac(secret, QUERY, sha(nonce, '{"name": "Zo\\u00eb", "amounts": ["0.10", 2]}')),
    BODY,
  ],
  ['you signed the hash as hex text, not as its 32 bytes', ({ hash }) => hmac(secret, QUERY, hash.toString('hex'))],
  [
    'you signed with HMAC-SHA256, not with HMAC-SHA512',
    ({ hash }) => createHmac('sha256', secret).update(QUERY).update(hash).digest(),
  ],
  ['you sent the signature as hex, not as base64', ({ hash }) => hmac(secret, QUERY, hash).toString('hex')],
  [
    'you base64-encoded the hex text of the signature, not its bytes',
    ({ hash }) => Buffer.from(hmac(secret, QUERY, hash).toString('hex')),
  ],
  [
    'you did not base64-decode the secret, and you signed the path without its query',
    ({ hash }) => hmac(apiSecret, '/v1/x', hash),
  ],
  [
    'you left out the body, and you signed the hash as hex text, not as its 32 bytes',
    ({ nonce }) => hmac(secret, QUERY, sha(nonce).toString('hex')),
    BODY,
  ],
])('%s', async (likely, sign, body) => {
  const { causes, entry } = await sendSigned(sign, QUERY, body);
  expect(entry).toMatchObject({ verdict: 'bad_signature', likely });
  expect(causes).toEqual([{ field: 'API-Sign', message: likely }]);
});

const unknown = randomBytes(64);

test.each<[what: string, sign: (given: ToSign) => Bytes, path?: string, body?: string]>([
  ['an unknown secret', ({ hash }) => hmac(unknown, QUERY, hash)],
  ['a long text', () => 'x'.repeat(8_000)],
  ['a body that is no JSON', ({ hash }) => hash, QUERY, '{"a":'],
  ['a body that is nested deeply', ({ hash }) => hash, QUERY, '['.repeat(200_000) + ']'.repeat(200_000)],
  ['a path with an invalid escape', ({ hash }) => hash, '/v1/%ff?%=%'],
])('no mistake is named for %s', async (_, sign, path, body) => {
  const { causes, entry } = await sendSigned(sign, path, body);
  expect(entry).toMatchObject({ verdict: 'bad_signature', likely: undefined });
  const message = 'is not the signature of this request: check that the secret is that of this API key';
  expect(causes).toEqual([{ field: 'API-Sign', message }]);
});

test('without explain only the journal names the mistake', async () => {
  const quiet = await openSandbox();
  const { 'API-Sign': sign } = quiet.signed({ method: 'GET', path: '/v1/webhooks', nonce: '7' }).headers;
  const request = { method: 'GET', path: '/v1/webhooks?page_size=2', nonce: '7', headers: { 'API-Sign': sign } };
  expect((await quiet.call(request)).body.error.causes).toBeUndefined();
  expect(quiet.sandbox.journal.at(-1)).toMatchObject({ likely: 'you signed the path without its query', causes: [] });
});

test('explain is true or false', () => {
  expect(() => createSandbox({ explain: 'yes' as never })).toThrow('createSandbox: explain must be true or false');
});
