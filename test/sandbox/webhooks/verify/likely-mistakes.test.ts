import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/sandbox/index.js';
import { signWebhook } from '../../../../src/webhooks/index.js';
import { NOWHERE, sendEvents } from '../support/sending.js';

const BODY = '{"id":"evt_1","type":"quote.executed","data":{"amount":"0.10","name":"Zoë","url":"https://a.example/b"}}';

let sandbox: Sandbox;
let secret: string;
let webhookId: string;
beforeAll(() => {
  sandbox = createSandbox({ deliver: () => new Response(null, { status: 204 }) });
});
beforeEach(() => {
  for (const { id, receives } of sandbox.webhooks.list()) if (receives) sandbox.webhooks.remove(id);
  const { id, signing_secret } = sandbox.webhooks.register({ url: NOWHERE, events: ['deposit.completed'] });
  secret = signing_secret;
  webhookId = id;
});
afterAll(() => sandbox.close());

const now = (): number => Math.floor(Date.now() / 1000);

/** A header made by hand: the parts that somebody may get wrong. */
function header({
  key = Buffer.from(secret, 'base64') as Uint8Array | string,
  text = (t: string, body: string) => `${t}.${body}`,
  hash = 'sha256',
  encoding = 'hex' as 'hex' | 'base64' | 'base64url',
  body = BODY,
  t = String(now()),
} = {}): string {
  return `t=${t},v1=${createHmac(hash, key).update(text(t, body)).digest(encoding)}`;
}

const problem = (signature: string, body = BODY): string | undefined =>
  sandbox.webhooks.verify({ body, signature }).problem;

test('a delivery that the package has signed is valid, and its parts are told', () => {
  const { 'X-Signature': signature } = signWebhook({ body: BODY, secret });
  const masked = `…${secret.slice(-4)}`;
  expect(sandbox.webhooks.verify({ body: BODY, signature })).toEqual({
    valid: true,
    scheme: 'timestamped',
    timestamp: expect.any(Number),
    ageSeconds: expect.any(Number),
    signatures: [{ v1: expect.stringMatching(/^[0-9a-f]{64}$/), matchesSecret: true, webhookId, masked }],
  });
  const headers = { 'x-SIGNATURE': signature };
  expect(sandbox.webhooks.verify({ body: BODY, headers, secret })).toMatchObject({ valid: true });
  expect(sandbox.webhooks.verify({ body: BODY, headers, webhookId })).toMatchObject({ valid: true });
});

test('a pasted signature may have the name of its header; a header with its own name in it is not valid', () => {
  const line = `X-Signature: ${signWebhook({ body: BODY, secret })['X-Signature']}`;
  expect(sandbox.webhooks.verify({ body: BODY, signature: line })).toMatchObject({ valid: true });
  expect(sandbox.webhooks.verify({ body: BODY, headers: { 'X-Signature': line } })).toMatchObject({ valid: false });
});

test('while a secret is rotated each signature names whether a secret made it', () => {
  const older = secret;
  const { signing_secret: newer } = sandbox.webhooks.rotateSecret(webhookId);
  const both = [newer, older].map((one) => header({ key: Buffer.from(one, 'base64') }).split(',')[1]);
  const signature = `t=${now()},${both.join(',')},v1=${'0'.repeat(64)}`;
  const { valid, signatures } = sandbox.webhooks.verify({ body: BODY, signature });
  expect(valid).toBe(true);
  expect(signatures.map(({ matchesSecret }) => matchesSecret)).toEqual([true, true, false]);
});

test.each<[mistake: string, said: RegExp, make: () => string]>([
  ['the secret is taken as text', /taken as text: decode it from base64/, () => header({ key: secret })],
  ['the body alone is signed', /the body alone was signed: sign "<t>.<body>"/, () => header({ text: (_, b) => b })],
  ['the dot is left out', /the dot between t and body was left out/, () => header({ text: (t, b) => t + b })],
  ['the body comes first', /the body was put before the time/, () => header({ text: (t, b) => `${b}.${t}` })],
  ['"t=" is signed', /"t=" was signed too/, () => header({ text: (t, b) => `t=${t}.${b}` })],
  ['milliseconds are signed', /signed in milliseconds/, () => header({ text: (t, b) => `${t}000.${b}` })],
  [
    "the event's id is signed",
    /the id of the event was signed, too/,
    () => header({ text: (t, b) => `evt_1.${t}.${b}` }),
  ],
  ['SHA-512 is used', /SHA-512 was used in place of SHA-256/, () => header({ hash: 'sha512' })],
  ['SHA-1 is used', /SHA-1 was used in place of SHA-256/, () => header({ hash: 'sha1' })],
  ['it is written as base64', /written as base64: write it as hex/, () => header({ encoding: 'base64' })],
  ['it is written as base64url', /written as base64: write it as hex/, () => header({ encoding: 'base64url' })],
  [
    'the secret is text and the result base64',
    /taken as text: decode it from base64 first; the signature is written as base64/,
    () => header({ key: secret, encoding: 'base64' }),
  ],
  [
    'the body alone is signed with the secret as text',
    /the body alone was signed.*the secret was taken as text/,
    () => header({ text: (_, b) => b, key: secret }),
  ],
  ['the time is in milliseconds', /t in X-Signature is in milliseconds/, () => header({ t: String(Date.now()) })],
  ['the time is a date', /not one in unix seconds/, () => header({ t: new Date().toISOString() })],
  ['the time is missing', /no t=<unix seconds>/, () => header().replace(/^t=\d+,/, '')],
  ['there are two times', /two different times/, () => `t=1,${header()}`],
  ['there is no signature', /a time, but no signature v1/, () => `t=${now()}`],
  ['it is another version', /no v1 among them/, () => header().replace('v1=', 'v2=')],
  ['it has a prefix', /begins with sha256, but must have the form/, () => `sha256=${header().slice(-64)}`],
  ['it is something else', /not of the form t=<unix seconds>,v1=<hex>/, () => 'hello'],
  ['it is cut off', /not 64 digits of hex: it has 60 characters/, () => header().slice(0, -4)],
  [
    'it is too old',
    /The signature fits, but its time is 40\d s old, and 300 s/,
    () => header({ t: String(now() - 400) }),
  ],
  ['it is in the future', /time is \d+ s in the future/, () => header({ t: String(now() + 400) })],
  ['the secret is another', /another secret has signed it, or the body was changed/, () => header({ key: 'x' })],
])('if %s, that is what is said', (_, said, make) => {
  const verdict = sandbox.webhooks.verify({ body: BODY, signature: make() });
  expect(verdict.valid).toBe(false);
  expect(verdict.problem).toMatch(said);
  expect(verdict.problem).toMatch(/^[A-Z"].*\.$/s);
});

test('a secret in hex that was decoded as hex is told', () => {
  const hex = 'ab'.repeat(32);
  const signature = header({ key: Buffer.from(hex, 'hex') });
  expect(sandbox.webhooks.verify({ body: BODY, signature, secret: hex }).problem).toMatch(/decoded as hex/);
});

describe('a body that is not the one that was signed', () => {
  const parsed = JSON.parse(BODY);
  test.each<[what: string, said: RegExp, body: string]>([
    ['was printed prettily', /parsed and written anew: verify the raw bytes/, JSON.stringify(parsed, null, 2)],
    ['was given a line end', /has a line end that was not signed/, `${BODY}\n`],
    ['was given a byte order mark', /byte order mark/, `\uFEFF${BODY}`],
  ])('%s', (_, said, body) => {
    expect(problem(header(), body)).toMatch(said);
  });

  test.each<[what: string, signed: string]>([
    [
      'Python',
      BODY.replaceAll(':"', ': "').replaceAll(',"', ', "').replace('"data":{', '"data": {').replace('ë', '\\u00eb'),
    ],
    ['PHP', BODY.replaceAll('/', '\\/')],
    ['pretty', JSON.stringify(parsed, null, 4)],
  ])('was written anew, and was signed in the form of %s', (_, signed) => {
    expect(problem(header({ body: signed }))).toMatch(/parsed and written anew/);
  });

  test('of another event is named, and so is one that was changed or cut off', async () => {
    await sendEvents(sandbox, 2);
    const [first, second] = sandbox.webhooks.listDeliveries({ webhookId });
    const signed = (body = ''): string => signWebhook({ body, secret })['X-Signature'];
    expect(problem(signed(first?.body), second?.body)).toMatch(
      `the header is that of another event, ${first?.eventId}`,
    );
    expect(problem(signed(first?.body), first?.body.replace('0.01', '9.99'))).toMatch(/changed after it was signed/);
    expect(problem(signed(first?.body), first?.body.slice(0, 50))).toMatch(/cut off: 50 of \d+ characters are there/);
  });
});

test('a secret of another webhook, or one that is over, is named', () => {
  const { id, signing_secret: other } = sandbox.webhooks.register({ url: NOWHERE });
  const signature = header({ key: Buffer.from(other, 'base64') });
  expect(sandbox.webhooks.verify({ body: BODY, signature, webhookId }).problem).toMatch(
    `it was signed with the secret of another webhook, ${id}`,
  );
  sandbox.webhooks.rotateSecret(webhookId, { overlap: 1_000 });
  sandbox.advance(1_000);
  expect(problem(header())).toMatch(`signed with a secret of ${webhookId} that was replaced and is no longer valid`);
});

test('a header of the other scheme is told', () => {
  const { id, signing_secret } = sandbox.webhooks.register({ url: NOWHERE, scheme: 'body' });
  const bare = createHmac('sha256', signing_secret).update(BODY).digest('hex');
  expect(sandbox.webhooks.verify({ body: BODY, signature: bare, webhookId: id })).toMatchObject({
    ...{ valid: true, scheme: 'body', signatures: [{ matchesSecret: true }] },
  });
  expect(sandbox.webhooks.verify({ body: BODY, signature: bare, webhookId }).problem).toMatch(
    /of the scheme body, and the webhook has the scheme timestamped/,
  );
  expect(sandbox.webhooks.verify({ body: BODY, signature: header(), webhookId: id }).problem).toMatch(
    /of the scheme timestamped, and the webhook has the scheme body/,
  );
  const decoded = createHmac('sha256', Buffer.from(signing_secret, 'base64')).update(BODY).digest('hex');
  expect(sandbox.webhooks.verify({ body: BODY, signature: decoded, webhookId: id }).problem).toMatch(
    /decoded from base64: this scheme takes its text/,
  );
});

describe('headers of the scheme standard', () => {
  interface Made {
    readonly key?: Uint8Array | string;
    readonly text?: (id: string, t: string, body: string) => string;
    readonly encoding?: 'hex' | 'base64';
    readonly t?: string;
    readonly version?: string;
  }
  const made = (given: Made = {}): Record<string, string> => {
    const { key = Buffer.from(secret, 'base64'), text = (id, t, body) => `${id}.${t}.${body}` } = given;
    const { encoding = 'base64', t = String(now()), version = 'v1' } = given;
    const signature = createHmac('sha256', key)
      .update(text('msg_1', t, BODY))
      .digest(encoding);
    return { 'webhook-id': 'msg_1', 'webhook-timestamp': t, 'webhook-signature': `${version},${signature}` };
  };
  beforeEach(() => {
    sandbox.webhooks.update(webhookId, { scheme: 'standard' });
  });
  const judged = (headers: Record<string, string>) => sandbox.webhooks.verify({ body: BODY, headers });

  test('are valid, by either name, and as pasted lines', () => {
    const headers = made();
    const svix = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('webhook', 'Svix'), value]),
    );
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const verdict = { valid: true, scheme: 'standard', signatures: [{ matchesSecret: true, webhookId }] };
    expect(judged(headers)).toMatchObject(verdict);
    expect(judged(svix)).toMatchObject(verdict);
    for (const signature of [lines.join('\n'), lines.join('\r\n')]) {
      expect(sandbox.webhooks.verify({ body: BODY, signature })).toMatchObject(verdict);
    }
    for (const given of [secret, `whsec_${secret}`]) {
      expect(sandbox.webhooks.verify({ body: BODY, headers, secret: given })).toMatchObject({ valid: true });
    }
    const [, signature = ''] = headers['webhook-signature']?.split(',') ?? [];
    const mixed = { ...headers, 'webhook-signature': `v1a,nonsense v1,${signature.toLowerCase()} v1,${signature}` };
    expect(judged(mixed).signatures.map(({ matchesSecret }) => matchesSecret)).toEqual([false, true]);
  });

  test.each<[mistake: string, said: RegExp, given: () => Made]>([
    ['the id is left out', /the id was left out: sign "<webhook-id>/, () => ({ text: (_, t, b) => `${t}.${b}` })],
    ['the body alone is signed', /the body alone was signed: sign "<webhook-id>/, () => ({ text: (_, __, b) => b })],
    ['the time comes first', /the time was put before the id/, () => ({ text: (id, t, b) => `${t}.${id}.${b}` })],
    ['the secret is taken as text', /taken as text: decode it from base64/, () => ({ key: secret })],
    ['it is written as hex', /written as hex: write it as base64/, () => ({ encoding: 'hex' })],
    ['the time is in milliseconds', /webhook-timestamp is in milliseconds/, () => ({ t: String(Date.now()) })],
    ['it is another version', /must be a list, separated by blanks, of v1,<base64>/, () => ({ version: 'v2' })],
    ['it is too old', /its time is 40\d s old/, () => ({ t: String(now() - 400) })],
    ['the secret is another', /another secret has signed it/, () => ({ key: 'x' })],
  ])('if %s, that is what is said', (_, said, given) => {
    const { valid, problem: why } = judged(made(given()));
    expect(valid).toBe(false);
    expect(why).toMatch(said);
  });

  test('a secret that was used with its prefix is told', () => {
    const prefixed = `whsec_${secret}`;
    for (const [key, said] of [
      [prefixed, /taken as text/],
      [Buffer.from(prefixed, 'base64'), /"whsec_" was decoded with the secret: remove it/],
    ] as const) {
      expect(sandbox.webhooks.verify({ body: BODY, headers: made({ key }), secret: prefixed }).problem).toMatch(said);
    }
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s are told so', (name) => {
    const { [name]: _, ...others } = made();
    expect(judged(others)).toMatchObject({ valid: false, problem: `The delivery has no header ${name}.` });
  });

  test('of another webhook or another scheme are told so', () => {
    const other = sandbox.webhooks.register({ url: NOWHERE, scheme: 'standard' });
    const headers = made({ key: Buffer.from(other.signing_secret, 'base64') });
    expect(sandbox.webhooks.verify({ body: BODY, headers, webhookId }).problem).toMatch(
      `with the secret of another webhook, ${other.id}`,
    );
    const timestamped = sandbox.webhooks.register({ url: NOWHERE });
    expect(sandbox.webhooks.verify({ body: BODY, headers, webhookId: timestamped.id }).problem).toMatch(
      'signature of the scheme standard, and the webhook has the scheme timestamped',
    );
  });
});

test('a flat body is told to be changed by its kind and the id of its resource', async () => {
  sandbox.webhooks.update(webhookId, { form: 'flat', events: ['swap.failed', 'swap.completed'] });
  for (const kind of ['swap.failed', 'swap.completed']) await sandbox.webhooks.trigger(kind, { id: 'same', n: 1 });
  const [failed, completed] = sandbox.webhooks.listDeliveries({ webhookId });
  const signed = (body = ''): string => signWebhook({ body, secret })['X-Signature'];
  expect(problem(signed(failed?.body), failed?.body.replace('"n":1', '"n":2'))).toMatch(/changed after it was signed/);
  expect(problem(signed(failed?.body), completed?.body)).toMatch(`that of another event, ${failed?.eventId}`);
});

test('a missing header and missing secrets are told', () => {
  expect(sandbox.webhooks.verify({ body: BODY })).toEqual({
    ...{ valid: false, signatures: [], problem: 'The delivery has no header X-Signature.' },
  });
  sandbox.webhooks.remove(webhookId);
  expect(problem(`t=${now()},v1=${'0'.repeat(64)}`)).toMatch(/no secret to verify it with/);
});

test('no answer shows a secret', () => {
  const other = sandbox.webhooks.register({ url: NOWHERE }).signing_secret;
  const texts = [header(), header({ key: secret }), 'hello', header({ key: 'x' })].map((signature) =>
    JSON.stringify(sandbox.webhooks.verify({ body: BODY, signature })),
  );
  for (const text of texts) for (const hidden of [secret, other]) expect(text).not.toContain(hidden);
});

test('a huge, deeply nested or broken body is judged in a moment', () => {
  const bodies = ['['.repeat(200_000), `{"a":"${'x'.repeat(900_000)}"}`, '{"a":', '\ud800', '', '[[[['.repeat(5_000)];
  // Time of this process alone, which load does not lengthen.
  const began = process.cpuUsage();
  for (const body of bodies) expect(sandbox.webhooks.verify({ body, signature: header() }).valid).toBe(false);
  expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
});

test.each<[input: unknown, message: RegExp]>([
  [{}, /body must be text, as it arrived/],
  [{ body: {} }, /body must be text, as it arrived/],
  [{ body: '', secret: 'a', webhookId: 'b' }, /give secret or webhookId, not both/],
  [{ body: '', headers: {}, signature: 'b' }, /give headers or signature, not both/],
  [{ body: '', headers: { a: 1 } }, /headers must be an object of texts/],
  [{ body: '', webhookId: 'nothing' }, /there is no webhook nothing/],
  [{ body: '', scheme: 'v2' }, /scheme must be timestamped, body or standard/],
  [{ body: '', tolerance: 1 }, /tolerance is not an option/],
])('the input %j is refused', (input, message) => {
  expect(() => sandbox.webhooks.verify(input as { body: string })).toThrow(message);
});
