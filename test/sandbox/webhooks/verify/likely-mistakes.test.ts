import { createHmac } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { signWebhook } from '../../../../src/webhooks/index.js';
import { askControl, sharedSandbox } from '../../support/partner.js';
import { NOWHERE } from '../support/sending.js';

const BODY = '{"id":"evt_1","type":"quote.executed","data":{"amount":"0.10","name":"Zoë"}}';
const REWRITTEN = JSON.stringify(JSON.parse(BODY), null, 2);

const partner = await sharedSandbox();
const { sandbox } = partner;
let secret: string;
let webhookId: string;
beforeEach(() => {
  for (const { id, receives } of sandbox.webhooks.list()) if (receives) sandbox.webhooks.remove(id);
  const { id, signing_secret } = sandbox.webhooks.register({ url: NOWHERE, events: ['deposit.completed'] });
  secret = signing_secret;
  webhookId = id;
});

const now = (): number => Math.floor(Date.now() / 1000);
const decoded = (text: string): Buffer => Buffer.from(text, 'base64');
const hex = (key: string | Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** The header of the scheme `timestamped`. */
const timestamped = (key: string | Buffer = decoded(secret), body = BODY, t: number | string = now()): string =>
  `t=${t},v1=${hex(key, `${t}.${body}`)}`;

/** The headers of the scheme `standard`. */
function standard(key: string | Buffer = decoded(secret), t: number | string = now(), version = 'v1') {
  const signature = Buffer.from(hex(key, `msg_1.${t}.${BODY}`), 'hex').toString('base64');
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(t), 'webhook-signature': `${version},${signature}` };
}

const masked = (): string => `…${secret.slice(-4)}`;

/** The verdict of the sandbox on a delivery. */
const verdictOn = async (input: object) => (await askControl(partner, 'POST webhooks/verify', [input])).data;
const problemOf = async (input: object) => (await verdictOn({ body: BODY, ...input })).problem;

test('a delivery that the package has signed is valid, and its parts are told', async () => {
  const { 'X-Signature': signature } = signWebhook({ body: BODY, secret });
  expect(await verdictOn({ body: BODY, signature })).toEqual({
    valid: true,
    scheme: 'timestamped',
    timestamp: expect.any(Number),
    ageSeconds: expect.any(Number),
    signatures: [{ v1: expect.stringMatching(/^[0-9a-f]{64}$/), matchesSecret: true, webhookId, masked: masked() }],
  });
  const headers = { 'x-SIGNATURE': signature };
  for (const given of [{ secret }, { webhookId }]) {
    expect(await verdictOn({ body: BODY, headers, ...given })).toMatchObject({ valid: true });
  }
});

test('a pasted signature may have the name of its header; a header with its own name in it is not valid', async () => {
  const line = `X-Signature: ${timestamped()}`;
  expect(await verdictOn({ body: BODY, signature: line })).toMatchObject({ valid: true });
  expect(await verdictOn({ body: BODY, headers: { 'X-Signature': line } })).toMatchObject({ valid: false });
});

test('while a secret is rotated each signature names whether a secret made it', async () => {
  const { signing_secret: newer } = sandbox.webhooks.rotateSecret(webhookId);
  const t = now();
  const both = [newer, secret].map((one) => `v1=${hex(decoded(one), `${t}.${BODY}`)}`);
  const verdict = await verdictOn({ body: BODY, signature: `t=${t},${both.join(',')},v1=${'0'.repeat(64)}` });
  expect(verdict.valid).toBe(true);
  expect(verdict.signatures).toMatchObject([{ matchesSecret: true }, { masked: masked() }, { matchesSecret: false }]);
});

test('headers of the scheme standard are valid by either name, as pasted lines, and with one signature of several', async () => {
  sandbox.webhooks.update(webhookId, { scheme: 'standard' });
  const headers = standard();
  const svix = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace('webhook', 'Svix'), value]),
  );
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const several = { ...headers, 'webhook-signature': `v1a,nonsense v1,AAAA ${headers['webhook-signature']}` };
  for (const given of [
    { headers },
    { headers: svix },
    { headers: several },
    { headers, secret: `whsec_${secret}` },
    { signature: lines.join('\n') },
    { signature: lines.join('\r\n') },
  ]) {
    expect(await verdictOn({ body: BODY, ...given })).toMatchObject({ valid: true, scheme: 'standard' });
  }
});

const FORM = /^X-Signature is not of the form t=<unix seconds>,v1=<hex>\.$/;
const WRITTEN_ANEW =
  /^The signature does not fit: the body was parsed and written anew: verify the raw bytes as they arrived\.$/;
const ANOTHER =
  /^The signature does not fit: another secret has signed it, or the body was changed after it was signed\.$/;

test.each<[mistake: string, problem: RegExp, input: () => object]>([
  ['the secret is taken as text', /: the secret was taken as text: dec/, () => ({ signature: timestamped(secret) })],
  ['the secret is unknown', ANOTHER, () => ({ signature: timestamped('x') })],
  ['the body is another', ANOTHER, () => ({ signature: timestamped(), body: BODY.replace('0.10', '9.99') })],
  ['the body is written anew', WRITTEN_ANEW, () => ({ signature: timestamped(), body: REWRITTEN })],
  [
    'the body is written anew by Python',
    WRITTEN_ANEW,
    () => ({ signature: timestamped(decoded(secret), '{"a": "\\u00eb", "b": 1}'), body: '{"a":"ë","b":1}' }),
  ],
  [
    'the body has a line end',
    /has a line end that was not signed/,
    () => ({ signature: timestamped(), body: `${BODY}\n` }),
  ],
  [
    'the body is written anew, and the secret is taken as text',
    /written anew: .*; the secret was taken as text/,
    () => ({ signature: timestamped(secret), body: REWRITTEN }),
  ],
  [
    'the given secret is not base64',
    /the secret is not base64/,
    () => ({ signature: timestamped('x'), secret: 'a b%' }),
  ],
  ['it is too old', /^The signature fits, but its time is 40\d s old, and 300 s are allowed\.$/, () => aged(-400)],
  ['it is in the future', /^The signature fits, but its time is \d+ s in the future, /, () => aged(400)],
  [
    'the time is in milliseconds',
    /^The time t in X-Signature is in milliseconds, but must be in seconds\.$/,
    () => ({ signature: timestamped(decoded(secret), BODY, Date.now()) }),
  ],
  [
    'the time is a date',
    /is not one in unix seconds/,
    () => ({ signature: timestamped(decoded(secret), BODY, new Date().toISOString()) }),
  ],
  ['the time is missing', FORM, () => ({ signature: timestamped().replace(/^t=\d+,/, '') })],
  ['there are two times', FORM, () => ({ signature: `t=1,${timestamped()}` })],
  ['there is no signature', FORM, () => ({ signature: `t=${now()}` })],
  ['it is something else', FORM, () => ({ signature: 'sha256=abc' })],
  ['there is no header', /^The delivery has no header X-Signature\.$/, () => ({})],
])('if %s, that is what is said', async (_, problem, input) => {
  expect(await problemOf(input())).toMatch(problem);
});

const aged = (seconds: number) => ({ signature: timestamped(decoded(secret), BODY, now() + seconds) });

type Row = [mistake: string, problem: RegExp, headers: () => Record<string, string | undefined>];

test.each<Row>([
  ['the secret is taken as text', /taken as text: decode it from base64/, () => standard(secret)],
  ['the time is in milliseconds', /webhook-timestamp is in milliseconds/, () => standard(undefined, Date.now())],
  ['it is too old', /its time is 40\d s old/, () => standard(undefined, now() - 400)],
  ['it is another version', /a list, separated by blanks, of v1,<base64>/, () => standard(undefined, now(), 'v2')],
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name): Row => [
      `it has no ${name}`,
      new RegExp(`no header ${name}\\.$`),
      () => ({ ...standard(), [name]: undefined }),
    ],
  ),
])('if %s in the scheme standard, that is what is said', async (_, problem, headers) => {
  sandbox.webhooks.update(webhookId, { scheme: 'standard' });
  expect(await problemOf({ headers: headers() })).toMatch(problem);
});

test('a secret of another webhook, or one that is over, is named', async () => {
  const { id, signing_secret: other } = sandbox.webhooks.register({ url: NOWHERE });
  expect(await problemOf({ signature: timestamped(decoded(other)), webhookId })).toMatch(
    `it was signed with the secret of another webhook, ${id}`,
  );
  sandbox.webhooks.rotateSecret(webhookId, { overlapMs: 1_000 });
  sandbox.advance(1_000);
  expect(await problemOf({ signature: timestamped() })).toMatch(
    `signed with a secret of ${webhookId} that was replaced and is no longer valid`,
  );
});

test('a header of another scheme is told', async () => {
  const { id, signing_secret } = sandbox.webhooks.register({ url: NOWHERE, scheme: 'body' });
  const bare = hex(signing_secret, BODY);
  expect(await verdictOn({ body: BODY, signature: bare, webhookId: id })).toMatchObject({
    valid: true,
    scheme: 'body',
  });
  for (const [given, claimed, own] of [
    [{ signature: bare, webhookId }, 'body', 'timestamped'],
    [{ signature: timestamped(), webhookId: id }, 'timestamped', 'body'],
    [{ headers: standard(), webhookId }, 'standard', 'timestamped'],
  ] as const) {
    expect(await problemOf(given)).toMatch(`of the scheme ${claimed}, and the webhook has the scheme ${own}`);
  }
});

test('missing secrets are told', async () => {
  const signature = timestamped();
  sandbox.webhooks.remove(webhookId);
  expect(await problemOf({ signature })).toMatch(/no secret to verify it with/);
});

test('no answer shows a secret', async () => {
  const other = sandbox.webhooks.register({ url: NOWHERE }).signing_secret;
  for (const signature of [timestamped(), timestamped(secret), timestamped(decoded(other)), 'hello']) {
    const text = JSON.stringify(await verdictOn({ body: BODY, signature, webhookId }));
    for (const hidden of [secret, other]) expect(text).not.toContain(hidden);
  }
});

test('a body that cannot be written anew is only said not to fit', async () => {
  for (const body of ['['.repeat(50_000) + ']'.repeat(50_000), '{"a":', '\ud800', '']) {
    expect(await problemOf({ body, signature: timestamped() })).toMatch(ANOTHER);
  }
});

test.each<[input: unknown, message: RegExp]>([
  [{}, /^webhooks\.verify: body must be a string, as it arrived/],
  [{ body: {} }, /^webhooks\.verify: body must be a string, as it arrived/],
  [{ body: '', secret: 'a', webhookId: 'b' }, /input must not have secret and webhookId/],
  [{ body: '', headers: {}, signature: 'b' }, /input must not have headers and signature/],
  [{ body: '', headers: { a: 1 } }, /headers\.a must be a string/],
  [{ body: '', webhookId: 'nothing' }, /there is no webhook nothing/],
  [{ body: '', scheme: 'v2' }, /scheme must be one of timestamped, body, standard/],
  [{ body: '', tolerance: 1 }, /input must not have tolerance; known are .*toleranceSeconds/],
])('the input %j is refused', async (input, message) => {
  expect((await askControl(partner, 'POST webhooks/verify', [input])).error?.message).toMatch(message);
});
