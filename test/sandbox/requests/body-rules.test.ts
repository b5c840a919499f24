import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ADDRESSES } from '../support/addresses.js';
import { bodies, fieldsOf, sharedSandbox, type TestAnswer } from '../support/partner.js';

const partner = await sharedSandbox();

const text = (length: number) => 'x'.repeat(length);

/** Bodies: a good one, and changes to it with the field that the error names. */
interface BodyRules {
  readonly send: (body: unknown) => Promise<TestAnswer>;
  readonly good: () => Record<string, unknown>;
  readonly accepted: readonly Change[];
  readonly refused: readonly (readonly [change: Change, field: string])[];
}
/** Dotted members and their new values; undefined removes. */
type Change = Record<string, unknown>;

function changed(body: Record<string, unknown>, change: Change): Record<string, unknown> {
  const copy = structuredClone(body);
  for (const [path, value] of Object.entries(change)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const owner = names.reduce((object, name) => object[name] as Record<string, unknown>, copy);
    if (value === undefined) delete owner[last];
    else owner[last] = value;
  }
  return copy;
}

const wrongAmounts = [1, 1.5, '', '1e3', '+1', '.5', '5.', ' 1', 'NaN', null, {}];

const sideRules = (side: 'from' | 'to'): BodyRules['refused'] => [
  [{ [side]: undefined }, side],
  [{ [side]: 'BTC' }, side],
  [{ [`${side}.symbol`]: undefined }, `${side}.symbol`],
  [{ [`${side}.symbol`]: 'AB' }, `${side}.symbol`],
  [{ [`${side}.symbol`]: text(17) }, `${side}.symbol`],
  [{ [`${side}.symbol`]: 'NONE' }, `${side}.symbol`],
  [{ [`${side}.type`]: undefined }, `${side}.type`],
  [{ [`${side}.type`]: 'bond' }, `${side}.type`],
  [{ [`${side}.network`]: 'x' }, `${side}.network`],
];

const swapRules: BodyRules['refused'] = [
  ...sideRules('from'),
  ...sideRules('to'),
  ...wrongAmounts.map((amount) => [{ 'from.amount': amount }, 'from.amount'] as const),
  [{ 'from.amount': undefined }, 'from.amount'],
  [{ 'to.amount': '1' }, 'from.amount'],
  [{ 'from.amount': '0' }, 'from.amount'],
  [{ 'from.amount': '-5' }, 'from.amount'],
  [{ 'from.amount': '0.0000000001' }, 'from.amount'],
  [{ 'from.amount': undefined, 'to.amount': '0' }, 'to.amount'],
  [{ comment: 'x' }, 'comment'],
];

const bodyRules: Record<string, BodyRules> = {
  'Create quote': {
    send: (body) => partner.post(`${partner.account}/quotes`, body),
    good: () => bodies.quote,
    accepted: [{}, { 'from.amount': undefined, 'to.amount': '0.5' }, { fee: { bps: 0 } }, { fee: { bps: 25.5 } }],
    refused: [
      ...swapRules,
      [{ 'to.symbol': 'USD', 'to.type': 'fiat' }, 'to.symbol'],
      [{ 'to.symbol': 'EOS' }, 'to.symbol'],
      [{ 'from.symbol': 'CAD', 'to.symbol': 'AAPLx', 'to.type': 'xstock' }, 'to.symbol'],
      [{ fee: {} }, 'fee.bps'],
      [{ fee: { bps: '25' } }, 'fee.bps'],
      [{ fee: { bps: -1 } }, 'fee.bps'],
      [{ fee: { bps: 5001 } }, 'fee.bps'],
      [{ fee: { bps: 1, rate: 2 } }, 'fee.rate'],
    ],
  },
  'Create on-chain quote': {
    send: (body) => partner.post(`${partner.account}/onchain-quotes`, body),
    good: () => bodies.onchainQuote,
    accepted: [{}, { 'from.amount': undefined, 'to.amount': '0.5' }, { 'from.wallet.network': 'polygon' }],
    refused: [
      ...swapRules,
      [{ 'from.wallet': undefined }, 'from.wallet'],
      [{ 'from.wallet.address': undefined }, 'from.wallet.address'],
      [{ 'from.wallet.address': '' }, 'from.wallet.address'],
      [{ 'from.wallet.network': undefined }, 'from.wallet.network'],
      [{ 'from.wallet.network': 'dogecoin' }, 'from.wallet.network'],
      [{ 'from.wallet.network': 'constructor' }, 'from.wallet.network'],
      [{ 'from.wallet.memo': 'x' }, 'from.wallet.memo'],
      [{ 'to.wallet': { address: '0x', network: 'ethereum' } }, 'to.wallet'],
      [{ 'to.symbol': 'BTC', 'to.type': 'crypto' }, 'to.type'],
      [{ 'from.symbol': 'USD', 'from.type': 'fiat' }, 'from.type'],
    ],
  },
  'Whitelist wallet': {
    send: (body) => partner.post(`${partner.account}/wallets/whitelist`, body, { 'API-Otp': '1' }),
    good: () => bodies.wallet,
    accepted: [
      ...(['xrpl', 'cosmoshub'] as const).map((via) => ({
        via,
        memo: '1',
        address: ADDRESSES[via === 'xrpl' ? 'xrp' : 'cosmos'],
      })),
      { via: 'swift', address: text(256) },
      { memo: text(64) },
      { external_user_id: text(128) },
    ],
    refused: [
      [{ via: undefined }, 'via'],
      [{ via: '' }, 'via'],
      [{ via: text(33) }, 'via'],
      [{ via: 'pigeon' }, 'via'],
      [{ address: undefined }, 'address'],
      [{ address: '' }, 'address'],
      [{ address: text(257) }, 'address'],
      [{ memo: text(65) }, 'memo'],
      ...['xrp', 'xlm', 'eos', 'cosmos', 'XRP'].map((via) => [{ via }, 'memo'] as const),
      ...['ripple', 'XRPL', 'Stellar', 'cosmoshub'].map((via) => [{ via }, 'memo'] as const),
      [{ via: 'xrp', memo: '' }, 'memo'],
      [{ external_user_id: text(129) }, 'external_user_id'],
      [{ otp: '1' }, 'otp'],
    ],
  },
  'Save withdrawal address': {
    send: (body) => partner.post(`${partner.account}/funds/withdrawals/addresses`, body),
    good: () => bodies.address(partner.sandbox.fixtures.methodId, randomUUID()),
    accepted: [
      {},
      { asset_type: 'crypto', memo: 'm', tag: 't' },
      { asset_symbol: 'XRP', tag: '7', address: ADDRESSES.xrp },
    ],
    refused: [
      [{ asset_symbol: undefined }, 'asset_symbol'],
      [{ asset_symbol: 'OP' }, 'asset_symbol'],
      [{ asset_symbol: text(17) }, 'asset_symbol'],
      [{ asset_symbol: 'USDC' }, 'asset_symbol'],
      [{ method_id: undefined }, 'method_id'],
      [{ method_id: 'bitcoin' }, 'method_id'],
      [{ method_id: '00000000-0000-4000-8000-000000000000' }, 'method_id'],
      [{ key: undefined }, 'key'],
      [{ key: '' }, 'key'],
      [{ key: 5 }, 'key'],
      [{ address: undefined }, 'address'],
      [{ address: '' }, 'address'],
      [{ asset_type: 'bond' }, 'asset_type'],
      [{ memo: 5 }, 'memo'],
      [{ tag: null }, 'tag'],
      ...['XRP', 'XLM', 'EOS', 'ATOM'].map((asset_symbol) => [{ asset_symbol }, 'memo'] as const),
      [{ label: 'x' }, 'label'],
    ],
  },
  'Update withdrawal address': {
    send: async (body) => {
      const key = randomUUID();
      const addresses = `${partner.account}/funds/withdrawals/addresses`;
      await partner.post(addresses, bodies.address(partner.sandbox.fixtures.methodId, key));
      return partner.call({ method: 'PATCH', path: `${addresses}/${key}`, body });
    },
    good: () => ({ new_key: randomUUID() }),
    accepted: [{}],
    refused: [
      [{ new_key: undefined }, 'new_key'],
      [{ new_key: '' }, 'new_key'],
      [{ new_key: 5 }, 'new_key'],
      [{ address: 'bc1q' }, 'address'],
    ],
  },
};

describe.each(Object.entries(bodyRules))('body of %s', (_, { send, good, accepted, refused }) => {
  test.each(accepted)('takes %j', async (change) => {
    expect((await send(changed(good(), change))).status).toBe(200);
  });

  test.each(refused)('refuses %j', async (change, field) => {
    const answer = await send(changed(good(), change));
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toContain(field);
  });

  test.each<[string, unknown]>([
    ['none', undefined],
    ['an empty one', ''],
    ['half a JSON', '{"a":'],
    ['an array', []],
    ['null', null],
    ['text', '"x"'],
    ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ])('refuses %s', async (__, body) => {
    expect((await send(body)).status).toBe(400);
  });

  test('tells every broken rule at once', async () => {
    const empty = await send({ one: 1, two: 2 });
    expect(fieldsOf(empty)).toEqual(expect.arrayContaining(['one', 'two']));
    expect(fieldsOf(empty).length).toBeGreaterThan(2);
  });
});

test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/json5'])(
  'a body needs the content type of JSON, not %s',
  async (type) => {
    const headers = { 'Content-Type': type };
    const body = new TextEncoder().encode(JSON.stringify(bodies.quote));
    const answer = await partner.post(`${partner.account}/quotes`, body, headers);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['Content-Type']]);
  },
);

test('the content type may have parameters and capitals', async () => {
  const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
  expect((await partner.post(`${partner.account}/quotes`, bodies.quote, headers)).status).toBe(200);
});

test('an operation that takes no body refuses one', async () => {
  const path = `${partner.account}/funds/addresses/${partner.sandbox.fixtures.addressId}`;
  const answer = await partner.call({ method: 'DELETE', path, body: {} });
  expect([answer.status, fieldsOf(answer)]).toEqual([400, ['body']]);
});

test('a body above 1 MiB is refused in the form of every error, one of exactly 1 MiB is read', async () => {
  const padded = (bytes: number) => JSON.stringify(bodies.quote).padEnd(bytes, ' ');
  const path = `${partner.account}/quotes`;
  expect((await partner.post(path, padded(1024 * 1024))).status).toBe(200);
  const answer = await partner.post(path, padded(1024 * 1024 + 1));
  expect(answer.body.error).toMatchObject({ status: 413, causes: [{ field: 'body' }] });
  expect(answer.status).toBe(413);
});
