import { describe, expect, test } from 'vitest';
import { bodies, openSandbox, type Partner } from '../support/partner.js';

const open = (): Promise<Partner> => openSandbox({ seed: 1, inspect: true });

const warningsOf = ({ sandbox }: Partner) => sandbox.journal.at(-1)?.warnings;

const findingsOf = ({ sandbox }: Partner): string[] => {
  const found = sandbox.checks.run().find(({ id }) => id === 'unknown_members');
  return found?.evidence.map(({ text }) => text) ?? [];
};

const SIDES = 'in_asset_symbol=USD&out_asset_symbol=BTC';

describe('an open operation names in the journal and in Checks', () => {
  test.each<[why: string, path: string, field: string, message: string]>([
    ['a misspelt parameter', `ramp/checkout?${SIDES}&in_ammount=100`, 'in_ammount', 'did you mean in_amount?'],
    ['one in other case', `ramp/checkout?${SIDES}&inAmount=100`, 'inAmount', 'did you mean in_amount?'],
    [
      'one with brackets',
      'ramp/checkout?in_amount=100&in_asset[symbol]=USD',
      'in_asset[symbol]',
      'did you mean in_asset_symbol?',
    ],
    [
      'the beginning of a name',
      'ramp/checkout?in_asset=[object Object]&in_amount=100',
      'in_asset',
      'did you mean in_asset_symbol?',
    ],
    ['the end of a name', `ramp/checkout?${SIDES}&amount=100`, 'amount', 'did you mean in_amount?'],
    ['what is sent where no known one is', 'swap/assets?bogus=1', 'bogus', 'known are page_size, page_token'],
  ])('%s', async (_, path, field, message) => {
    const partner = await open();
    expect((await partner.get(`/v1/${path.replace(' ', '%20')}`)).status).toBe(200);
    expect(warningsOf(partner)).toEqual([{ field, message: `is not known: ${message}` }]);
    const [finding = ''] = findingsOf(partner);
    expect(finding).toContain(`${field} is not known: `);
    expect(partner.sandbox.checks.run()).toContainEqual(
      expect.objectContaining({ id: 'unknown_members', status: 'failed', found: 1 }),
    );
  });

  test('parameters of a list, and of an object in it', async () => {
    const partner = await open();
    const query = 'assets[0][symbol]=BTC&assets[0][tipe]=crypto&types[0]=deposit';
    expect((await partner.get(`${partner.account}/portfolio/transactions?${query}`)).status).toBe(200);
    expect(warningsOf(partner)).toEqual([
      { field: 'types[0]', message: 'is not known: did you mean types?' },
      { field: 'assets.0.tipe', message: 'is not known: did you mean type?' },
    ]);
  });

  test('members of a body at any depth', async () => {
    const partner = await open();
    const asset = { symbol: 'USD', type: 'fiat', amount: '1', ammount: '2' };
    const to = { account: partner.sandbox.fixtures.secondaryAccountId };
    const body = { from: { asset }, to, form: {} };
    expect((await partner.post(`${partner.account}/transfers`, body)).status).toBe(200);
    expect(warningsOf(partner)).toEqual([
      { field: 'from.asset.ammount', message: 'is not known: did you mean amount?' },
      { field: 'form', message: 'is not known: did you mean from?' },
    ]);
  });

  test('a kind of event that nobody knows', async () => {
    const partner = await open();
    const message = 'quote.execute is not a known kind of event: did you mean quote.executed?';
    const registered = await partner.post('/v1/webhooks', {
      url: 'https://example.com/hook',
      events: ['deposit.completed', 'quote.execute'],
    });
    expect(registered.status).toBe(200);
    expect(warningsOf(partner)).toEqual([{ field: 'events.1', message }]);
    expect(findingsOf(partner)).toEqual([`webhooks.create: events.1 ${message}`]);
    const changed = { method: 'PATCH', path: `/v1/webhooks/${registered.body.data.id}`, body: { events: ['no.such'] } };
    expect((await partner.call(changed)).status).toBe(200);
    expect(warningsOf(partner)).toMatchObject([{ field: 'events.0' }]);
  });
});

test('a kind of event that nobody knows is a finding, whoever has subscribed to it', async () => {
  const partner = await open();
  const { id } = partner.sandbox.webhooks.register({ url: 'http://127.0.0.1:9/', events: ['quote.execute'] });
  expect(findingsOf(partner)).toEqual([
    `The webhook ${id}: quote.execute is not a known kind of event: did you mean quote.executed?`,
  ]);
});

test('what is known, and what is far from any known name beside known ones, is no finding', async () => {
  const partner = await open();
  await partner.get(`/v1/ramp/checkout?${SIDES}&in_amount=100&partner_campaign=spring`);
  await partner.get('/v1/ramp/checkout');
  await partner.post(`${partner.account}/transfers`, { ...bodies.transfer, bogus: 1 });
  await partner.post('/v1/webhooks', { url: 'https://example.com/hook', events: ['quote.executed'] });
  expect(partner.sandbox.journal.map(({ status, warnings }) => [status, warnings])).toEqual(
    Array(4).fill([200, undefined]),
  );
  expect(findingsOf(partner)).toEqual([]);
});

test('a required member that is missing or ill-formed is refused, and what stands in its place is named', async () => {
  const partner = await open();
  const from = { asset: { symbol: 'USD', type: 'fiat', amount: '1' } };
  const transfers = `${partner.account}/transfers`;
  expect((await partner.post(transfers, { from, recipient: {} })).status).toBe(400);
  const missing = await partner.post(transfers, { from, too: { account: 'x' } });
  expect([missing.status, missing.body.error.causes]).toEqual([400, [{ field: 'to', message: 'is missing' }]]);
  expect(warningsOf(partner)).toEqual([{ field: 'too', message: 'is not known: did you mean to?' }]);
  for (const to of [{}, { acount: 'x' }, { account: 5 }, { account: 'a', tag: 'b' }]) {
    expect((await partner.post(transfers, { from, to })).status).toBe(400);
  }
  expect((await partner.get('/v1/ramp/checkout?in_amount=1e3')).status).toBe(400);
});

test('the answer of a service speaks of decimal text alone', async () => {
  const partner = await open();
  const { body } = await partner.post(`${partner.account}/quotes`, {
    from: { symbol: 'USD', type: 'fiat', amount: 25 },
    to: { symbol: 'BTC', type: 'crypto' },
  });
  expect(body.error.causes).toEqual([
    { field: 'from.amount', message: 'must be a decimal string, not a number: numbers lose digits of money' },
  ]);
});
