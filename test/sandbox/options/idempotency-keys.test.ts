import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PartnerClient, type RequestOptions } from '../../../src/index.js';
import { createSandbox, type IdempotencyScope, type SandboxOptions } from '../../../src/sandbox/index.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies, openSandbox, type Partner } from '../support/partner.js';

const quoting = (partner: Partner, key: string, body: unknown = bodies.quote) =>
  partner.post(`${partner.account}/quotes`, body, { 'Idempotency-Key': key });

/** Two API keys of one sandbox. */
function twoApiKeys(options?: SandboxOptions): [first: Partner, second: Partner] {
  const first = directSandbox(options);
  return [first, new DirectPartner(first.sandbox, first.url, first.sandbox.keys.issue())];
}

const other = { ...bodies.quote, from: { ...bodies.quote.from, amount: '7.00' } };

describe("with idempotencyKeys: 'apiKey'", () => {
  const options = { idempotencyKeys: 'apiKey' } as const;

  test('the idempotency key of another API key is a new write, and each API key has its own answer replayed', async () => {
    const [first, second] = twoApiKeys(options);
    const key = randomUUID();
    const ids = [];
    for (const partner of [first, second, first, second]) {
      const { status, body } = await quoting(partner, key.toUpperCase());
      expect(status).toBe(200);
      ids.push(body.data.id);
    }
    expect(ids[1]).not.toBe(ids[0]);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  });

  test('another request under a key of the same API key is a 409; under one of another API key it is not', async () => {
    const [first, second] = twoApiKeys(options);
    const key = randomUUID();
    await quoting(first, key);
    expect((await quoting(second, key, other)).status).toBe(200);
    expect((await quoting(first, key, other)).status).toBe(409);
    expect(first.sandbox.journal.at(-1)?.conflict).toMatchObject({ differs: ['body.from.amount'] });
  });

  test('a key is listed once, with its first request, and forgotten for all API keys', async () => {
    const [first, second] = twoApiKeys(options);
    const { idempotency, journal } = first.sandbox;
    const [key, another] = [randomUUID(), randomUUID()];
    for (const partner of [first, second]) await quoting(partner, key);
    await quoting(second, another);
    expect(idempotency.list()).toMatchObject([{ key, first: journal[0]?.seq }, { key: another }]);
    idempotency.remove(key);
    expect(idempotency.list()).toMatchObject([{ key: another }]);
    for (const partner of [first, second]) {
      expect((await quoting(partner, key)).headers.get('idempotent-replayed')).toBeNull();
    }
  });

  test('a snapshot keeps the idempotency keys of each API key', async () => {
    const [first] = twoApiKeys(options);
    const key = randomUUID();
    await quoting(first, key);
    const snapshot = JSON.parse(JSON.stringify(first.sandbox.snapshot()));
    const copy = new DirectPartner(createSandbox({ ...options, snapshot }), first.url, first.credentials);
    // The snapshot has the nonce of the first partner.
    copy.nextNonce();
    expect((await quoting(copy, key)).headers.get('idempotent-replayed')).toBe('true');
    const issued = new DirectPartner(copy.sandbox, first.url, copy.sandbox.keys.issue());
    expect((await quoting(issued, key)).headers.get('idempotent-replayed')).toBeNull();
  });
});

test.each<[string, SandboxOptions]>([
  ['by default', {}],
  ["with idempotencyKeys: 'partner'", { idempotencyKeys: 'partner' }],
])('%s all API keys share the idempotency keys', async (_, options) => {
  const [first, second] = twoApiKeys(options);
  const key = randomUUID();
  const { body } = await quoting(first, key);
  const again = await quoting(second, key);
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([body, 'true']);
});

test('another value is refused', () => {
  const idempotencyKeys = 'user' as IdempotencyScope;
  expect(() => createSandbox({ idempotencyKeys })).toThrow(
    'createSandbox: idempotencyKeys must be one of partner, apiKey',
  );
});

describe('a write that took effect without an answer, where each API key has its own idempotency keys', () => {
  const CALLS = 40;

  /** Makes parallel writes, settles each with the client that `settling` chooses, and returns how many took effect twice. */
  async function doubled(settling: (clients: { both: PartnerClient; last: PartnerClient }) => PartnerClient) {
    const { sandbox, url } = await openSandbox({ idempotencyKeys: 'apiKey' });
    const credentials = [sandbox.credentials, sandbox.keys.issue()];
    const both = new PartnerClient({ baseUrl: url, credentials });
    const last = new PartnerClient({ baseUrl: url, credentials: credentials.slice(1) });
    sandbox.fail({ fault: 'reset', when: 'after', times: CALLS });
    const before = sandbox.wallets.list().length;
    const write = async () => {
      const whitelist = (client: PartnerClient, options: RequestOptions) =>
        client.accounts.wallets.whitelist(sandbox.fixtures.accountId, bodies.wallet, { otp: '1', ...options });
      const settler = settling({ both, last });
      await whitelist(both, { maxRetries: 0 }).catch((error: unknown) =>
        settler.settle(error, (again) => whitelist(settler, again)),
      );
    };
    await Promise.all(Array.from({ length: CALLS }, write));
    await Promise.all([both.close(), last.close()]);
    return sandbox.wallets.list().length - before - CALLS;
  }

  test('is not doubled by settle() of a client with both API keys', async () => {
    expect(await doubled(({ both }) => both)).toBe(0);
  });

  test('is doubled by a client that retries it with the other API key, so the sandbox shows the mistake', async () => {
    expect(await doubled(({ last }) => last)).toBeGreaterThan(0);
  });
});
