import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bodies, Partner, requestOf, sharedSandbox, type TestRequest, whitelisting } from '../support/partner.js';

const partner = await sharedSandbox();

const quotes = `${partner.account}/quotes`;
const addresses = `${partner.account}/funds/withdrawals/addresses`;
const keyed = (key: string) => ({ 'Idempotency-Key': key });

/** A write of every operation that takes a key, each with a fresh effect. */
const keyedWrites: [string, () => TestRequest | Promise<TestRequest>][] = [
  ['Create quote', () => requestOf(`POST ${quotes}`, bodies.quote)],
  ['Execute quote', async () => requestOf(`POST ${quotes}/${await newQuote()}/execute`)],
  ['Whitelist wallet', () => whitelisting(partner)],
  ['Save withdrawal address', () => saving(randomUUID())],
  [
    'Update withdrawal address',
    async () => {
      const key = randomUUID();
      await partner.call(saving(key));
      return requestOf(`PATCH ${addresses}/${key}`, { new_key: `${key} renamed` });
    },
  ],
];

const saving = (name: string, headers = {}): TestRequest =>
  requestOf(`POST ${addresses}`, bodies.address(partner.sandbox.fixtures.methodId, name), headers);

const newQuote = async (): Promise<string> => (await partner.post(quotes, bodies.quote)).body.data.id;

describe.each(keyedWrites)('%s', (_, make) => {
  test('is answered alike when it is repeated with its key, and marked as replayed', async () => {
    const request = await make();
    const headers = { ...request.headers, ...keyed(randomUUID()) };
    const first = await partner.call({ ...request, headers });
    const second = await partner.call({ ...request, headers });
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(partner.sandbox.journal.slice(-2).map(({ verdict }) => verdict)).toEqual(['accepted', 'replayed']);
  });

  test.each(['', 'abc', randomUUID().replaceAll('-', ''), '6ba7b810-9dad-11d1-80b4-00c04fd430c8'])(
    'refuses the key "%s"',
    async (key) => {
      const request = await make();
      const answer = await partner.call({ ...request, headers: { ...request.headers, ...keyed(key) } });
      expect(answer.status).toBe(400);
      expect(answer.body.error.causes).toMatchObject([{ field: 'Idempotency-Key' }]);
    },
  );
});

test('a repeated key has no second effect, another key has', async () => {
  const whitelist = (key: string) => partner.call(whitelisting(partner, keyed(key)));
  const before = partner.sandbox.wallets.list().length;
  const [first, second] = [randomUUID(), randomUUID()];
  await whitelist(first);
  await whitelist(first.toUpperCase());
  expect(partner.sandbox.wallets.list()).toHaveLength(before + 1);
  await whitelist(second);
  expect(partner.sandbox.wallets.list()).toHaveLength(before + 2);
});

test('a refusal by the state of things is final: it is replayed even when it would no longer be refused', async () => {
  const execute = `${quotes}/${await newQuote()}/execute`;
  const key = keyed(randomUUID());
  partner.sandbox.advance(31_000);
  expect((await partner.post(execute, undefined, key)).status).toBe(410);
  const replay = await partner.post(execute, undefined, key);
  expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([410, 'true']);
});

test('keys are the partner’s: another of its API keys gets the same answer, and a conflict for another request', async () => {
  const other = new Partner(partner.sandbox, partner.url, partner.sandbox.keys.issue());
  const key = keyed(randomUUID());
  const first = await partner.post(quotes, bodies.quote, key);
  const second = await other.post(quotes, bodies.quote, key);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
  const wrong = await other.post(quotes, { ...bodies.quote, from: { ...bodies.quote.from, amount: '101.00' } }, key);
  expect(wrong.status).toBe(409);
});

test('an operation that takes no key ignores one, even a malformed one', async () => {
  const path = `${partner.account}/onchain-quotes`;
  const first = await partner.post(path, bodies.onchainQuote, keyed('whatever'));
  const second = await partner.post(path, bodies.onchainQuote, keyed('whatever'));
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body.data.id).not.toBe(first.body.data.id);
});
