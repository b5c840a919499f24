import { beforeEach, describe, expect, test } from 'vitest';
import { balancesOf } from '../support/balances.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies } from '../support/partner.js';

let partner: DirectPartner;
beforeEach(() => {
  partner = directSandbox();
});

const path = () => `${partner.account}/onchain-quotes`;
const create = async () => (await partner.post(path(), bodies.onchainQuote)).body.data;
const read = async (id: string) => (await partner.get(`${path()}/${id}`)).body.data;
const statusOf = async (id: string) => (await read(id)).status;

describe('an on-chain quote', () => {
  test('is kept as it was offered, until it expires', async () => {
    const offered = await create();
    expect(offered.status).toBe('offered');
    partner.sandbox.advance(29_999);
    expect(await read(offered.id)).toEqual(offered);
    partner.sandbox.advance(1);
    expect(await statusOf(offered.id)).toBe('expired');
    expect((await partner.get(path())).body.data[0]).toEqual({ ...offered, status: 'expired' });
  });

  test('is executed after it was submitted, which moves no balance', async () => {
    const before = await balancesOf(partner, partner.sandbox.fixtures.accountId);
    const { id } = await create();
    partner.sandbox.onchainQuotes.submit(id);
    partner.sandbox.advance(14_999);
    expect(await statusOf(id)).toBe('executing');
    partner.sandbox.advance(1);
    expect(await statusOf(id)).toBe('executed');
    partner.sandbox.advance(60_000);
    expect(await statusOf(id)).toBe('executed');
    expect(await balancesOf(partner, partner.sandbox.fixtures.accountId)).toEqual(before);
  });

  test('is pending first, without execution details, for as long as it is told', async () => {
    partner.sandbox.onchainQuotes.setPendingTime(5_000);
    const pending = await create();
    expect(pending).toMatchObject({ status: 'pending' });
    expect(pending).not.toHaveProperty('execution_details');
    partner.sandbox.advance(4_999);
    expect(await read(pending.id)).toEqual(pending);
    partner.sandbox.advance(1);
    const offered = await read(pending.id);
    expect(offered).toEqual({ ...pending, status: 'offered', execution_details: expect.any(Object) });
    partner.sandbox.advance(30_000);
    expect(await statusOf(pending.id)).toBe('expired');
  });

  test.each(['pending', 'offered', 'executing'])('fails after it was told to while %s', async (status) => {
    partner.sandbox.onchainQuotes.setPendingTime(status === 'pending' ? 5_000 : 0);
    const { id } = await create();
    if (status === 'executing') partner.sandbox.onchainQuotes.submit(id);
    expect(await statusOf(id)).toBe(status);
    partner.sandbox.onchainQuotes.fail(id);
    expect(await statusOf(id)).toBe(status);
    if (status === 'offered') partner.sandbox.onchainQuotes.submit(id);
    partner.sandbox.advance(15_000);
    expect(await statusOf(id)).toBe('failed');
    expect(() => partner.sandbox.onchainQuotes.fail(id)).toThrow('is failed');
  });

  test('of no account, of another account, and one that has expired cannot be submitted', async () => {
    const { id } = await create();
    expect(() => partner.sandbox.onchainQuotes.submit('none')).toThrow('there is no on-chain quote none');
    partner.sandbox.advance(30_000);
    expect(() => partner.sandbox.onchainQuotes.submit(id)).toThrow('is expired');
    expect(() => partner.sandbox.onchainQuotes.setPendingTime(-1)).toThrow(TypeError);
    const other = `/v1/accounts/${partner.sandbox.fixtures.secondaryAccountId}/onchain-quotes`;
    expect((await partner.get(`${other}/${id}`)).status).toBe(404);
    expect((await partner.get(other)).body.data).toEqual([]);
  });

  test('tells its end by a webhook', async () => {
    const types: string[] = [];
    partner = directSandbox({
      deliver: async (request) => {
        types.push(((await request.json()) as { type: string }).type);
        return new Response();
      },
    });
    partner.sandbox.webhooks.register({ url: 'https://partner.example/' });
    const [first, second] = [await create(), await create()];
    partner.sandbox.onchainQuotes.fail(second.id);
    for (const { id } of [first, second]) partner.sandbox.onchainQuotes.submit(id);
    partner.sandbox.advance(15_000);
    await partner.sandbox.webhooks.idle();
    expect(types.sort()).toEqual(['swap.completed', 'swap.failed']);
  });
});
