import { createHmac } from 'node:crypto';
import {
  body,
  decoded,
  form,
  hash,
  hmac,
  inner,
  json,
  key,
  nonce,
  path,
  reordered,
  sha,
  sorted,
  type ToSign,
  withoutQuery,
} from './signing-forms.js';

export interface WrongSigning {
  readonly name: string;
  readonly sign: (given: ToSign) => string;
  /** What `likely` says. */
  readonly likely: string | RegExp;
  /** Default: a GET with a query. */
  readonly target?: string;
  /** Of a POST. */
  readonly body?: string;
  /** Of its own: default is in nanoseconds. */
  readonly nonce?: string;
}

const QUOTE = '{"from":{"symbol":"USD","type":"fiat","amount":"100.00"},"to":{"symbol":"BTC","type":"crypto"}}';
const SPACED = JSON.stringify(JSON.parse(QUOTE), undefined, 1);
const asPython = (text: string): string => text.replaceAll('":', '": ').replaceAll(',"', ', "');

/** Mistakes of clients, each with the sentence that names it. */
export const WRONG_SIGNINGS: readonly WrongSigning[] = [
  { name: 'path without query', sign: path(withoutQuery), likely: 'you signed the path without its query' },
  {
    name: 'full URL',
    sign: path((target) => `http://sandbox.example${target}`),
    likely: 'you signed the whole URL, with scheme and host',
  },
  {
    name: 'full URL, https',
    sign: path((target) => `https://sandbox.example${target}`),
    likely: 'you signed the whole URL, with scheme and host',
  },
  {
    name: 'host and path',
    sign: path((target) => `sandbox.example${target}`),
    likely: 'you signed the host with the path',
  },
  {
    name: 'sorted query',
    sign: path(() => '/v1/webhooks?page_size=2&page_token=x'),
    target: '/v1/webhooks?page_token=x&page_size=2',
    likely: 'you signed the query with its parameters in another order',
  },
  {
    name: 'query of three in another order',
    sign: path(() => '/v1/x?c=1&a=2&b=3'),
    target: '/v1/x?b=3&c=1&a=2',
    likely: 'you signed the query with its parameters in another order',
  },
  {
    name: '+ for %20',
    sign: path((target) => target.replace('%20', '+')),
    target: '/v1/users?name=a%20b',
    likely: 'you signed + where you sent %20',
  },
  {
    name: '%20 for +',
    sign: path((target) => target.replace('+', '%20')),
    target: '/v1/users?name=a+b',
    likely: 'you signed %20 where you sent +',
  },
  {
    name: 'decoded path',
    sign: path((target) => decodeURIComponent(target)),
    target: '/v1/x?start=2026-01-01T00%3A00%3A00Z',
    likely: 'you signed the path decoded, without its percent-encoding',
  },
  {
    name: 'encoded path',
    sign: path((target) => target.replaceAll(':', '%3A')),
    target: '/v1/x?start=2026-01-01T00:00:00Z',
    likely: 'you signed the query encoded otherwise than you sent it',
  },
  {
    name: 'double encoding',
    sign: path((target) => target.replaceAll('%', '%25')),
    target: '/v1/x?start=2026-01-01T00%3A00%3A00Z',
    likely: 'you signed the path percent-encoded twice',
  },
  {
    name: 'escapes in lower case',
    sign: path((target) => target.replaceAll('%3A', '%3a')),
    target: '/v1/x?start=2026-01-01T00%3A00%3A00Z',
    likely: 'you signed the path encoded otherwise than you sent it',
  },
  {
    name: 'lower case',
    sign: path((target) => target.toLowerCase()),
    target: '/v1/accounts/AB12',
    likely: 'you signed the path in lower case',
  },
  { name: 'upper case', sign: path((target) => target.toUpperCase()), likely: 'you signed the path in upper case' },
  {
    name: 'trailing slash',
    sign: path((target) => `${target}/`),
    target: '/v1/webhooks',
    likely: 'you signed the path with a slash at its end',
  },
  {
    name: 'trailing slash before the query',
    sign: path((target) => target.replace('?', '/?')),
    likely: 'you signed the path with a slash at its end',
  },
  {
    name: 'no trailing slash',
    sign: path(() => '/v1/webhooks'),
    target: '/v1/webhooks/',
    likely: 'you signed the path without the slash at its end',
  },
  {
    name: 'no leading slash',
    sign: path((target) => target.slice(1)),
    likely: 'you signed the path without the slash at its start',
  },
  { name: 'no /v1', sign: path((target) => target.slice(3)), likely: 'you signed the path without /v1' },
  { name: 'no path', sign: path(() => ''), likely: 'you left out the path' },
  { name: 'the method', sign: path((target, { method }) => method + target), likely: 'you signed the method, too' },
  {
    name: 'the method and a space',
    sign: path((target, { method }) => `${method} ${target}`),
    likely: 'you signed the method, too',
  },
  {
    name: 'the query as body',
    sign: ({ secret, nonce: n }) =>
      hmac(decoded(secret), '/v1/webhooks', sha('sha256', n, 'page_size=2')).toString('base64'),
    likely: 'you signed the query as if it were the body',
  },
  { name: 'secret not decoded', sign: key(({ secret }) => secret), likely: 'you did not base64-decode the secret' },
  {
    name: 'secret decoded as url-safe',
    sign: key(({ secret }) => decoded(secret.replaceAll(/[+/]/g, ''))),
    likely: 'you decoded the secret as url-safe base64, which lost its + and /',
  },
  {
    name: 'secret as hex text',
    sign: key(({ secret }) => decoded(secret).toString('hex')),
    likely: 'you turned the decoded secret into hex text',
  },
  {
    name: 'secret as UTF-8',
    sign: key(({ secret }) => decoded(secret).toString()),
    likely: 'you turned the decoded secret into text',
  },
  { name: 'empty secret', sign: key(() => ''), likely: 'you signed with an empty secret' },
  {
    name: 'API key as secret',
    sign: key(({ apiKey }) => apiKey),
    likely: 'you signed with the API key in place of the secret',
  },
  { name: 'hex', sign: form((made) => made.toString('hex')), likely: 'you sent the signature as hex, not as base64' },
  {
    name: 'hex in upper case',
    sign: form((made) => made.toString('hex').toUpperCase()),
    likely: 'you sent the signature as hex, not as base64',
  },
  {
    name: 'url-safe',
    sign: form((made) => made.toString('base64url')),
    likely: /^you (sent the signature as url-safe base64|left out the = at the end of the signature)$/,
  },
  {
    name: 'no padding',
    sign: form((made) => made.toString('base64').replace(/=+$/, '')),
    likely: 'you left out the = at the end of the signature',
  },
  {
    name: 'base64 of hex',
    sign: form((made) => Buffer.from(made.toString('hex')).toString('base64')),
    likely: 'you base64-encoded the hex text of the signature, not its bytes',
  },
  {
    name: 'lower-cased',
    sign: form((made) => made.toString('base64').toLowerCase()),
    likely: 'you sent the signature in other case: base64 has both',
  },
  {
    name: 'first line',
    sign: form((made) => made.toString('base64').slice(0, 64)),
    likely: 'you sent only the first line of the signature: let base64 break no lines',
  },
  {
    name: 'percent-encoded',
    sign: form((made) => encodeURIComponent(made.toString('base64'))),
    likely: 'you percent-encoded the signature',
  },
  {
    name: 'in quotation marks',
    sign: form((made) => `"${made.toString('base64')}"`),
    likely: 'you sent the signature in quotation marks',
  },
  {
    name: 'with a blank in it',
    sign: form((made) => made.toString('base64').replace(/^.{20}/, '$& ')),
    likely: 'you sent the signature with blanks in it',
  },
  {
    name: 'with blanks in the middle, as hex',
    sign: form((made) => made.toString('hex').replace(/.{32}(?=.)/g, '$& \t')),
    likely: 'you sent the signature with blanks in it, and you sent the signature as hex, not as base64',
  },
  {
    name: 'with a character before it',
    sign: form((made) => `x${made.toString('base64')}`),
    likely: 'you sent the signature with further characters in it',
  },
  {
    name: 'with a character in it',
    sign: form((made) => made.toString('base64').replace(/^.{20}/, '$&-')),
    likely: 'you sent the signature with further characters in it',
  },
  {
    name: 'with a scheme before it',
    sign: form((made) => `v1=${made.toString('base64')}`),
    likely: 'you sent the signature with further characters in it',
  },
  {
    name: 'SHA-512 inside',
    sign: hash(({ nonce: n, body: b }) => sha('sha512', n, b)),
    likely: 'you hashed nonce and body with SHA-512, not with SHA-256',
  },
  {
    name: 'hash as hex',
    sign: hash((given) => inner(given).toString('hex')),
    likely: 'you signed the hash as hex text, not as its 32 bytes',
  },
  {
    name: 'hash as base64',
    sign: hash((given) => inner(given).toString('base64')),
    likely: 'you signed the hash as base64 text, not as its 32 bytes',
  },
  {
    name: 'no hash',
    sign: hash(({ nonce: n, body: b }) => n + b),
    likely: 'you signed nonce and body themselves, not their hash',
  },
  {
    name: 'HMAC-SHA256',
    sign: (given) =>
      createHmac('sha256', decoded(given.secret)).update(given.target).update(inner(given)).digest('base64'),
    likely: 'you signed with HMAC-SHA256, not with HMAC-SHA512',
  },
  { name: 'no nonce', sign: hash(({ body: b }) => sha('sha256', b)), likely: 'you left the nonce out of the hash' },
  {
    name: 'nonce outside',
    sign: hash(({ nonce: n, body: b }) => Buffer.concat([Buffer.from(n), sha('sha256', b)])),
    likely: 'you put the nonce outside the hash',
  },
  {
    name: 'nonce after the body',
    sign: hash(({ nonce: n, body: b }) => sha('sha256', b, n)),
    body: QUOTE,
    likely: 'you hashed the nonce after the body',
  },
  {
    name: 'path inside the hash',
    sign: ({ secret, nonce: n, target, body: b }) =>
      hmac(decoded(secret), sha('sha256', n, target, b)).toString('base64'),
    likely: 'you put the path into the hash',
  },
  {
    name: 'another nonce near',
    sign: nonce((value) => value - 1n),
    likely: 'you signed with a nonce that is 1 below the one you sent',
  },
  {
    name: 'a nonce in milliseconds',
    sign: nonce((value) => value / 1_000_000n),
    likely: 'you signed with a nonce of another unit than you sent',
  },
  {
    name: 'a nonce as a number',
    sign: nonce((value) => Number(value).toString()),
    nonce: '1700000000123456789',
    likely: 'you signed with a nonce that lost digits as a floating-point number',
  },
  {
    name: 'a line break after the nonce',
    sign: nonce((value) => `${value}\n`),
    likely: 'you hashed a line break after the nonce',
  },
  ...[
    [':', 'a colon'],
    ['|', 'a vertical bar'],
    ['.', 'a dot'],
    ['&', 'an ampersand'],
  ].map(([separator = '', told = '']) => ({
    name: `${told} between nonce and body`,
    sign: hash(({ nonce: n, body: b }) => sha('sha256', n, separator, b)),
    body: QUOTE,
    likely: `you hashed ${told} after the nonce`,
  })),
  {
    name: 'compact body',
    sign: json((value) => value),
    body: SPACED,
    likely: 'you signed the body without spaces, and sent it in another form',
  },
  {
    name: 'body of Python',
    sign: body(asPython),
    body: QUOTE,
    likely: 'you signed the body with a space after each comma and colon, and sent it in another form',
  },
  {
    name: 'indented body',
    sign: json((value) => value, 2),
    body: QUOTE,
    likely: 'you signed the body indented, and sent it in another form',
  },
  {
    name: 'sorted and indented body',
    sign: json(sorted, 2),
    body: QUOTE,
    likely: 'you signed the body indented, with its members in another order, and sent it in another form',
  },
  {
    name: 'sorted and widely indented body with other escapes',
    sign: body((text) => JSON.stringify(sorted(JSON.parse(text)), undefined, 4).replace('é', '\\u00e9')),
    body: '{"key":"é","address":"x"}',
    likely: 'you signed the body with other escapes, and sent it in another form',
  },
  {
    name: 'body indented by tabs',
    sign: body((text) => JSON.stringify(JSON.parse(text), undefined, '\t')),
    body: QUOTE,
    likely: 'you signed the body indented, and sent it in another form',
  },
  {
    name: 'members in another order',
    sign: json(reordered),
    body: QUOTE,
    likely: 'you signed the body with its members in another order, and sent it in another form',
  },
  {
    name: 'escaped body',
    sign: body((text) => text.replace('é', '\\u00e9')),
    body: '{"key":"é"}',
    likely: 'you signed the body with other escapes, and sent it in another form',
  },
  {
    name: 'body as a form',
    sign: body(() => 'a=1&b=x'),
    body: '{"a":1,"b":"x"}',
    likely: 'you signed the body as a form, and sent it as JSON',
  },
  {
    name: 'body with a line break',
    sign: body((text) => `${text}\n`),
    body: QUOTE,
    likely: 'you signed a line break at the end of the body',
  },
  {
    name: 'body without its line break',
    sign: body((text) => text.trimEnd()),
    body: `${QUOTE}\n`,
    likely: 'you signed the body without the line break at its end',
  },
  { name: 'body left out', sign: body(() => ''), body: QUOTE, likely: 'you left out the body' },
  { name: '{} for no body', sign: body(() => '{}'), likely: 'you signed {} as the body, and sent none' },
  { name: 'null for no body', sign: body(() => 'null'), likely: 'you signed null as the body, and sent none' },
  // Two at a time.
  {
    name: 'path without query, secret not decoded',
    sign: (given) => path(withoutQuery)({ ...given, secret: Buffer.from(given.secret).toString('base64') }),
    likely: 'you did not base64-decode the secret, and you signed the path without its query',
  },
  {
    name: 'full URL, hex',
    sign: (given) => Buffer.from(path((target) => `http://sandbox.example${target}`)(given), 'base64').toString('hex'),
    likely: 'you signed the whole URL, with scheme and host, and you sent the signature as hex, not as base64',
  },
  {
    name: 'body left out, hash as hex',
    sign: hash(({ nonce: n }) => sha('sha256', n).toString('hex')),
    body: QUOTE,
    likely: 'you left out the body, and you signed the hash as hex text, not as its 32 bytes',
  },
  {
    name: 'path without query, nonce left out, hex',
    sign: ({ secret, target, body: b }) =>
      hmac(decoded(secret), withoutQuery(target), sha('sha256', b)).toString('hex'),
    likely:
      'you signed the path without its query, and you left the nonce out of the hash, and you sent the signature as hex, not as base64',
  },
];
