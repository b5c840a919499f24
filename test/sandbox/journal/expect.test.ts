import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { askControl, bodies, openSandbox, PATIENCE, type Partner } from '../support/partner.js';

const ask = (partner: Partner, verb: 'expect' | 'waitFor', args: unknown) =>
  askControl(partner, `POST requests/${verb}`, args);

const quoteWith = (partner: Partner, key: string) =>
  partner.post(`${partner.account}/quotes`, bodies.quote, { 'Idempotency-Key': key });

describe('expect', () => {
  test('gives the requests that match, if these are as many as expected', async () => {
    const partner = await openSandbox();
    const key = randomUUID();
    await quoteWith(partner, key);
    await partner.get('/v1/webhooks');
    const matcher = { operation: 'accounts.quotes.create', key: key.toUpperCase(), status: 200, verdict: 'accepted' };
    const { status, data } = await ask(partner, 'expect', [matcher]);
    expect([status, data]).toEqual([200, [JSON.parse(JSON.stringify(partner.sandbox.journal[0]))]]);
    expect(await partner.sandbox.requests.expect(matcher, { times: 1 })).toEqual([partner.sandbox.journal[0]]);
  });

  test('says how many matched, and how the nearest others differ', async () => {
    const partner = await openSandbox();
    const key = randomUUID();
    await quoteWith(partner, key);
    const { status, error } = await ask(partner, 'expect', [
      { operation: 'accounts.quotes.create', key: randomUUID(), status: 200 },
    ]);
    expect(status).toBe(400);
    expect(error?.message).toMatch(
      /^requests\.expect: 0 requests matched, not 1; nearest: 1 \(accounts\.quotes\.create, 200 accepted\): /,
    );
    expect(error?.message).toContain(`key is "${key}", not "`);
    expect(error?.message).not.toContain('status is');
  });

  test('fails when too many matched, and names them', async () => {
    const partner = await openSandbox();
    for (let index = 0; index < 2; index += 1) await partner.get('/v1/webhooks');
    await expect(partner.sandbox.requests.expect({ operation: 'webhooks.list' })).rejects.toThrow(
      /^requests\.expect: 2 requests matched \(1, 2\), not 1/,
    );
    await expect(partner.sandbox.requests.expect({ operation: 'webhooks.list' }, { times: 2 })).resolves.toHaveLength(
      2,
    );
    await expect(partner.sandbox.requests.expect({ operation: 'webhooks.list' }, { after: 1 })).resolves.toHaveLength(
      1,
    );
  });

  test('can expect that none comes, for a time', async () => {
    const partner = await openSandbox();
    await expect(partner.sandbox.requests.expect({ status: 500 }, { times: 0, withinMs: 10 })).resolves.toEqual([]);
    const none = partner.sandbox.requests.expect({ operation: 'webhooks.list' }, { times: 0, withinMs: 60_000 });
    const refused = expect(none).rejects.toThrow(/^requests\.expect: 1 request matched \(1\), not 0/);
    await partner.get('/v1/webhooks');
    await refused;
  });

  test('waits for those that may still come', async () => {
    const partner = await openSandbox();
    const expected = partner.sandbox.requests.expect({ operation: 'webhooks.list' }, { withinMs: 300 });
    await partner.get('/v1/webhooks');
    expect(await expected).toHaveLength(1);
  });

  test.each<[string, unknown[], RegExp]>([
    ['an unknown member', [{ operations: 'x' }], /^requests\.expect: matcher must not have operations: did you mean /],
    ['an unknown operation', [{ operation: 'quotes' }], /^requests\.expect: there is no operation "quotes"/],
    ['a wrong status', [{ status: '200' }], /^requests\.expect: status must be a whole number from 100 to 599/],
    ['an unknown option', [{}, { timeoutMs: 5 }], /^requests\.expect: options must not have timeoutMs/],
    ['a body that is not kept', [{ body: { from: {} } }], /^requests\.expect: body needs .*inspect/],
    ['no matcher', [null], /^requests\.expect: matcher must be an object, not null/],
  ])('refuses %s', async (_, args, message) => {
    const { status, error } = await ask(await openSandbox(), 'expect', args);
    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test('looks into bodies of requests', async () => {
    const partner = await openSandbox({ inspect: true });
    await quoteWith(partner, randomUUID());
    const { sandbox } = partner;
    await expect(
      sandbox.requests.expect({ body: { from: { symbol: 'USD', amount: '100.00' } } }),
    ).resolves.toHaveLength(1);
    await expect(sandbox.requests.expect({ body: { from: { amount: '100' }, to: { name: 'x' } } })).rejects.toThrow(
      /body\.from\.amount is "100\.00", not "100", body\.to\.name is absent, not "x"/,
    );
  });

  test('is not misled by a member of every object, or by a body that is no JSON', async () => {
    const { sandbox, ...partner } = await openSandbox({ inspect: true });
    expect(partner).toBeDefined();
    await sandbox.fetch(new Request('http://sandbox/v1/webhooks', { method: 'POST', body: '{"__proto__": 1}' }));
    await sandbox.fetch(new Request('http://sandbox/v1/webhooks', { method: 'POST', body: Buffer.from([0xff, 0x00]) }));
    await expect(sandbox.requests.expect({ body: { toString: 'x' } }, { times: 0 })).resolves.toEqual([]);
    await expect(sandbox.requests.expect({ body: { name: 1 } })).rejects.toThrow(/body.name is absent, not 1/);
  });
});

describe('waitFor', () => {
  test('resolves as soon as enough have matched, also over HTTP', async () => {
    const partner = await openSandbox();
    const waiting = ask(partner, 'waitFor', [{ operation: 'webhooks.list' }, { times: 2 }]);
    await partner.get('/v1/webhooks');
    await partner.get('/v1/webhooks?page_size=1');
    const { status, data } = await waiting;
    expect([status, data.map(({ seq }: { seq: number }) => seq)]).toEqual([200, [1, 2]]);
  });

  test('counts those that came before', async () => {
    const partner = await openSandbox();
    await partner.get('/v1/webhooks');
    expect(await partner.sandbox.requests.waitFor({ operation: 'webhooks.list' }, { timeoutMs: 0 })).toHaveLength(1);
  });

  test('fails after its time, as expect does', async () => {
    const partner = await openSandbox();
    await partner.get('/nowhere');
    const { status, error } = await ask(partner, 'waitFor', [{ operation: 'webhooks.list' }, { timeoutMs: 20 }]);
    expect(status).toBe(400);
    expect(error?.message).toMatch(/^requests\.waitFor: 0 requests matched, not 1; nearest: 1 \(GET \/nowhere, 404 /);
  });

  test('ends when the sandbox closes', async () => {
    const { sandbox } = await openSandbox();
    const ended = expect(sandbox.requests.waitFor({ status: 200 })).rejects.toThrow(/the sandbox was closed/);
    await sandbox.close();
    await ended;
    await expect(sandbox.requests.waitFor({ status: 200 })).rejects.toThrow(/the sandbox was closed/);
  });

  test('ends when the caller goes away', async () => {
    const { url } = await openSandbox();
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const sent = request(`${url}/_sandbox/requests/waitFor`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    }).on('error', () => {});
    sent.end('[{"status": 599}, {"timeoutMs": 600000}]');
    await expect.poll(timers, PATIENCE).toBeGreaterThan(before);
    sent.destroy();
    await expect.poll(timers, PATIENCE).toBeLessThanOrEqual(before);
  });
});
