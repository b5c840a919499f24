import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../../src/sandbox/index.js';
import { bodies, openSandbox, PATIENCE, type Partner } from '../support/partner.js';

let partner: Partner;

test('tells every request in their order, also those that were refused and those of no operation', async () => {
  partner = await openSandbox();
  const key = randomUUID();
  const path = `${partner.account}/quotes`;
  await partner.call({ method: 'POST', path, body: bodies.quote, headers: { 'Idempotency-Key': key }, nonce: 7n });
  await partner.call({ method: 'GET', path: '/v1/webhooks?page_size=3', nonce: 6n });
  await fetch(`${partner.url}/nowhere?x=%20`);
  await partner.call({ method: 'GET', path: '/v1/webhooks?page_size=0', nonce: 8n });
  partner.sandbox.fail({ fault: 'html' });
  await partner.send({ method: 'GET', path: '/v1/webhooks', nonce: 9n });
  const { apiKey } = partner.credentials;
  const common = {
    kind: 'request',
    method: 'GET',
    key: undefined,
    cause: undefined,
    apiKey,
    account: undefined,
    causes: [],
    likely: undefined,
    at: partner.sandbox.clock.now(),
    real: expect.any(Number),
    ms: expect.any(Number),
    latency: 0,
  };
  let seq = 0;
  const entry = (path: string, verdict: string, status: number, nonce: string | undefined, more: object = {}) => {
    seq += 1;
    const instance = [401, 400].includes(status) ? expect.stringMatching(/^req_/) : undefined;
    const told = {
      seq,
      operation: 'webhooks.list',
      path,
      nonce,
      verdict,
      status,
      subject: 'webhooks',
      callId: `call_${seq}`,
      reason: status === 200 ? undefined : expect.any(String),
      fault: undefined,
      faultId: undefined,
    };
    return { ...common, ...told, instance, ...more };
  };
  const account = partner.sandbox.fixtures.accountId;
  const causes = [{ field: 'page_size', message: expect.stringContaining('1') }];
  expect(partner.sandbox.journal).toEqual([
    entry(path, 'accepted', 200, '7', {
      operation: 'accounts.quotes.create',
      method: 'POST',
      key,
      account,
      subject: '100.00 USD → BTC',
    }),
    entry('/v1/webhooks?page_size=3', 'nonce_not_rising', 401, '6', {
      likely: 'you sent a nonce that is not above the last one: the API key may be in use elsewhere',
    }),
    entry('/nowhere?x=%20', 'missing_header', 401, undefined, {
      operation: undefined,
      apiKey: undefined,
      subject: undefined,
      likely: 'you did not sign the request: API-Key, API-Nonce and API-Sign are missing',
    }),
    entry('/v1/webhooks?page_size=0', 'bad_request', 400, '8', { causes }),
    entry('/v1/webhooks', 'fault_before', 502, '9', { fault: 'html', faultId: 'trouble_1' }),
  ]);
});

test('keeps the newest requests up to its limit', async () => {
  partner = await openSandbox({ journalLimit: 3 });
  for (let size = 1; size <= 5; size += 1) await partner.get(`/v1/webhooks?page_size=${size}`);
  expect(partner.sandbox.journal.map(({ path }) => path.at(-1))).toEqual(['3', '4', '5']);
});

describe('onRequest', () => {
  test('hears of every entry when it is in the journal', async () => {
    const heard: JournalEntry[] = [];
    partner = await openSandbox({
      onRequest: (entry) => {
        expect(partner.sandbox.journal.at(-1)).toBe(entry);
        heard.push(entry);
      },
    });
    partner.sandbox.fail({ fault: 503 });
    for (const path of ['/v1/webhooks', '/v1/webhooks', '/nowhere']) await partner.get(path);
    expect(heard).toEqual(partner.sandbox.journal);
    expect(heard.map(({ status }) => status)).toEqual([503, 200, 404]);
  });

  test('hears of them also when the journal keeps nothing', async () => {
    const heard: JournalEntry[] = [];
    partner = await openSandbox({ journalLimit: 0, onRequest: (entry) => heard.push(entry) });
    await partner.get('/v1/webhooks');
    expect([heard.length, partner.sandbox.journal]).toEqual([1, []]);
  });

  const failing = () => {
    throw new Error('private');
  };

  test.each([
    ['throws', failing],
    ['rejects', async () => failing()],
  ])('may fail: one that %s changes no answer and is reported once, without its error', async (_, onRequest) => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    partner = await openSandbox({ onRequest });
    for (let index = 0; index < 3; index += 1) expect((await partner.get('/v1/webhooks')).status).toBe(200);
    await expect.poll(() => warnings.length, PATIENCE).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toMatchObject([{ code: 'PARTNER_SDK_SANDBOX_HOOK' }]);
    expect(String(warnings[0])).not.toContain('private');
    expect(partner.sandbox.journal).toHaveLength(3);
  });
});

test('keeps and answers at most 100 causes of a request, each of bounded length', async () => {
  partner = await openSandbox();
  const path = `${partner.account}/quotes`;
  const members = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`u${index}`, 1]));
  const { status, body } = await partner.post(path, { ...bodies.quote, ...members });
  expect(status).toBe(400);
  expect(body.error.causes).toHaveLength(100);
  expect(partner.sandbox.journal.at(-1)?.causes).toEqual(body.error.causes);

  await partner.post(path, { ...bodies.quote, [`long${'x'.repeat(900_000)}`]: 1 });
  const [cause] = partner.sandbox.journal.at(-1)?.causes ?? [];
  expect(cause).toEqual({ field: `long${'x'.repeat(196)}…`, message: 'is not known' });

  // As many as fit into a body: more than a call has room for as arguments.
  const most = Object.fromEntries(Array.from({ length: 110_000 }, (_, index) => [index.toString(36), 1]));
  expect((await partner.post(path, { ...bodies.quote, ...most })).body.error.causes).toHaveLength(100);
});

test('cuts what it keeps of a path, a nonce or a key that is longer than any that the API has', async () => {
  partner = await openSandbox();
  const long = 'x'.repeat(5_000);
  await partner.sandbox.fetch(
    new Request(`http://sandbox/${long}`, { headers: { 'API-Nonce': long, 'Idempotency-Key': long } }),
  );
  const { path, nonce, key } = partner.sandbox.journal.at(-1) ?? {};
  expect([path, nonce, key].map((text) => text?.length)).toEqual([4_097, 257, 257]);
});
