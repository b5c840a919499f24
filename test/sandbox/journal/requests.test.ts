import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TimelineEntry } from '../../../src/sandbox/index.js';
import { askControl, bodies, openSandbox, type Partner, requestOf } from '../support/partner.js';

const inspected = (): Promise<Partner> => openSandbox({ inspect: true });
const read = (partner: Partner, name: string) => askControl(partner, `GET ${name}`);
const seqs = ({ data }: { readonly data?: readonly { readonly seq: number }[] }) => data?.map(({ seq }) => seq);

describe('the journal over HTTP', () => {
  test('is filtered', async () => {
    const partner = await openSandbox();
    const key = randomUUID();
    const { accountId } = partner.sandbox.fixtures;
    await partner.get('/v1/webhooks'); // 1
    await partner.call(requestOf(`POST ${partner.account}/quotes`, bodies.quote, { 'Idempotency-Key': key })); // 2
    const { body } = await partner.get('/v1/webhooks?page_size=0'); // 3
    await partner.get('/nowhere'); // 4
    const { apiKey } = partner.credentials;
    for (const [query, expected] of [
      ['', [1, 2, 3, 4]],
      ['?after=2', [3, 4]],
      ['?before=3', [1, 2]],
      ['?after=1&limit=2', [2, 3]],
      ['?limit=2', [3, 4]],
      ['?before=4&limit=1', [3]],
      ['?operation=webhooks.list', [1, 3]],
      ['?verdict=bad_request&status=400', [3]],
      ['?verdict=bad_request&status=404', []],
      [`?accountId=${accountId}`, [2]],
      [`?key=${key.toUpperCase()}`, [2]],
      [`?apiKey=${apiKey}`, [1, 2, 3, 4]],
      [`?instance=${body.error.instance}`, [3]],
      ['?q=NOWHERE', [4]],
      [`?q=${key.slice(0, 8)}`, [2]],
      ['?after=4', []],
      ['?after=4000', []],
    ] as const) {
      expect([query, seqs(await read(partner, `journal${query}`))]).toEqual([query, expected]);
    }
    expect(seqs(await read(partner, 'requests?after=2'))).toEqual([3, 4]);
  });

  test.each([
    ['?kind=x', /there is no filter kind.*filters: operation, accountId, key, apiKey, verdict/],
    ['?operations=x', /there is no filter operations, did you mean operation\?/],
    ['?status=ok', /status must be a whole number from 100 to 599, not a string; filters: operation/],
    ['?after=-1', /after must be a whole number of at least 0, not a string; filters: operation/],
    ['?limit=0', /limit must be a whole number of at least 1/],
    ['?operation=quotes', /there is no operation "quotes"/],
    ['?q=', /q must have at least 1 character, has 0; filters/],
    ['?status=200&status=400', /status is given twice/],
  ])('%s is refused, and the filters are listed', async (query, message) => {
    const { status, error } = await read(await openSandbox(), `journal${query}`);
    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test('what takes no filter says so', async () => {
    const partner = await openSandbox();
    const { status, error } = await read(partner, 'fixtures?limit=2');
    expect([status, error?.message]).toEqual([400, 'fixtures takes no filter']);
  });

  test('finds each error by its own instance, also under one idempotency key', async () => {
    const partner = await openSandbox();
    const key = randomUUID();
    const path = `${partner.account}/quotes/${randomUUID()}/execute`;
    const call = () => partner.post(path, undefined, { 'Idempotency-Key': key });
    const [first, again] = [await call(), await call()];
    const found = [first, again].map(({ body }) => read(partner, `journal?instance=${body.error.instance}`));
    expect((await Promise.all(found)).map(seqs)).toEqual([[1], [2]]);
  });
});

test('all words of q are found in members, holders of accounts and bodies as they are shown, in any letter case', async () => {
  const partner = await inspected();
  const { sandbox, account, credentials } = partner;
  const other = `/v1/accounts/${sandbox.fixtures.secondaryAccountId}`;
  const saved = bodies.address(sandbox.fixtures.methodId, 'cold-label');
  const { to } = (await partner.post(`${account}/quotes`, bodies.quote)).body.data; // 1
  await partner.post(`${account}/funds/withdrawals/addresses`, saved, { 'Idempotency-Key': randomUUID() }); // 2
  await partner.get(`${account}/funds/withdrawals/addresses`); // 3
  await partner.call({ method: 'GET', path: `${other}/funds/withdrawals/addresses?page_size=7`, nonce: 7n }); // 4
  const hook = { url: 'https://receiver.example/', events: ['quote.executed'] };
  const { signing_secret: secret } = (await partner.post('/v1/webhooks', hook, { 'API-Otp': '1' })).body.data; // 5
  await partner.post('/v1/webhooks', { note: `my ${credentials.apiSecret}, ${secret}`, otp: 'hidden-otp' }); // 6
  for (const [q, expected] of [
    ['100.00 usd →', [1]],
    [to.amount, [1]],
    ['withdrawalAddresses.SAVE', [2]],
    ['COLD-label', [2, 3]],
    [`cold-label ${credentials.apiKey} page_size`, []],
    ['customer-1000 secondary', [4]],
    ['page_size=7 nonce THAT is not above', [4]],
    [' customer-1000\tMAIN Quotes ', [1]],
    ['receiver.example', [5]],
    ['my note', [6]],
    [credentials.apiSecret, []],
    [secret.slice(0, 12), []],
    ['hidden-otp', []],
  ] as const) {
    const found = seqs(await read(partner, `journal?q=${encodeURIComponent(q)}`));
    const places = sandbox.journal.flatMap(({ seq }, index) => (found?.includes(seq) ? [index + 1] : []));
    expect([q, places]).toEqual([q, expected]);
  }
});

describe('one request', () => {
  test('is shown with head and body of both sides', async () => {
    const partner = await inspected();
    const key = randomUUID();
    await partner.post(`${partner.account}/quotes`, bodies.quote, { 'Idempotency-Key': key });
    const { data } = await read(partner, 'journal/1');
    expect(data).toMatchObject({
      seq: 1,
      verdict: 'accepted',
      request: {
        headers: {
          'idempotency-key': key,
          'api-sign': expect.stringMatching(/=$/),
          'content-type': 'application/json',
        },
        body: { text: JSON.stringify(bodies.quote), isCut: false },
      },
      response: { status: 200, headers: { 'content-type': 'application/json' }, sent: 'whole' },
      replays: [],
    });
    expect(JSON.parse(data.response.body.text).data.status).toBe('offered');
  });

  test('is the entry alone without inspect', async () => {
    const partner = await openSandbox();
    await partner.get('/v1/webhooks');
    const { data } = await read(partner, 'journal/1');
    expect(data).toEqual({ ...JSON.parse(JSON.stringify(partner.sandbox.journal[0])), replays: [], effects: [] });
  });

  test.each(['99', '0', 'x', '-1', '1.5'])('%s is not there', async (seq) => {
    const partner = await inspected();
    await partner.get('/v1/webhooks');
    expect((await read(partner, `journal/${seq}`)).status).toBe(404);
  });

  test('shows no secret, no one-time password and no credential of another kind', async () => {
    const partner = await inspected();
    const created = await partner.post(
      '/v1/webhooks',
      { url: 'https://receiver.example/hooks', events: ['quote.executed'] },
      { 'Idempotency-Key': randomUUID(), 'API-Otp': '271828', Authorization: 'Bearer abc' },
    );
    const { apiSecret } = partner.credentials;
    await partner.post('/v1/webhooks', { note: apiSecret });
    const texts = JSON.stringify([(await read(partner, 'journal/1')).data, (await read(partner, 'journal/2')).data]);
    const secret = Object.values(created.body.data as Record<string, string>).find((value) =>
      /^[A-Za-z0-9+/]{40,}=*$/.test(value),
    );
    for (const hidden of ['271828', 'Bearer abc', apiSecret, secret ?? apiSecret]) expect(texts).not.toContain(hidden);
    expect(texts).toContain('***');
  });

  test('keeps 16 kB of a body, and says that it is cut', async () => {
    const partner = await inspected();
    const body = JSON.stringify(bodies.quote).padEnd(20_000, ' ');
    await partner.post(`${partner.account}/quotes`, body, { 'Idempotency-Key': randomUUID() });
    await partner.get('/v1/assets');
    const { data } = await read(partner, 'journal/1');
    expect(data.request.body).toMatchObject({ bytes: 20_000, isCut: true });
    expect(data.request.body.text).toHaveLength(16_384);
  });

  test('shows bytes that are no text as base64, and hostile text as text', async () => {
    const partner = await inspected();
    const bytes = new Uint8Array([0xff, 0xfe, 0x00]);
    await partner.call({ method: 'POST', path: '/v1/webhooks', body: bytes });
    await partner.call({ method: 'POST', path: '/v1/webhooks', body: '"\u0000\u001b[2J</script>\u2028é' });
    expect((await read(partner, 'journal/1')).data.request.body).toEqual({ base64: '//4A', bytes: 3, isCut: false });
    expect((await read(partner, 'journal/2')).data.request.body.text).toBe('"\u0000\u001b[2J</script>\u2028é');
  });

  test('keeps the newest 1,000', async () => {
    const { sandbox } = await inspected();
    for (let index = 0; index < 1_001; index += 1) await sandbox.fetch(new Request('http://sandbox/nowhere'));
    expect([sandbox.requests.get(1)?.request, sandbox.requests.get(2)?.request?.headers]).toEqual([undefined, {}]);
  });

  test('shows what faults made of the answer', async () => {
    const partner = await inspected();
    partner.sandbox.fail({ fault: 'truncate' });
    await partner.get('/v1/webhooks').catch(() => {});
    partner.sandbox.fail({ fault: 'reset' });
    await partner.get('/v1/webhooks').catch(() => {});
    const [cut] = partner.sandbox.requests.list({ verdict: 'fault_after' });
    expect(partner.sandbox.requests.get(cut?.seq ?? 0)?.response?.sent).toBe('half');
    expect(partner.sandbox.requests.list({ verdict: 'fault_before' })).toMatchObject([{ faultId: 'trouble_2' }]);
    expect(partner.sandbox.requests.list().at(-1)).toMatchObject({ status: undefined, fault: 'reset' });
  });

  test('has what it brought about, also later', async () => {
    const partner = await inspected();
    const { sandbox } = partner;
    const { quoteId } = sandbox.fixtures;
    await partner.post(`${partner.account}/quotes/${quoteId}/execute`, undefined, { 'Idempotency-Key': randomUUID() });
    const [{ seq } = { seq: 0 }] = sandbox.requests.list({ operation: 'accounts.quotes.execute' });
    sandbox.advance(2_000);
    const { effects = [] } = sandbox.requests.get(seq) ?? {};
    expect(effects.filter(({ kind }: TimelineEntry) => kind === 'timer')).toMatchObject([{ task: 'quote.finish' }]);
    for (const effect of effects) expect(effect.seq).toBeGreaterThan(seq);
  });
});

describe('replay', () => {
  test('signs the same request anew, and names the earlier one as cause', async () => {
    const partner = await inspected();
    const key = randomUUID();
    const first = await partner.post(`${partner.account}/quotes`, bodies.quote, { 'Idempotency-Key': key });
    const { status, data } = await askControl(partner, 'POST requests/replay', [1]);
    expect(status).toBe(200);
    expect(data).toMatchObject({ cause: 1, verdict: 'replayed', key, operation: 'accounts.quotes.create' });
    expect(JSON.parse(data.response.body.text)).toEqual(first.body);
    expect((await read(partner, 'journal/1')).data.replays).toMatchObject([{ seq: data.seq }]);
    // The partner's own nonces stay valid.
    expect((await partner.get('/v1/webhooks')).status).toBe(200);
  });

  test('takes effect again with a new key', async () => {
    const partner = await inspected();
    const first = await partner.post(`${partner.account}/quotes`, bodies.quote, { 'Idempotency-Key': randomUUID() });
    const { response, verdict } = await partner.sandbox.requests.replay(1, { key: 'new' });
    expect(verdict).toBe('accepted');
    expect(JSON.parse(response?.body.text ?? '').data.id).not.toBe(first.body.data.id);
  });

  test('signs rightly what was signed wrongly', async () => {
    const partner = await inspected();
    await partner.get('/v1/webhooks', { 'API-Sign': 'wrong' });
    await partner.get('/v1/webhooks', { 'API-Key': undefined });
    expect(await partner.sandbox.requests.replay(1)).toMatchObject({ status: 200 });
    expect(await partner.sandbox.requests.replay(2)).toMatchObject({ status: 200 });
  });

  test.each<[unknown[], RegExp]>([
    [[99], /there is no request 99 in the journal/],
    [['1'], /seq must be a whole number/],
    [[1, { key: 'other' }], /key must be one of same, new/],
    [[1, { nonce: 1 }], /options must not have nonce; known are key/],
  ])('refuses %j', async (args, message) => {
    const partner = await inspected();
    await partner.get('/v1/webhooks');
    const { status, error } = await askControl(partner, 'POST requests/replay', args);
    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test('needs inspect, and a body that is kept as a whole', async () => {
    const plain = await openSandbox();
    await plain.get('/v1/webhooks');
    await expect(plain.sandbox.requests.replay(1)).rejects.toThrow(/inspect/);
    const partner = await inspected();
    await partner.post(`${partner.account}/quotes`, JSON.stringify(bodies.quote).padEnd(20_000, ' '));
    await expect(partner.sandbox.requests.replay(1)).rejects.toThrow(/not kept as a whole/);
  });
});

test('clear forgets requests, bodies and timeline, and goes on counting', async () => {
  const partner = await inspected();
  await partner.get('/v1/webhooks');
  expect((await askControl(partner, 'POST requests/clear', [])).status).toBe(200);
  expect(partner.sandbox.journal).toEqual([]);
  await partner.get('/v1/webhooks');
  expect(partner.sandbox.journal.map(({ seq }) => seq)).toEqual([3]);
  expect((await read(partner, 'journal/1')).status).toBe(404);
});
