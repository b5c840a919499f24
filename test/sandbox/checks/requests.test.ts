import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { operations } from '../../../src/resources/operations.js';
import type { SandboxCheck } from '../../../src/sandbox/index.js';
import { FAULT_NAMES } from '../../../src/sandbox/trouble/fault-table.js';
import { directSandbox } from '../support/direct-partner.js';
import { askControl, bodies, openSandbox, PATIENCE, type Partner, requestOf } from '../support/partner.js';

const open = (): Promise<Partner> => openSandbox({ inspect: true });
const checkOf = ({ sandbox }: Partner, id: string): SandboxCheck => {
  const found = sandbox.checks.run().find((check) => check.id === id);
  if (found === undefined) throw new Error(`there is no check ${id}`);
  return found;
};
const statusOf = (partner: Partner, id: string) => checkOf(partner, id).status;
const lastOf = ({ sandbox }: Partner) => sandbox.journal.at(-1)?.seq;
const textsOf = (partner: Partner, id: string) => checkOf(partner, id).evidence.map(({ text }) => text);
const quote = (partner: Partner, key?: string, body: unknown = bodies.quote) =>
  partner.call(requestOf(`POST ${partner.account}/quotes`, body, key === undefined ? {} : { 'Idempotency-Key': key }));

/** The moment of every request, from now to the end of the test: no machine is too slow for it. */
function freezeTheMachinesClock(): void {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  onTestFinished(() => clock.mockRestore());
}

/** Sends a quote whose body comes `ms` after its head. */
async function quoteWithSlowBody(partner: Partner, key: string, ms: number): Promise<void> {
  const path = `${partner.account}/quotes`;
  const { bytes, headers } = partner.signed(requestOf(`POST ${path}`, bodies.quote, { 'Idempotency-Key': key }));
  const request = httpRequest(partner.url + path, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Length': bytes?.length },
  });
  const ended = new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => response.resume().on('end', resolve));
  });
  request.flushHeaders();
  await sleep(ms);
  request.end(bytes);
  await ended;
}

describe('the checks of a new sandbox', () => {
  test('have judged the books alone', async () => {
    const partner = await open();
    const passed = partner.sandbox.checks.run().filter(({ status }) => status === 'passed');
    expect(passed.map(({ id }) => id)).toEqual(['books', 'balances']);
    expect(partner.sandbox.checks.run().filter(({ status }) => status === 'failed')).toEqual([]);
  });

  test('are the same over HTTP, read and called', async () => {
    const partner = await open();
    await partner.get('/v1/webhooks');
    const checks = JSON.parse(JSON.stringify(partner.sandbox.checks.run()));
    expect((await askControl(partner, 'GET checks')).data).toEqual(checks);
    expect((await askControl(partner, 'POST checks/run', [])).data).toEqual(checks);
    expect(Object.keys(checks[0])).toEqual(['id', 'title', 'meaning', 'status', 'found', 'evidence']);
  });

  test('do not count what the sandbox itself has sent', async () => {
    const partner = await open();
    await partner.sandbox.requests.send({ method: 'GET', path: '/nowhere' });
    await partner.sandbox.requests.replay(1);
    expect(statusOf(partner, 'unknown_paths')).toBe('unseen');
    expect(statusOf(partner, 'authentication')).toBe('unseen');
  });
});

describe('keys, nonces and signatures', () => {
  test('401s are told by cause, with the newest request and its likely mistake', async () => {
    const partner = await open();
    await partner.get('/v1/webhooks');
    expect(statusOf(partner, 'authentication')).toBe('passed');
    await partner.get('/v1/webhooks', { 'API-Sign': 'x' });
    const wrong = partner.signed({ method: 'GET', path: '/v1/webhooks' });
    await fetch(`${partner.url}/v1/webhooks?page_size=1`, { headers: wrong.headers });
    await partner.get('/v1/webhooks', { 'API-Key': undefined });
    const { status, evidence } = checkOf(partner, 'authentication');
    expect([status, evidence]).toMatchObject([
      'failed',
      [
        { text: expect.stringMatching(/^missing_header, once: a header of the signature was missing/), seq: 4 },
        { text: expect.stringMatching(/^bad_signature, 2 times: .* Last: .*without its query/), seq: 3 },
      ],
    ]);
  });

  test('a nonce that is used twice is named', async () => {
    const partner = await open();
    await partner.call({ method: 'GET', path: '/v1/webhooks', nonce: 7n });
    expect(statusOf(partner, 'nonces')).toBe('passed');
    await partner.call({ method: 'GET', path: '/v1/webhooks', nonce: 7n });
    expect(checkOf(partner, 'nonces')).toMatchObject({ status: 'failed', found: 1, evidence: [{ seq: 2 }] });
  });

  test('a request that was overtaken, and came again with a new nonce, is no mistake', async () => {
    const partner = await open();
    const read = (nonce: bigint, path = '/v1/webhooks') => partner.call({ method: 'GET', path, nonce });
    await read(9n);
    await read(8n, '/v1/users?page_size=1');
    expect(statusOf(partner, 'nonces')).toBe('failed');
    await read(10n, '/v1/users?page_size=1');
    expect([statusOf(partner, 'nonces'), statusOf(partner, 'authentication')]).toEqual(['passed', 'passed']);
    // The nonce was sent before: no other request overtook this one.
    await read(10n);
    await read(11n);
    expect([statusOf(partner, 'nonces'), statusOf(partner, 'authentication')]).toEqual(['failed', 'failed']);
  });

  test('a key that lacks a scope is named', async () => {
    const partner = await open();
    await partner.get('/v1/webhooks');
    expect(statusOf(partner, 'permissions')).toBe('passed');
    partner.sandbox.keys.setScopes(partner.credentials.apiKey, ['read']);
    await quote(partner, randomUUID());
    expect(textsOf(partner, 'permissions')).toEqual(['accounts.quotes.create: lacks the scope trade.']);
  });
});

describe('idempotency keys', () => {
  test('a write without one is named', async () => {
    const partner = await open();
    await partner.get('/v1/webhooks');
    expect(statusOf(partner, 'write_keys')).toBe('unseen');
    await quote(partner, randomUUID());
    expect(statusOf(partner, 'write_keys')).toBe('passed');
    await quote(partner);
    expect(checkOf(partner, 'write_keys')).toMatchObject({ status: 'failed', evidence: [{ seq: lastOf(partner) }] });
  });

  test.each([
    ['the same key', 'passed', (key: string) => key],
    ['another key', 'failed', () => randomUUID()],
    ['no key', 'failed', () => undefined],
  ] as const)('a write that is sent again with %s has %s', async (_, status, again) => {
    const partner = await open();
    const key = randomUUID();
    partner.sandbox.troubles.add({ does: 500, when: 'after' });
    await quote(partner, key);
    expect(statusOf(partner, 'retry_keys')).toBe('unseen');
    await quote(partner, again(key));
    expect(statusOf(partner, 'retry_keys')).toBe(status);
  });

  test('two writes of equal bodies are two, if the one without an answer came again with its key', async () => {
    const partner = await open();
    const [lost, other] = [randomUUID(), randomUUID()];
    partner.sandbox.troubles.add({ does: 500, when: 'after' });
    await quote(partner, lost);
    await quote(partner, other);
    expect(statusOf(partner, 'retry_keys')).toBe('failed');
    await quote(partner, lost);
    expect(statusOf(partner, 'retry_keys')).toBe('passed');
  });

  test.each(FAULT_NAMES)('a write that is sent again with another key after %s has failed', async (fault) => {
    const partner = directSandbox({ inspect: true });
    onTestFinished(() => partner.sandbox.close());
    partner.sandbox.troubles.add({ does: fault, when: 'after' });
    // Some answers never come whole.
    void quote(partner, randomUUID()).catch(() => {});
    await expect.poll(() => partner.sandbox.journal.length, PATIENCE).toBe(1);
    await quote(partner, randomUUID());
    expect(statusOf(partner, 'retry_keys')).toBe('failed');
  });

  test('a write that is sent again at once has failed, too, if its first body was slow', async () => {
    const partner = await open();
    partner.sandbox.troubles.add({ does: 500, when: 'after' });
    await quoteWithSlowBody(partner, randomUUID(), 300);
    await quote(partner, randomUUID());
    expect(statusOf(partner, 'retry_keys')).toBe('failed');
  });

  test('another wish after a lost answer is no repeat, and neither is one after a good answer', async () => {
    const partner = await open();
    partner.sandbox.troubles.add({ does: 500, when: 'after' });
    await quote(partner, randomUUID());
    await quote(partner, randomUUID(), { ...bodies.quote, from: { ...bodies.quote.from, amount: '1.00' } });
    await quote(partner, randomUUID(), { ...bodies.quote, from: { ...bodies.quote.from, amount: '1.00' } });
    expect(statusOf(partner, 'retry_keys')).toBe('unseen');
  });

  test('one key for two requests is named', async () => {
    const partner = await open();
    const key = randomUUID();
    await quote(partner, key);
    expect(statusOf(partner, 'key_conflicts')).toBe('passed');
    await quote(partner, key, { ...bodies.quote, fee: { bps: 10 } });
    expect(checkOf(partner, 'key_conflicts')).toMatchObject({ status: 'failed', evidence: [{ seq: lastOf(partner) }] });
  });
});

describe('how requests follow each other', () => {
  test('the same GET more than five times a second is polling; different ones are not', async () => {
    const partner = await open();
    for (let page = 1; page <= 7; page += 1) await partner.get(`/v1/webhooks?page_size=${page}`);
    expect(statusOf(partner, 'polling')).toBe('passed');
    freezeTheMachinesClock();
    for (let count = 0; count < 7; count += 1) await partner.get('/v1/webhooks');
    expect(textsOf(partner, 'polling')).toEqual(['webhooks.list: 7 times within a second.']);
  });

  test('a request that comes before the end of Retry-After is named', async () => {
    const partner = await open();
    const ask = () => partner.get('/v1/webhooks');
    partner.sandbox.troubles.add({ does: { fault: 503, retryAfterSeconds: 30 } });
    await ask();
    expect(statusOf(partner, 'retry_after')).toBe('passed');
    partner.sandbox.advance(30_000);
    await ask();
    expect(statusOf(partner, 'retry_after')).toBe('passed');
    partner.sandbox.troubles.add({ does: { fault: 429, retryAfterSeconds: 30 } });
    await ask();
    await ask();
    expect(textsOf(partner, 'retry_after')).toEqual([
      expect.stringMatching(/^webhooks\.list came again \d+ ms after a 429 that asked for 30 s\.$/),
    ]);
  });

  test('nothing was to be waited for without a 429 or 503 that says so', async () => {
    const partner = await open();
    await partner.get('/v1/webhooks');
    partner.sandbox.troubles.add({ does: 503 });
    await partner.get('/v1/webhooks');
    expect(statusOf(partner, 'retry_after')).toBe('unseen');
  });

  test('members and parameters that the API does not know are named', async () => {
    const partner = await open();
    await partner.get('/v1/webhooks');
    expect(statusOf(partner, 'unknown_members')).toBe('passed');
    await quote(partner, randomUUID(), { ...bodies.quote, fees: 1 });
    await partner.get('/v1/webhooks?pagesize=1');
    expect(textsOf(partner, 'unknown_members')).toEqual(['webhooks.list: pagesize.', 'accounts.quotes.create: fees.']);
  });

  test('paths that the API does not have are named, without their query', async () => {
    const partner = await open();
    await partner.get('/v1/webhooks');
    expect(statusOf(partner, 'unknown_paths')).toBe('passed');
    await partner.get('/v1/webhook?x=secret');
    expect(textsOf(partner, 'unknown_paths')).toEqual(['GET /v1/webhook is not there.']);
  });

  test('operations that have not succeeded are listed', async () => {
    const partner = await open();
    await partner.get('/v1/webhooks');
    await partner.get('/v1/assets?page_size=none');
    const { status, found } = checkOf(partner, 'operations');
    expect([status, found]).toEqual(['unseen', operations.length - 1]);
    expect(textsOf(partner, 'operations')).toContain('assets.list (List assets)');
    expect(textsOf(partner, 'operations').join()).not.toContain('webhooks.list');
  });
});

/** What each failed check says after its rule was broken once, and twice. Each round has two 401s. */
const FAILURES: Readonly<Record<string, readonly [once: string, twice: string]>> = {
  authentication: ['2 requests were rejected with 401', '4 requests were rejected with 401'],
  nonces: ['1 nonce was not above the last one', '2 nonces were not above the last one'],
  permissions: [
    '1 request needed a scope that its API key lacks',
    '2 requests needed a scope that their API key lacks',
  ],
  write_keys: ['1 write had no idempotency key', '2 writes had no idempotency key'],
  retry_keys: [
    '1 write was sent again without its idempotency key',
    '2 writes were sent again without their idempotency keys',
  ],
  key_conflicts: [
    '1 request had the idempotency key of another one',
    '2 requests had the idempotency key of another one',
  ],
  unknown_members: ['1 unknown member or kind of event was used', '2 unknown members or kinds of events were used'],
  polling: ['1 GET was sent more than five times a second', '2 GETs were sent more than five times a second'],
  retry_after: ['1 Retry-After header was not waited for', '2 Retry-After headers were not waited for'],
  unknown_paths: ['1 request had an unknown path or method', '2 requests had an unknown path or method'],
  webhook_answers: ['1 webhook did not get a 2xx response', '2 webhooks did not get a 2xx response'],
  webhook_signatures: [
    '1 webhook with a wrong signature was accepted',
    '2 webhooks with a wrong signature were accepted',
  ],
  unused_troubles: ['1 trouble was not applied', '2 troubles were not applied'],
  executed_quotes: ['1 executed quote was not delivered', '2 executed quotes were not delivered'],
};

describe('a failed check says how many of what went wrong', () => {
  test('of each rule, once and twice', async () => {
    const partner = await open();
    const { sandbox, account, credentials } = partner;
    freezeTheMachinesClock();
    sandbox.webhooks.register({ url: sandbox.inbox.url('own'), events: ['quote.executed', 'wallet.whitelisted'] });
    for (const round of [0, 1]) {
      await partner.get('/v1/webhooks', { 'API-Sign': 'wrong' });
      sandbox.keys.setScopes(credentials.apiKey, ['read']);
      await quote(partner, randomUUID());
      sandbox.keys.setScopes(credentials.apiKey, ['read', 'trade']);
      await quote(partner);
      sandbox.troubles.add({ does: 500, when: 'after' });
      await quote(partner, randomUUID());
      const key = randomUUID();
      const { id } = (await quote(partner, key)).body.data;
      await quote(partner, key, { ...bodies.quote, fee: { bps: 10 } });
      await quote(partner, randomUUID(), { ...bodies.quote, fees: 1 });
      for (let count = 0; count < 6; count += 1) await partner.get(`/v1/webhooks?page_size=${round + 1}`);
      sandbox.troubles.add({ does: { fault: 429, retryAfterSeconds: 30 } });
      for (let count = 0; count < 2; count += 1) await partner.get(`/v1/webhooks?page_size=${round + 3}`);
      await partner.get('/v1/webhook');
      await partner.call({ method: 'GET', path: '/v1/webhooks', nonce: 1n });
      sandbox.troubles.add({ does: { delivery: { signature: 'wrong' } } });
      await sandbox.webhooks.trigger('wallet.whitelisted');
      await sandbox.webhooks.idle();
      sandbox.inbox.answer({ status: 500 });
      await partner.post(`${account}/quotes/${id}/execute`, undefined, { 'Idempotency-Key': randomUUID() });
      await sandbox.clock.advance(8 * 3_600_000, { deliver: true });
      sandbox.inbox.answer({ status: 200 });
      sandbox.troubles.add({ does: 503, match: { operation: 'users.get' } });
      const told = sandbox.checks.run().flatMap(({ id, failure }) => (failure === undefined ? [] : [[id, failure]]));
      const expected = Object.entries(FAILURES).map(([id, sentences]) => [id, sentences[round]]);
      expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
    }
  });

  test('and counts requests, not the causes that they are grouped by', async () => {
    const partner = await open();
    for (const [cause, header] of ['API-Sign', 'API-Key', 'API-Nonce'].entries()) {
      for (let count = 0; count < 3 + cause; count += 1) await partner.get('/v1/webhooks', { [header]: 'wrong' });
    }
    const { failure, found, evidence } = checkOf(partner, 'authentication');
    expect([failure, found]).toEqual(['12 requests were rejected with 401', 12]);
    expect(evidence.map(({ count }) => count)).toEqual([5, 4, 3]);
  });
});

test('evidence is the newest hundred, and has no secret', async () => {
  const partner = await open();
  const { apiSecret } = partner.credentials;
  for (let count = 0; count < 105; count += 1) await partner.get(`/v1/wrong/${count}`);
  await partner.get('/v1/webhooks', { 'API-Key': apiSecret });
  const { found, evidence } = checkOf(partner, 'unknown_paths');
  expect([found, evidence.length, evidence[0]?.text]).toEqual([105, 100, 'GET /v1/wrong/104 is not there.']);
  expect(JSON.stringify(partner.sandbox.checks.run())).not.toContain(apiSecret);
});
