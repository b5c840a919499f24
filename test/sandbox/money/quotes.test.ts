import { beforeEach, describe, expect, test } from 'vitest';
import { QUOTE_TTL_MS } from '../../../src/sandbox/kinds/quotes.js';
import { type Balance, balancesOf, everything, of, units } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';

const USD = 'fiat:USD';
const BTC = 'crypto:BTC';

const partner = directSandbox();
const { accountId } = partner.sandbox.fixtures;
beforeEach(() => partner.sandbox.reset());

const balances = () => balancesOf(partner, accountId);
const usdFor = (amount: string) => ({
  from: { symbol: 'USD', type: 'fiat', amount },
  to: { symbol: 'BTC', type: 'crypto' },
});
const path = (id: string) => `${partner.account}/quotes/${id}`;
async function offered(body: object): Promise<{ id: string; from: { amount: string }; to: { amount: string } }> {
  const answer = await partner.post(`${partner.account}/quotes`, body);
  expect(answer.status).toBe(200);
  return answer.body.data;
}
const execute = async (id: string) => (await partner.post(`${path(id)}/execute`)).body.data.status;
const statusOf = async (id: string) => (await partner.get(path(id))).body.data.status;
/** The status once the time of an execution is over. */
const settled = (id: string) => {
  partner.sandbox.advance(2_000);
  return statusOf(id);
};
const minus = ({ total, available, held }: Balance, amount: bigint): Balance => {
  return { total: total - amount, available: available - amount, held };
};

/** As a portfolio writes what is available, with cents. */
const text = (amount: bigint) => {
  const digits = amount.toString().padStart(403, '0');
  return `${digits.slice(0, -400)}.${digits.slice(-400, -398)}`;
};

describe('an executed quote', () => {
  test.each([
    ['with the places of the asset', '100.00'],
    ['written shorter', '7'],
    ['with more places than the asset has', '12.345678901234567891'],
    ['with more digits than a decimal usually keeps', `1.${'0'.repeat(120)}1`],
    ['as long as the sandbox takes', `3.${'9'.repeat(254)}`],
    ['with leading zeros', '000012.50'],
  ])('moves exactly what it says: an amount %s', async (_, amount) => {
    const [usd, btc, all] = [of(await balances(), USD), of(await balances(), BTC), await everything(partner)];
    const quote = await offered(usdFor(amount));
    expect(quote.from.amount).toBe(amount);
    expect(of(await balances(), USD)).toEqual(usd);

    expect(await execute(quote.id)).toBe('executing');
    const given = units(amount);
    const claimed = { total: usd.total, available: usd.available - given, held: usd.held + given };
    expect(of(await balances(), USD)).toEqual(claimed);
    expect(of(await balances(), BTC)).toEqual(btc);

    expect(await settled(quote.id)).toBe('executed');
    expect(of(await balances(), USD)).toEqual(minus(usd, given));
    expect(of(await balances(), BTC)).toEqual(minus(btc, -units(quote.to.amount)));
    expect(await everything(partner)).toEqual(all);
  });

  test('gives exactly the amount that was asked for on the other side', async () => {
    const wanted = `0.00${'123456789'.repeat(12)}`;
    const btc = of(await balances(), BTC);
    const to = { symbol: 'BTC', type: 'crypto', amount: wanted };
    const quote = await offered({ from: { symbol: 'USD', type: 'fiat' }, to });
    expect(quote.to.amount).toBe(wanted);
    await execute(quote.id);
    partner.sandbox.advance(2_000);
    expect(of(await balances(), BTC)).toEqual(minus(btc, -units(wanted)));
  });

  test('may spend all that is available, and brings an asset that the account did not have', async () => {
    const usd = of(await balances(), USD);
    const all = text(usd.available);
    const quote = await offered({ ...usdFor(all), to: { symbol: 'LTC', type: 'crypto' } });
    await execute(quote.id);
    expect(await settled(quote.id)).toBe('executed');
    expect(of(await balances(), USD)).toEqual({ total: usd.held, available: 0n, held: usd.held });
    expect(of(await balances(), 'crypto:LTC').total).toBe(units(quote.to.amount));
  });
});

describe('a quote for more than is available', () => {
  test('is executing, then failed, and nothing has moved', async () => {
    const before = await balances();
    const quote = await offered(usdFor(text(of(before, USD).available + units('0.01'))));
    expect(await execute(quote.id)).toBe('executing');
    expect(await balances()).toEqual(before);
    expect(await settled(quote.id)).toBe('failed');
    expect(await balances()).toEqual(before);
  });

  test('that another quote has laid claim to fails as well, also when the claim is given up before it ends', async () => {
    const before = await balances();
    const all = text(of(before, USD).available);
    const [first, second] = [await offered(usdFor(all)), await offered(usdFor('0.50'))];
    partner.sandbox.quotes.fail(first.id);
    await execute(first.id);
    await execute(second.id);
    partner.sandbox.advance(2_000);
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['failed', 'failed']);
    expect(await balances()).toEqual(before);
  });

  test('of an asset that the account has never had fails, too', async () => {
    const from = { symbol: 'LTC', type: 'crypto', amount: '0.5' };
    const quote = await offered({ from, to: { symbol: 'BTC', type: 'crypto' } });
    await execute(quote.id);
    expect(await settled(quote.id)).toBe('failed');
    expect((await balances()).has('crypto:LTC')).toBe(false);
  });
});

describe('quotes.fail', () => {
  test.each([
    ['offered', true],
    ['executing', false],
  ])('makes a quote that is %s fail once it is executed, and its claim is given up', async (_, beforehand) => {
    const before = await balances();
    const quote = await offered(usdFor('10.00'));
    if (beforehand) partner.sandbox.quotes.fail(quote.id);
    expect(await execute(quote.id)).toBe('executing');
    expect(of(await balances(), USD).available).toBe(of(before, USD).available - units('10'));
    if (!beforehand) partner.sandbox.quotes.fail(quote.id);
    expect(await statusOf(quote.id)).toBe('executing');
    expect(await settled(quote.id)).toBe('failed');
    expect(await balances()).toEqual(before);
    expect((await partner.post(`${path(quote.id)}/execute`)).status).toBe(409);
  });

  test('cannot change a quote that has ended, and knows no other', async () => {
    const [executed, expired] = [await offered(usdFor('10.00')), await offered(usdFor('10.00'))];
    await execute(executed.id);
    partner.sandbox.advance(QUOTE_TTL_MS);
    expect(() => partner.sandbox.quotes.fail(executed.id)).toThrow('executed already');
    expect(() => partner.sandbox.quotes.fail(expired.id)).toThrow('expired already');
    expect(() => partner.sandbox.quotes.fail('nobody')).toThrow('no quote nobody');
  });
});

test.each(['from', 'to'])('an amount of more than 256 characters is refused: %s', async (side) => {
  const body = { from: { symbol: 'USD', type: 'fiat' }, to: { symbol: 'BTC', type: 'crypto' } };
  const long = { ...body, [side]: { ...body[side as 'from' | 'to'], amount: `1.${'0'.repeat(255)}` } };
  const answer = await partner.post(`${partner.account}/quotes`, long);
  expect(answer.status).toBe(400);
  expect(answer.body.error.causes).toMatchObject([{ field: `${side}.amount` }]);
});

test.each(['0.01', '0.001', '0', '0.00', '-1'])(
  'an amount from which the fee leaves nothing is refused: %s',
  async (amount) => {
    const to = { symbol: 'JPY', type: 'fiat' };
    const answer = await partner.post(`${partner.account}/quotes`, { ...usdFor(amount), to });
    expect(answer.status).toBe(400);
    expect(answer.body.error.causes).toMatchObject([
      { field: 'from.amount', message: 'is too small: both sides must be above 0' },
    ]);
  },
);
