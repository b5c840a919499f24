import { beforeEach, describe, expect, test } from 'vitest';
import { signWebhook } from '../../../../src/webhooks/index.js';
import { askControl, sharedSandbox } from '../../support/partner.js';

const { sandbox, url } = await sharedSandbox({ inspect: true });
beforeEach(() => {
  for (const { id, receives } of sandbox.webhooks.list()) if (receives) sandbox.webhooks.remove(id);
  sandbox.inbox.clear();
  sandbox.troubles.clear();
});

async function ask(line: string, args?: unknown) {
  const { status, data, error } = await askControl({ url }, line, args);
  return { status, data, message: error?.message ?? '' };
}

describe('a first try without a server', () => {
  test('registers an inbox, triggers an event, and reads that it was rightly signed', async () => {
    const { data: address } = await ask('POST inbox/url', ['first-try']);
    expect(address).toBe(`${url}/_sandbox/inbox/first-try`);
    const { data: webhook } = await ask('POST webhooks/register', [{ url: address, events: ['quote.executed'] }]);
    const { data: deliveries } = await ask('POST webhooks/trigger', ['quote.executed', { note: 'mine' }]);
    expect(deliveries).toMatchObject([{ status: 'delivered', attempts: [{ status: 200, url: address }] }]);
    const { data: messages } = await ask('GET inbox?name=first-try');
    expect(messages).toMatchObject([
      {
        name: 'first-try',
        status: 200,
        headers: { 'x-webhook-event': 'quote.executed', 'x-webhook-id': webhook.id },
        verification: {
          valid: true,
          scheme: 'timestamped',
          signatures: [{ matchesSecret: true, webhookId: webhook.id }],
        },
      },
    ]);
    expect(JSON.parse(messages[0].body)).toMatchObject({ data: { note: 'mine' } });
    expect((await ask(`GET inbox/${messages[0].id}`)).data).toEqual(messages[0]);
    expect((await ask(`GET inbox?after=${messages[0].seq}`)).data).toEqual([]);
    await ask('POST inbox/clear', []);
    expect((await ask('GET inbox')).data).toEqual([]);
  });

  test('tells the inbox how to answer', async () => {
    const { data: address } = await ask('POST inbox/url', ['moody']);
    await ask('POST webhooks/register', [{ url: address, events: ['quote.executed'] }]);
    await ask('POST inbox/answer', [{ name: 'moody', status: 503, body: 'come back', delayMs: 20, times: 1 }]);
    const { data: failed } = await ask('POST webhooks/trigger', ['quote.executed']);
    expect(failed).toMatchObject([{ status: 'pending', attempts: [{ status: 503, answer: { body: 'come back' } }] }]);
    expect(failed[0].attempts[0].ms).toBeGreaterThanOrEqual(19);
    const { data: retried } = await ask('POST webhooks/retryFailed', []);
    expect(retried).toMatchObject([
      { status: 'delivered', attempts: [{ status: 503 }, { status: 200, redelivery: true }] },
    ]);
  });
});

describe('an inbox', () => {
  const post = (name: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/_sandbox/inbox/${name}`, { method: 'POST', body, headers });

  test('takes deliveries of any sender and any type, and verifies them', async () => {
    const { signing_secret: secret } = sandbox.webhooks.register({ url: 'https://elsewhere.test/hooks' });
    const body = '{"id":"evt_9","type":"quote.executed","data":{}}';
    expect((await post('mine', body, { ...signWebhook({ body, secret }), 'content-type': 'text/plain' })).status).toBe(
      200,
    );
    expect((await post('mine', body, { 'x-signature': 'nonsense' })).status).toBe(200);
    expect(sandbox.inbox.list({ name: 'mine' }).map(({ verification }) => verification.problem)).toEqual([
      undefined,
      'X-Signature is not of the form t=<unix seconds>,v1=<hex>.',
    ]);
  });

  test('keeps hostile text as text, and answers it as nothing that a browser runs', async () => {
    sandbox.inbox.answer({ name: 'hostile', body: '<script>alert(1)</script>' });
    const answer = await post('hostile', '<img src=x onerror=alert(1)>\u0000');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(sandbox.inbox.list({ name: 'hostile' })[0]?.body).toBe('<img src=x onerror=alert(1)>\u0000');
  });

  test.each([{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])(
    'refuses a page: %o',
    async (headers) => {
      expect((await post('mine', '{}', headers as Record<string, string>)).status).toBe(403);
      expect(sandbox.inbox.list()).toEqual([]);
    },
  );

  test.each(['a b', 'a/b', 'x'.repeat(65), '..%2f', ''])('has no name %j', async (name) => {
    expect([400, 404, 405]).toContain((await post(name, '[]', { 'content-type': 'application/json' })).status);
    expect(sandbox.inbox.list()).toEqual([]);
  });

  test('keeps the newest thousand', async () => {
    sandbox.webhooks.register({ url: sandbox.inbox.url('many'), events: ['swap.failed'] });
    const all = Array.from({ length: 1_010 }, (_, index) => sandbox.webhooks.trigger('swap.failed', { index }));
    await Promise.all(all);
    const messages = sandbox.inbox.list({ name: 'many' });
    expect(messages).toHaveLength(1_000);
    expect(sandbox.inbox.list({ limit: 2 }).map(({ seq }) => seq)).toEqual(messages.slice(0, 2).map(({ seq }) => seq));
  });
});

describe('deliveries', () => {
  test('are filtered, and followed by the id of the last one that was read', async () => {
    const { id } = sandbox.webhooks.register({
      url: sandbox.inbox.url('a'),
      events: ['swap.failed', 'swap.completed'],
    });
    sandbox.inbox.answer({ name: 'a', status: 500, times: 1 });
    for (const kind of ['swap.failed', 'swap.completed', 'swap.failed']) await sandbox.webhooks.trigger(kind);
    const read = async (query: string) => (await ask(`GET webhooks/deliveries?webhookId=${id}&${query}`)).data;
    const [first, second, third] = await read('');
    expect((await read('kind=swap.failed')).map((one: { id: string }) => one.id)).toEqual([first.id, third.id]);
    expect(await read('status=pending')).toMatchObject([{ id: first.id }]);
    expect(await read(`eventId=${second.eventId}`)).toMatchObject([{ id: second.id }]);
    expect(await read(`after=${first.id}&limit=1`)).toMatchObject([{ id: second.id }]);
    expect((await ask(`GET webhooks/deliveries/${third.id}`)).data).toEqual(third);
    expect((await ask('GET webhooks/deliveries')).status).toBe(200);
  });

  test.each([
    ['status=lost', /status must be one of pending, delivered, failed/],
    ['stats=failed', /there is no filter stats, did you mean status\?/],
    ['after=nothing', /after: there is none with the id nothing/],
    ['limit=0', /limit must be a whole number of at least 1/],
  ])('are not filtered by %s', async (query, message) => {
    const { status, message: said } = await ask(`GET webhooks/deliveries?${query}`);
    expect(status).toBe(400);
    expect(said).toMatch(message);
  });

  test('show what was sent and answered, and which entry brought them about', async () => {
    const { signing_secret } = sandbox.webhooks.register({ url: sandbox.inbox.url('b'), events: ['swap.failed'] });
    sandbox.inbox.answer({ name: 'b', status: 418, body: `secret ${signing_secret} ${'x'.repeat(16_000)}` });
    const { data } = await ask('POST webhooks/trigger', ['swap.failed']);
    const [attempt] = data[0].attempts;
    expect(attempt).toMatchObject({
      request: { headers: { 'X-Signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/) }, body: data[0].body },
      answer: { status: 418, headers: { 'content-type': 'text/plain' } },
    });
    expect(attempt.answer.body).toContain('xxxxx');
    expect(JSON.stringify(data)).not.toContain(signing_secret);
    const { data: control } = await ask('GET journal');
    expect(control).toBeDefined();
    expect(data[0].cause).toEqual(expect.any(Number));
    expect(JSON.stringify(sandbox.snapshot())).not.toContain('"answer":');
  });
});

describe('webhooks', () => {
  test('are listed with their figures, and without secrets', async () => {
    const { id, signing_secret } = sandbox.webhooks.register({ url: sandbox.inbox.url('c'), events: ['swap.failed'] });
    const { signing_secret: fresh } = sandbox.webhooks.rotateSecret(id);
    sandbox.inbox.answer({ name: 'c', status: 500, times: 1 });
    for (let index = 0; index < 4; index += 1) await sandbox.webhooks.trigger('swap.failed');
    sandbox.advance(500);
    const { data } = await ask(`GET webhooks/${id}`);
    expect(data).toMatchObject({
      id,
      disabled: false,
      receives: true,
      form: 'enveloped',
      scheme: 'timestamped',
      ageMs: 500,
      attempts: 4,
      successShare: 0.75,
      deliveries: { pending: 1, delivered: 3, failed: 0 },
      failing: 1,
      secrets: [
        { masked: `…${fresh.slice(-4)}` },
        { masked: `…${signing_secret.slice(-4)}`, until: expect.any(Number) },
      ],
    });
    const { data: all } = await ask('GET webhooks');
    expect(all[0]).toEqual(data);
    expect(JSON.stringify(all)).not.toContain(signing_secret);
    expect(all.filter((one: { receives: boolean }) => !one.receives)).toHaveLength(32);
    expect((await ask(`DELETE webhooks/${id}`)).status).toBe(200);
    expect((await ask(`GET webhooks/${id}`)).status).toBe(404);
  });
});

test('a reset leaves neither troubles nor messages nor deliveries', async () => {
  sandbox.webhooks.register({ url: sandbox.inbox.url('e'), events: ['swap.failed'] });
  sandbox.inbox.answer({ status: 500 });
  await sandbox.webhooks.trigger('swap.failed');
  await ask('POST troubles/add', [{ does: { delivery: { drop: true } }, times: 'always' }]);
  expect((await ask('POST reset', [])).status).toBe(200);
  for (const path of ['troubles', 'webhooks/deliveries', 'inbox']) {
    expect((await ask(`GET ${path}`)).data).toEqual([]);
  }
  sandbox.webhooks.register({ url: sandbox.inbox.url('e'), events: ['swap.failed'] });
  expect(await sandbox.webhooks.trigger('swap.failed')).toMatchObject([{ status: 'delivered' }]);
});
