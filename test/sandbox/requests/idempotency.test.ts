import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/resources/operations.js';
import { askSandbox } from '../../../tools/examples/examples.js';
import { directSandbox } from '../support/direct-partner.js';
import { bodies, type TestRequest } from '../support/partner.js';

const partner = directSandbox({ inspect: true });
const { sandbox } = partner;
const examples = await askSandbox(sandbox);
const written = sandbox.journal.filter(({ key }) => key !== undefined);
const keyed = operations.filter(({ retrySafety }) => retrySafety === 'keyed').map(({ name }) => name);

test('every write that takes a key has an example', () => {
  expect(written.map(({ operation }) => operation).sort()).toEqual(keyed.sort());
});

describe.each(written)('$operation', ({ operation = '', method, path, key, seq }) => {
  const { request, response } = sandbox.requests.get(seq) ?? {};
  const again = (used: string | undefined): TestRequest => ({
    method,
    path,
    headers: { 'API-Otp': '1', 'Idempotency-Key': used },
    body: request?.body?.text || undefined,
  });

  test('is answered alike when it is repeated with its key, in either case, and marked as replayed', async () => {
    for (const used of [key, key?.toUpperCase()]) {
      const answer = await partner.call(again(used));
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(answer.body).toEqual(examples.get(operation)?.answer);
      expect(sandbox.journal.at(-1)?.verdict).toBe('replayed');
    }
    expect(response?.headers).not.toHaveProperty('idempotent-replayed');
  });

  test.each(['', 'abc', '0f0e0d0c0b0a49080706050403020100', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'])(
    'refuses the key "%s"',
    async (wrong) => {
      const answer = await partner.call(again(wrong));
      expect([answer.status, answer.body.error.causes]).toMatchObject([400, [{ field: 'Idempotency-Key' }]]);
    },
  );
});

test('an operation that takes no key ignores one, even a malformed one', async () => {
  const create = () =>
    partner.post(`${partner.account}/onchain-quotes`, bodies.onchainQuote, { 'Idempotency-Key': 'x' });
  const [first, second] = [await create(), await create()];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body.data.id).not.toBe(first.body.data.id);
});
