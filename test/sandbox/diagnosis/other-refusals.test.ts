import { expect, test } from 'vitest';
import { bodies, Partner, sharedSandbox, type TestRequest } from '../support/partner.js';

const path = '/v1/webhooks';
const partner = await sharedSandbox({ explain: true, otp: '271828' });
const { sandbox, url } = partner;
const { apiKey, apiSecret } = partner.credentials;

/** Sends a request. Returns its verdict, the likely mistake, and the causes in the answer. */
async function refused(request: Partial<TestRequest>, by: Partner = partner) {
  const { status, body } = await by.call({ method: 'GET', path, ...request });
  expect(status).toBe(401);
  const { verdict, likely } = sandbox.journal.at(-1) ?? {};
  return { verdict, likely, causes: body.error.causes };
}

const MALFORMED = 'you sent a nonce that is not a whole number of at most 64 bits, written in decimal digits alone';

type Row = [what: string, headers: Record<string, string | undefined>, verdict: string, field: string, likely: string];

test.each<Row>([
  ['no API key', { 'API-Key': undefined }, 'missing_header', 'API-Key', 'you sent no API-Key'],
  ['an empty nonce', { 'API-Nonce': '' }, 'missing_header', 'API-Nonce', 'you sent no API-Nonce'],
  ['no signature', { 'API-Sign': undefined }, 'missing_header', 'API-Sign', 'you sent no API-Sign'],
  [
    'no header at all',
    { 'API-Key': undefined, 'API-Nonce': undefined, 'API-Sign': undefined },
    'missing_header',
    'API-Key, API-Nonce, API-Sign',
    'you did not sign the request: API-Key, API-Nonce and API-Sign are missing',
  ],
  [
    'the secret as API key',
    { 'API-Key': apiSecret },
    'unknown_key',
    'API-Key',
    'you sent the secret as API-Key: swap the two',
  ],
  [
    'the API key in quotation marks',
    { 'API-Key': `"${apiKey}"` },
    'unknown_key',
    'API-Key',
    'you sent the API key with quotation marks',
  ],
  ...['1700000000.123', '-5', '18446744073709551616'].map(
    (nonce): Row => [`the nonce ${nonce}`, { 'API-Nonce': nonce }, 'malformed_nonce', 'API-Nonce', MALFORMED],
  ),
])('%s is explained', async (_, headers, verdict, field, likely) => {
  expect(await refused({ headers })).toEqual({ verdict, likely, causes: [{ field, message: likely }] });
});

test('an unknown API key is only said to be unknown', async () => {
  expect(await refused({ headers: { 'API-Key': 'pk_nobody' } })).toEqual({
    verdict: 'unknown_key',
    likely: undefined,
    causes: [{ field: 'API-Key', message: 'is unknown: GET /_sandbox/keys lists all API keys' }],
  });
});

test('a revoked API key is explained', async () => {
  const revoked = new Partner(sandbox, url, sandbox.keys.issue());
  sandbox.keys.revoke(revoked.credentials.apiKey);
  const { likely } = await refused({}, revoked);
  expect(likely).toBe('you sent a revoked API key: keys.reinstate takes that back');
});

test.each([
  ['1700000000000', '1700000000', 'you sent a nonce in seconds, and the API key has used one in milliseconds'],
  ['5', '4', 'you sent a nonce that is not above the last one: the API key may be in use elsewhere'],
  [
    '1700000000000',
    '1700000000000',
    'you used the nonce of the last request again: each request, also a retry, needs a new one',
  ],
  [
    '1700000000005',
    '1700000000000',
    'you sent requests in parallel, or two processes use the API key: a later nonce came first',
  ],
  ['1700000090000', '1700000000000', 'your clock is behind that of another user of the API key, by 90 s'],
  ['1700000600000', '1700000000000', 'your clock is behind that of another user of the API key, by 10 min'],
  ['1700000000000', '1690000000000', 'your clock is behind that of another user of the API key, by 2778 h'],
])('a nonce that does not rise is explained: after %s comes %s', async (last, nonce, likely) => {
  const own = new Partner(sandbox, url, sandbox.keys.issue());
  await own.call({ method: 'GET', path, nonce: last });
  const given = await refused({ nonce }, own);
  expect(given).toMatchObject({ verdict: 'nonce_not_rising', likely });
  expect(given.causes[0].message).toMatch(new RegExp(`^must be above ${last}, the last one, of \\d+ s ago: `));
});

test('a nonce below a window is explained with it', async () => {
  const own = new Partner(sandbox, url, sandbox.keys.issue({ nonceWindow: 2 }));
  for (const nonce of [10n, 11n, 12n]) await own.call({ method: 'GET', path, nonce });
  const { causes } = await refused({ nonce: 9n }, own);
  expect(causes[0].message).toMatch(/^must be new, and among the 2 below 12, /);
});

test('a missing and a wrong one-time password are explained', async () => {
  const request = { method: 'POST', path: `${partner.account}/wallets/whitelist`, body: bodies.wallet };
  expect(await refused(request)).toMatchObject({
    verdict: 'missing_otp',
    causes: [{ field: 'API-Otp', message: 'you sent no API-Otp, which this operation needs' }],
  });
  expect(await refused({ ...request, headers: { 'API-Otp': '5' } })).toMatchObject({
    verdict: 'wrong_otp',
    causes: [{ field: 'API-Otp', message: 'you sent another API-Otp than the one that this sandbox takes' }],
  });
});
