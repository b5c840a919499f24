import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { directSandbox } from '../support/direct-partner.js';
import { askControl, bodies, openSandbox, type Partner } from '../support/partner.js';

const quoting = (partner: Partner, key: string, body: unknown = bodies.quote) =>
  partner.post(`${partner.account}/quotes`, body, { 'Idempotency-Key': key });

describe('the list of idempotency keys', () => {
  test('tells request, answer, age, end and the entry of the first request', async () => {
    const partner = directSandbox();
    const { sandbox } = partner;
    const key = randomUUID();
    const at = sandbox.clock.now();
    await quoting(partner, key.toUpperCase());
    const first = sandbox.journal.at(-1)?.seq;
    sandbox.advance(5_000);
    expect(sandbox.idempotency.list()).toEqual([
      {
        key,
        status: 200,
        age: 5_000,
        expiresAt: at + 24 * 3_600_000,
        first,
        request: {
          operation: 'accounts.quotes.create',
          account: sandbox.fixtures.accountId,
          method: 'POST',
          at,
          path: `${partner.account}/quotes`,
        },
      },
    ]);
    sandbox.advance(24 * 3_600_000);
    expect(sandbox.idempotency.list()).toEqual([]);
  });

  test('has pages and filters, over HTTP, too', async () => {
    const partner = await openSandbox();
    const keys = Array.from({ length: 5 }, () => randomUUID());
    for (const key of keys) await quoting(partner, key);
    const read = async (query: string) => {
      const { data } = await askControl(partner, `GET idempotency${query}`);
      return data.map(({ key }: { key: string }) => key);
    };
    expect(await read('')).toEqual(keys);
    expect(await read('?limit=2')).toEqual(keys.slice(0, 2));
    expect(await read(`?limit=2&after=${keys[1]}`)).toEqual(keys.slice(2, 4));
    expect(await read(`?after=${keys[3]?.toUpperCase()}`)).toEqual([keys[4]]);
    expect((await askControl(partner, `GET idempotency/${keys[3]}`)).data).toMatchObject({ key: keys[3], status: 200 });
    expect((await askControl(partner, `GET idempotency/${randomUUID()}`)).status).toBe(404);
    for (const query of ['?limit=0', '?limit=x', '?page=1', `?after=${randomUUID()}`]) {
      expect((await askControl(partner, `GET idempotency${query}`)).status).toBe(400);
    }
  });

  test('is in snapshots, where the first request has no entry any more', async () => {
    const partner = directSandbox();
    await quoting(partner, randomUUID());
    const [known] = partner.sandbox.idempotency.list();
    expect(partner.restarted().sandbox.idempotency.list()).toEqual([{ ...known, first: undefined }]);
  });

  test('forgets a key: the next request under it has an effect of its own', async () => {
    const partner = await openSandbox();
    const [kept, key] = [randomUUID(), randomUUID()];
    await quoting(partner, kept);
    const { body } = await quoting(partner, key);
    expect(await askControl(partner, `DELETE idempotency/${key.toUpperCase()}`)).toEqual({ status: 200, data: null });
    const again = await quoting(partner, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(again.body.data.id).not.toBe(body.data.id);
    expect((await quoting(partner, kept)).headers.get('idempotent-replayed')).toBe('true');
    expect((await askControl(partner, `DELETE idempotency/${randomUUID()}`)).status).toBe(404);
    expect(() => partner.sandbox.idempotency.remove('x')).toThrow(new Error('idempotency.remove: there is no key x'));
  });
});

describe('a key that is used for another request', () => {
  const conflictOf = (partner: Partner) => partner.sandbox.journal.at(-1)?.conflict;

  test.each<[string, unknown, string[]]>([
    ['another amount', { ...bodies.quote, from: { ...bodies.quote.from, amount: '7.00' } }, ['body.from.amount']],
    ['a further member', { ...bodies.quote, fee: { bps: 5 } }, ['body.fee']],
    ['a missing one', { from: bodies.quote.from, to: { symbol: 'BTC' } }, ['body.to.type']],
    ['another form of the same members', JSON.stringify(bodies.quote, undefined, 2), ['body']],
  ])('says what differs: %s', async (_, body, differs) => {
    const partner = directSandbox();
    const key = randomUUID();
    await quoting(partner, key);
    const first = partner.sandbox.journal.at(-1)?.seq;
    const { status, body: answer } = await quoting(partner, key, body);
    if (status === 400) return; // The rules come before the key.
    expect([status, conflictOf(partner)]).toEqual([409, { first, differs }]);
    expect(partner.sandbox.journal.at(-1)?.likely).toBe(
      `another request had the key: it differs in ${differs.join(', ')}`,
    );
    expect(answer.error.causes[0].message).toBe('was used for another request');
  });

  test('says that the path differs, also after a snapshot, which has no bodies', async () => {
    const partner = directSandbox();
    const key = randomUUID();
    await quoting(partner, key);
    const moved = partner.restarted({ explain: true });
    const other = `/v1/accounts/${partner.sandbox.fixtures.secondaryAccountId}/quotes`;
    const { body } = await moved.post(other, bodies.quote, { 'Idempotency-Key': key });
    expect(conflictOf(moved)).toEqual({ first: undefined, differs: ['path'] });
    expect(body.error.causes[0].message).toBe('was used for another request, which differs in path');
    await quoting(moved, key, { ...bodies.quote, fee: { bps: 1 } });
    expect(conflictOf(moved)).toEqual({ first: undefined, differs: ['body'] });
  });
});
