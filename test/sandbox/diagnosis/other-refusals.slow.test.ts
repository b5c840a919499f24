import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies, type TestRequest } from '../support/partner.js';

const path = '/v1/webhooks';

/** Sends a request. Returns its verdict, the likely mistake, and the causes in the answer. */
async function ask(partner: DirectPartner, request: Partial<TestRequest>) {
  const { status, body } = await partner.call({ method: 'GET', path, ...request });
  expect(status).toBe(401);
  const { verdict, likely } = partner.sandbox.journal.at(-1) ?? {};
  return { verdict, likely, causes: body.error.causes };
}

const { apiKey, apiSecret } = createSandbox().credentials;

type Row = [name: string, headers: Record<string, string | undefined>, field: string, likely: string];

const HEADERS: Row[] = [
  ['no key', { 'API-Key': undefined }, 'API-Key', 'you sent no API-Key'],
  ['an empty nonce', { 'API-Nonce': '' }, 'API-Nonce', 'you sent no API-Nonce'],
  ['no signature', { 'API-Sign': undefined }, 'API-Sign', 'you sent no API-Sign'],
  [
    'another name of a header',
    { 'API-Key': undefined, 'X-API-Key': apiKey },
    'API-Key',
    'you sent x-api-key in place of API-Key',
  ],
  [
    'no header at all',
    { 'API-Key': undefined, 'API-Nonce': undefined, 'API-Sign': undefined },
    'API-Key, API-Nonce, API-Sign',
    'you did not sign the request: API-Key, API-Nonce and API-Sign are missing',
  ],
  ['the secret as key', { 'API-Key': apiSecret }, 'API-Key', 'you sent the secret as API-Key: swap the two'],
  [
    'the key of another seed',
    { 'API-Key': createSandbox({ seed: 7 }).credentials.apiKey },
    'API-Key',
    'you sent the API key of a sandbox with seed 7: this one has seed 1',
  ],
  [
    'a part of the key',
    { 'API-Key': apiKey.slice(0, 20) },
    'API-Key',
    'you sent only the first 20 characters of the API key',
  ],
  [
    'the key in quotation marks',
    { 'API-Key': `"${apiKey}"` },
    'API-Key',
    'you sent the API key with quotation marks or in other case',
  ],
  ...(
    [
      ['1700000000.123', 'has a decimal point'],
      ['-5', 'is negative'],
      ['1e18', 'is written with an exponent'],
      ['170000000000000000000', 'is too long'],
      ['18446744073709551616', 'is too long'],
      ['deadbeef01', 'is written as hex'],
      ['5f0c6a1e-3b7d-4c52-9a86-2d1e7f4b8c90', 'is a UUID'],
      ['2026-01-01T00:00:00Z', 'is a date as text'],
      ['+5', 'has other characters than digits'],
    ] as const
  ).map(
    ([nonce, what]): Row => [
      `the nonce ${nonce}`,
      { 'API-Nonce': nonce },
      'API-Nonce',
      `your nonce ${what}: it must be a whole number of at most 64 bits`,
    ],
  ),
];

test.each(HEADERS)('%s is explained', async (_, headers, field, likely) => {
  const given = await ask(directSandbox({ explain: true }), { headers });
  expect(given).toMatchObject({ likely, causes: [{ field, message: likely }] });
  const silent = await ask(directSandbox(), { headers });
  expect(silent).toMatchObject({ likely, causes: undefined });
});

test('an unknown key is only said to be unknown', async () => {
  const given = await ask(directSandbox({ explain: true }), { headers: { 'API-Key': 'pk_nobody' } });
  expect(given).toEqual({
    ...{ verdict: 'unknown_key', likely: undefined },
    causes: [{ field: 'API-Key', message: 'is unknown: GET /_sandbox/keys lists all API keys' }],
  });
});

test('a revoked key is explained', async () => {
  const partner = directSandbox({ explain: true });
  partner.sandbox.keys.revoke(partner.credentials.apiKey);
  expect((await ask(partner, {})).likely).toBe('you sent a revoked API key: keys.reinstate takes that back');
});

test.each([
  ['1700000000000000000', '1700000000000', 'you sent a nonce in milliseconds, and the key has used one in nanoseconds'],
  ['1700000000000', '1700000000', 'you sent a nonce in seconds, and the key has used one in milliseconds'],
  ['1700000000000', '5', 'you sent a small nonce, and the key has used one in milliseconds'],
  ['5', '4', 'you sent a nonce that is not above the last one: the key may be in use elsewhere'],
  [
    '1700000000000',
    '1700000000000',
    'you used the nonce of the last request again: each request, also a retry, needs a new one',
  ],
  [
    '1700000000005',
    '1700000000000',
    'you sent requests in parallel, or two processes use the key: a later nonce came first',
  ],
  ['1700000000000', '1690000000000', 'your clock is behind that of another user of the key, by 116 days'],
])('a nonce that does not rise is explained: after %s comes %s', async (last, nonce, likely) => {
  const partner = directSandbox({ explain: true });
  await partner.call({ method: 'GET', path, nonce: last });
  const given = await ask(partner, { nonce });
  expect(given).toMatchObject({ verdict: 'nonce_not_rising', likely });
  expect(given.causes[0].message).toMatch(new RegExp(`^must be above ${last}, the last one, of \\d+ m?s ago: `));
});

test('a nonce below a window is explained with it', async () => {
  const { sandbox, url } = directSandbox({ explain: true });
  const partner = new DirectPartner(sandbox, url, sandbox.keys.issue({ nonceWindow: 2 }));
  for (const nonce of [10n, 11n, 12n]) await partner.call({ method: 'GET', path, nonce });
  expect((await ask(partner, { nonce: 9n })).causes[0].message).toMatch(/^must be new, and among the 2 below 12, /);
});

test('a missing and a wrong one-time password are explained', async () => {
  const partner = directSandbox({ explain: true, otp: '271828' });
  const request = { method: 'POST', path: `${partner.account}/wallets/whitelist`, body: bodies.wallet };
  expect(await ask(partner, request)).toMatchObject({
    verdict: 'missing_otp',
    causes: [{ field: 'API-Otp', message: 'you sent no API-Otp, which this operation needs' }],
  });
  expect(await ask(partner, { ...request, headers: { 'API-Otp': '5' } })).toMatchObject({
    verdict: 'wrong_otp',
    causes: [{ field: 'API-Otp', message: 'you sent another API-Otp than the one that this sandbox takes' }],
  });
});
