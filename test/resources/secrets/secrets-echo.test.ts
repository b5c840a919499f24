import { describe, expect, it } from 'vitest';
import { UnauthenticatedError } from '../../../src/index.js';
import { invoke, operation } from '../support/operations.js';
import { expectNoSecret, PRIVATE, privateBody, texts } from '../support/secrets.js';
import { failure, json, OTP, type Received, rejection, startService } from '../support/service.js';

const service = startService();
const whitelist = operation('accounts.wallets.whitelist');
const create = operation('webhooks.create');
const SIGNING_SECRET = (create.answer as { data: { signing_secret: string } }).data.signing_secret;

/** Answers that repeat the request: some gateways do. */
const echo = ({ headers, body: sent, path }: Received): string => `${JSON.stringify(headers)}\n${path}\n${sent}`;
const html = (text: string) => new Response(`<pre>${text}</pre>`, { status: 502 });
const refused = (text: string) => new Response(text, { status: 400 });
const shownOf = ({ headers }: Received) => `got ${headers['api-sign']} and ${headers['api-otp']}`;
const inTexts = (shown: string) =>
  failure(401, shown, {
    type: shown,
    instance: shown,
    doc_url: `https://x.test/?s=${encodeURIComponent(shown)}`,
    causes: [{ field: 'API-Sign', message: shown }],
  });
const headersOf = ({ headers }: Received) => ({
  'x-echo-sign': headers['api-sign'] ?? '',
  'x-echo-otp': `otp=${headers['api-otp']}`,
});
const parsed = ({ headers, body: sent }: Received) => ({ headers, body: JSON.parse(sent) });
const causesOf = ({ headers }: Received) => [{ headers, sign: headers['api-sign'], otp: [headers['api-otp']] }];

const ECHOES: readonly (readonly [what: string, answer: (request: Received) => Response])[] = [
  ['HTML of 502', (request) => html(echo(request))],
  ['text of 400', (request) => refused(echo(request))],
  ['text of 400, percent-encoded', (request) => refused(encodeURIComponent(echo(request)))],
  ['JSON without envelope, laid out anew', (request) => refused(JSON.stringify(parsed(request), null, 2))],
  ['JSON without envelope', ({ headers, body: sent }) => json({ request: { headers, body: sent } }, 500)],
  ['envelope with headers in its causes', (request) => failure(401, 'unauthenticated', { causes: causesOf(request) })],
  ['envelope with headers in its texts', (request) => inTexts(shownOf(request))],
  ['headers', (request) => new Response('', { status: 503, headers: headersOf(request) })],
  ['success that is HTML', (request) => new Response(`<pre>${echo(request)}</pre>`, { status: 200 })],
  [
    'success of another shape',
    (request) => json({ data: { id: request.headers['api-sign'], sent: request.body, account: [] } }),
  ],
];

describe('an answer that repeats the request to us', () => {
  it.each(ECHOES)('%s: the error shows no secret, signature or one-time password', async (what, answer) => {
    service.answer(answer);
    const lines: unknown[] = [];
    const note = (...seen: unknown[]) => void lines.push(seen);
    const client = service.client({
      logger: { debug: note, info: note, warn: note, error: note },
      hooks: { onRequest: note, onResponse: note, onRetry: note, onError: note },
    });
    const error = await rejection(invoke(whitelist, client, { body: privateBody }));
    expectNoSecret(service, error, what, []);
    expect(lines.length).toBeGreaterThan(0);
    expectNoSecret(service, lines, `${what}, in log and hooks`, []);
    // A 401 is followed by one more attempt.
    expect(service.received).toHaveLength(error instanceof UnauthenticatedError ? 2 : 1);
  });

  it.each(ECHOES.slice(-1))('%s: in warn mode log and hooks show none either', async (what, answer) => {
    service.answer(answer);
    const lines: unknown[] = [];
    const note = (...seen: unknown[]) => void lines.push(seen);
    const logger = { debug: note, info: note, warn: note, error: note };
    await invoke(whitelist, service.client({ responseValidation: 'warn', logger }), { body: privateBody });
    expect(lines.length).toBeGreaterThan(0);
    expectNoSecret(service, lines, what, []);
  });

  it('is shown as it came in what it says of the rest of the request', async () => {
    const message = `${PRIVATE} is no address of ethereum`;
    service.answer(() => failure(400, 'bad_request', { causes: [{ field: 'address', message }] }));
    const error = await rejection(invoke(whitelist, service.client(), { body: privateBody }));
    const shown = `400 bad_request (accounts.wallets.whitelist): address: ${message}`;
    expect(error).toMatchObject({ message: shown, causes: [{ field: 'address', message }] });
  });
});

describe('the client itself writes nothing of the body into an error, a log line or an event', () => {
  it.each<[string, () => Response]>([
    ['a refusal', () => failure(400, 'bad_request', { causes: [{ field: 'address', message: 'is wrong' }] })],
    ['a refused signature', () => failure(401, 'unauthenticated')],
    ['a page of a gateway', () => html('Bad Gateway')],
    ['an answer of another shape', () => json({ data: { account: [] } })],
    ['an answer that is not JSON', () => new Response('<p>')],
    ['an answer that is too large', () => new Response('x'.repeat(2_000))],
    ['no connection', () => Response.error()],
  ])('%s', async (what, answer) => {
    service.answer(answer);
    const lines: unknown[] = [];
    const note = (...seen: unknown[]) => void lines.push(seen);
    const client = service.client({
      maxResponseBytes: 1_000,
      logger: { debug: note, info: note, warn: note, error: note },
      hooks: { onRequest: note, onResponse: note, onRetry: note, onError: note },
    });
    expectNoSecret(service, await rejection(invoke(whitelist, client, { body: privateBody })), what);
    expect(lines.length).toBeGreaterThan(0);
    expectNoSecret(service, lines, `${what}, in log and hooks`);
  });
});

describe('the signing secret of a new webhook is in its value alone', () => {
  const whole = JSON.stringify(create.answer);
  const expectHidden = (value: unknown, secret = SIGNING_SECRET): void => {
    for (const text of texts(value))
      for (const form of [secret, encodeURIComponent(secret)]) expect(text).not.toContain(form);
  };

  it('the call gives it; response and stats do not, though a header repeats it', async () => {
    service.answer(() =>
      json(create.answer, 200, { 'x-echo': SIGNING_SECRET, 'x-form': encodeURIComponent(SIGNING_SECRET) }),
    );
    const client = service.client();
    const { data, response } = await client.webhooks.create({ url: 'https://hooks.partner.test' }).withResponse();
    expect(data.signing_secret).toBe(SIGNING_SECRET);
    expect(response.headers['x-echo']).toBe('[redacted]');
    expectHidden(response);
    expectHidden(client.stats());
  });

  it.each<[string, () => Response]>([
    ['an answer without its id', () => json({ data: { signing_secret: SIGNING_SECRET, id: {} } })],
    ['an answer without data', () => json({ webhook: { signing_secret: SIGNING_SECRET } })],
    ['half of it', () => new Response(whole.slice(0, whole.indexOf(SIGNING_SECRET) + 24))],
    ['what is not JSON', () => new Response(`<p>signing_secret=${SIGNING_SECRET}</p>`)],
    [
      'an escaped name that is cut off',
      () => new Response(`{"data":{"signing\\u005fsecret":"${SIGNING_SECRET}","id":`),
    ],
    ['a gateway that answers 503 with it', () => new Response(whole, { status: 503 })],
    ['a redirect that has it', () => new Response(whole, { status: 302 })],
    ['a cause of a 409', () => failure(409, 'conflict', { causes: [{ signing_secret: SIGNING_SECRET }] })],
  ])('%s: neither the error nor log and hooks show it', async (_, answer) => {
    service.answer(answer);
    const lines: unknown[] = [];
    const note = (...seen: unknown[]) => void lines.push(seen);
    const logger = { debug: note, info: note, warn: note, error: note };
    const hooks = { onResponse: note, onRetry: note, onError: note, onEnd: note };
    const error = await rejection(invoke(create, service.client({ logger, hooks })));
    for (const seen of [error, lines]) expectHidden(seen, SIGNING_SECRET.slice(0, 24));
    expect(lines.length).toBeGreaterThan(0);
  });

  it('that is a number is hidden in errors, too', async () => {
    service.answerJson({ data: { signing_secret: 9_182_736_455_463, id: {} } });
    expectHidden(await rejection(invoke(create, service.client())), '9182736455463');
  });

  it('a call with an answer of another shape is applied: the webhook is there', async () => {
    service.answer(() => json({ data: 5 }));
    expect(await rejection(invoke(create, service.client()))).toMatchObject({ outcome: 'applied', body: '{"data":5}' });
  });
});

describe('what is taken out of an answer leaves the answer readable', () => {
  it('a one-time password that is also a number of the answer does not break it', async () => {
    service.answer(() => failure(400, 'bad_request', { causes: [{ limit: 123_456, used: 1_000_000_000 }] }));
    const error = await rejection(invoke(whitelist, service.client(), {}, { otp: '123456' }));
    expect(error).toMatchObject({ code: 'bad_request', instance: 'occurrence-1', causes: [{ limit: 123_456 }] });
  });

  it('nothing is taken out of data', async () => {
    service.answer(() => json({ data: { key: OTP, tag: null } }));
    const save = operation('funds.withdrawalAddresses.save');
    const body = { ...save.body, key: OTP };
    expect(await invoke(save, service.client(), { body }, { otp: OTP })).toEqual({ key: OTP, tag: null });
  });
});
