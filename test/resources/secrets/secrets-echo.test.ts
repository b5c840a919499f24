import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConflictError, isApiError, UnauthenticatedError } from '../../../src/index.js';
import { ACCOUNT, invoke, operation } from '../support/operations.js';
import { expectNoSecret, privateBody } from '../support/secrets.js';
import { failure, json, type Received, rejection, startService } from '../support/service.js';

const service = startService();
const whitelist = operation('accounts.wallets.whitelist');
const create = operation('webhooks.create');
const SIGNING_SECRET = (create.answer as { data: { signing_secret: string } }).data.signing_secret;

/** Answers that repeat the request: some gateways do. */
const echo = ({ headers, body: sent, path }: Received): string => `${JSON.stringify(headers)}\n${path}\n${sent}`;
const html = (text: string) => new Response(`<pre>${text}</pre>`, { status: 502 });
const refused = (text: string) => new Response(text, { status: 400 });
const entities = (text: string) => text.replaceAll('"', '&quot;').replaceAll('+', '&#43;');
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
  ['text of 400, escaped', (request) => refused(encodeURIComponent(echo(request)))],
  ['JSON without envelope, laid out anew', (request) => refused(JSON.stringify(parsed(request), null, 2))],
  ['JSON without envelope', ({ headers, body: sent }) => json({ request: { headers, body: sent } }, 500)],
  ['JSON without envelope, the body as it was', (request) => json(parsed(request), 400)],
  ['HTML of 502 with entities', (request) => html(entities(echo(request)))],
  ['envelope with headers in its causes', (request) => failure(401, 'unauthenticated', { causes: causesOf(request) })],
  [
    'envelope with the body in its causes',
    ({ body: request }) => failure(400, 'bad_request', { causes: [{ request }] }),
  ],
  ['envelope with headers in its texts', (request) => inTexts(shownOf(request))],
  ['headers', (request) => new Response('', { status: 503, headers: headersOf(request) })],
  ['success that is HTML', (request) => new Response(`<pre>${echo(request)}</pre>`, { status: 200 })],
  [
    'success of another shape',
    (request) => json({ data: { id: request.headers['api-sign'], sent: request.body, account: [] } }),
  ],
];

describe('an answer that repeats the request to us', () => {
  it.each(ECHOES)('%s: the error shows nothing of it', async (what, answer) => {
    service.answer(answer);
    const lines: unknown[] = [];
    const note = (...seen: unknown[]) => void lines.push(seen);
    const client = service.client({
      logger: { debug: note, info: note, warn: note, error: note },
      hooks: { onRequest: note, onResponse: note, onRetry: note, onError: note },
    });
    const error = await rejection(invoke(whitelist, client, { body: privateBody }));
    expectNoSecret(service, error, what);
    expect(lines.length).toBeGreaterThan(0);
    expectNoSecret(service, lines, `${what}, in log and hooks`);
    // A 401 is followed by one more attempt.
    expect(service.received).toHaveLength(error instanceof UnauthenticatedError ? 2 : 1);
  });

  it.each(ECHOES.slice(-1))('%s: in warn mode log and hooks show nothing of it', async (what, answer) => {
    service.answer(answer);
    const lines: unknown[] = [];
    const note = (...seen: unknown[]) => void lines.push(seen);
    const logger = { debug: note, info: note, warn: note, error: note };
    await invoke(whitelist, service.client({ responseValidation: 'warn', logger }), { body: privateBody });
    expect(lines.length).toBeGreaterThan(0);
    expectNoSecret(service, lines, what);
  });
});

describe('the signing secret of a new webhook is in its value alone', () => {
  const whole = JSON.stringify(create.answer);
  const texts = (value: unknown): string[] => [
    inspect(value, { depth: 10, showHidden: true, maxStringLength: null }),
    JSON.stringify(value),
    String(value),
  ];
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

const update = operation('funds.withdrawalAddresses.update');
const save = operation('funds.withdrawalAddresses.save');

describe('what is taken out of an answer leaves the answer readable', () => {
  it.each(['conflict', 'state_error', 'instance', 'occurrence-1', 'error', 'causes', 'code', '"code":"conflict"'])(
    'a member of the request that says %j does not change the error',
    async (text) => {
      service.answer(() =>
        failure(409, 'conflict', { type: 'state_error', causes: [{ code: 'conflict', param: 'key' }] }),
      );
      for (const [op, body] of [
        [update, { new_key: text }],
        [save, { ...save.body, key: text, memo: text }],
      ] as const) {
        const error = await rejection(invoke(op, service.client(), { body }), ConflictError);
        expect(isApiError(error, 'conflict')).toBe(true);
        const instance = text === 'occurrence-1' ? expect.any(String) : 'occurrence-1';
        expect(error).toMatchObject({
          response: { status: 409 },
          code: 'conflict',
          instance,
          causes: [{ param: 'key' }],
        });
        expect(error).toMatchObject({ attempts: { failures: [{ reason: 'status', status: 409, code: 'conflict' }] } });
      }
    },
  );

  it('an OTP or an amount that is also a number of the answer does not break it', async () => {
    service.answer(() => failure(400, 'bad_request', { causes: [{ limit: 123_456, used: 1_000_000_000 }] }));
    const error = await rejection(invoke(whitelist, service.client(), {}, { otp: '123456' }));
    expect(error).toMatchObject({ code: 'bad_request', instance: 'occurrence-1' });
    const body = { from: { symbol: 'USD', type: 'fiat', amount: '1000000000' }, to: { symbol: 'BTC', type: 'crypto' } };
    expect(await rejection(service.client().accounts.quotes.create(ACCOUNT, body))).toMatchObject({
      code: 'bad_request',
    });
  });

  it('a short request does not eat the text of a gateway', async () => {
    service.answer(() => new Response('<html><body>504 Gateway Time-out</body></html>', { status: 504 }));
    const error = await rejection(invoke(update, service.client(), { body: { new_key: 'a' } }));
    expect(error).toMatchObject({ body: '<html><body>504 Gateway Time-out</body></html>' });
  });

  it('nothing is taken out of data', async () => {
    service.answer(() => json({ data: { key: 'a private name', tag: null } }));
    const body = { ...save.body, key: 'a private name' };
    expect(await invoke(save, service.client(), { body })).toEqual({ key: 'a private name', tag: null });
  });
});
