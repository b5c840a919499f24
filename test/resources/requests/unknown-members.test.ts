import { describe, expect, it } from 'vitest';
import type { PartnerClient, RequestValidationError } from '../../../src/index.js';
import { nearestName } from '../../../src/util/did-you-mean.js';
import { ACCOUNT, USER } from '../support/operations.js';
import * as sample from '../support/samples.js';
import { rejection, startService, wrong } from '../support/service.js';

const service = startService();
const QUOTE = { from: { symbol: 'BTC', type: 'crypto', amount: '1' }, to: { symbol: 'USD', type: 'fiat' } };
const ONCHAIN = {
  from: { symbol: 'USDC', type: 'stablecoin', amount: '1', wallet: { address: '0xa', network: 'ethereum' } },
  to: { symbol: 'TSLAx', type: 'xstock' },
};
const SAVE = { asset_symbol: 'BTC', method_id: sample.METHOD_ID, key: 'cold', address: 'bc1' };
const OTP = { otp: '1' };

type Call = (client: PartnerClient) => PromiseLike<unknown>;

/** The issues with which a call is refused before sending. */
async function issuesOf(call: Call): Promise<readonly { path: string; message: string }[]> {
  const error = await rejection(() => call(service.client()));
  expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_applied' });
  expect(service.received).toEqual([]);
  return (error as RequestValidationError).issues;
}

const assets =
  (params: object): Call =>
  (client) =>
    client.users.assets.list(USER, wrong(params));
const quote =
  (body: object): Call =>
  (client) =>
    client.accounts.quotes.create(ACCOUNT, wrong({ ...QUOTE, ...body }));

describe('an unknown member of parameters or body is refused before sending', () => {
  it.each<[string, string, string, Call]>([
    ['camelCase of a list', 'pageSize', 'did you mean page_size?', assets({ pageSize: 25 })],
    ['a misspelt one', 'page_tokn', 'did you mean page_token?', assets({ page_tokn: 'x' })],
    ['two letters swapped', 'srot', 'did you mean sort?', assets({ srot: 'name' })],
    ['an upper case one', 'Sort', 'did you mean sort?', assets({ Sort: 'name' })],
    [
      'of a report',
      'quoteSymbol',
      'did you mean quote_symbol?',
      (client) => client.accounts.portfolio.details(ACCOUNT, wrong({ quoteSymbol: 'USD' })),
    ],
    [
      'of a preview',
      'fromAmount',
      'did you mean from_amount?',
      (client) => client.rampQuotes.prospective(wrong({ fromAmount: '1' })),
    ],
    ['of a side', 'from.assetType', 'did you mean type?', quote({ from: { ...QUOTE.from, assetType: 'crypto' } })],
    ['of the other side', 'to.simbol', 'did you mean symbol?', quote({ to: { ...QUOTE.to, simbol: 'USD' } })],
    ['of the fee', 'fee.bsp', 'did you mean bps?', quote({ fee: { bps: 5, bsp: 5 } })],
    [
      'of a wallet in a side',
      'from.wallet.netwrok',
      'did you mean network?',
      (client) =>
        client.accounts.onchainQuotes.create(
          ACCOUNT,
          wrong({ ...ONCHAIN, from: { ...ONCHAIN.from, wallet: { ...ONCHAIN.from.wallet, netwrok: 'x' } } }),
        ),
    ],
    [
      'of an address',
      'assetType',
      'did you mean asset_type?',
      (client) => client.funds.withdrawalAddresses.save(ACCOUNT, wrong({ ...SAVE, assetType: 'crypto' })),
    ],
    [
      'of a wallet',
      'externalUserId',
      'did you mean external_user_id?',
      (client) =>
        client.accounts.wallets.whitelist(ACCOUNT, wrong({ via: 'sepa', address: 'x', externalUserId: '1' }), OTP),
    ],
    ['the method named', 'memo', 'client.request() sends members that the service has added', quote({ memo: 'x' })],
    ['its own __proto__', '__proto__', 'client.request()', quote(JSON.parse('{"__proto__":{"memo":"x"}}'))],
    ['constructor', 'constructor', 'client.request()', quote({ constructor: 'x' })],
  ])('%s: %s', async (_, path, advice, call) => {
    expect(await issuesOf(call)).toContainEqual({ path, message: expect.stringContaining(advice) });
  });

  it.each(['prefetch', 'signal', 'timeout', 'maxRetries', 'headers'])(
    '%s among the parameters belongs to the options, the next argument',
    async (name) => {
      const issue = { path: name, message: 'belongs to the options, the next argument' };
      expect(await issuesOf(assets({ [name]: 1 }))).toEqual([issue]);
    },
  );

  it.each(['idempotencyKey', 'otp', 'attemptTimeout'])(
    '%s in the body belongs to the options, the next argument',
    async (name) => {
      const issue = { path: name, message: 'belongs to the options, the next argument' };
      expect(await issuesOf(quote({ [name]: 1 }))).toEqual([issue]);
    },
  );

  it('an option that is misspelt as well is named as it should be', async () => {
    const [issue] = await issuesOf(quote({ idempotency_key: 'x' }));
    expect(issue?.message).toMatch(/did you mean idempotencyKey\?.*options, the next argument/);
  });

  it('every unknown member is told at once, with what else is wrong', async () => {
    const issues = await issuesOf(quote({ pageSize: 1, from: { ...QUOTE.from, amount: 1, fee: 2 } }));
    expect(issues.map(({ path }) => path).sort()).toEqual(['from.amount', 'from.fee', 'pageSize']);
  });

  it('a side read from an answer has more members than a side asked for: they are refused', async () => {
    const [issue] = await issuesOf(quote({ from: { ...QUOTE.from, name: 'Bitcoin' } }));
    expect(issue?.path).toBe('from.name');
  });

  it('one that is undefined is not there', async () => {
    service.answerJson({ data: sample.quote });
    await service.client().accounts.quotes.create(ACCOUNT, wrong({ ...QUOTE, memo: undefined }));
    expect(JSON.parse(service.only.body)).toEqual(QUOTE);
  });
});

describe('an unknown option of a call', () => {
  it.each([
    ['idempotency_key', 'did you mean idempotencyKey?'],
    ['retries', 'known are'],
    ['time_out', 'did you mean timeout?'],
    ['from', 'belongs to the body, the argument before the options'],
  ])('%s: %s', async (name, advice) => {
    const issues = await issuesOf((client) => client.accounts.quotes.create(ACCOUNT, QUOTE, wrong({ [name]: 1 })));
    expect(issues).toEqual([{ path: `options.${name}`, message: expect.stringContaining(advice) }]);
  });

  it('that is a parameter: it belongs to the argument before', async () => {
    const issues = await issuesOf((client) => client.users.assets.list(USER, {}, wrong({ page_size: 5 })));
    const message = 'belongs to the parameters, the argument before the options';
    expect(issues).toEqual([{ path: 'options.page_size', message }]);
  });
});

describe('client.request() sends any member', () => {
  it('of body and query, also those called __proto__ and constructor, as they are', async () => {
    service.answerJson({ data: 1 });
    const members = '{"__proto__":{"polluted":1},"constructor":{"prototype":2},"pageSize":3,"idempotencyKey":"x"}';
    const body: unknown = JSON.parse(members);
    const query = JSON.parse('{"__proto__":"a","pageSize":"b"}');
    await service.client().request({ method: 'POST', path: '/v1/x', body, query });
    expect(service.only.body).toBe(members);
    expect(service.only.path).toBe('/v1/x?__proto__=a&pageSize=b');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('the name that was meant', () => {
  it.each([
    ['apikey', ['apiKey', 'apiSecret'], 'apiKey'],
    ['baseURL', ['baseUrl', 'apiKey'], 'baseUrl'],
    ['base_url', ['baseUrl', 'apiKey'], 'baseUrl'],
    ['timeuot', ['timeout', 'attemptTimeout'], 'timeout'],
    ['retries', ['maxRetries', 'timeout'], undefined],
    ['x', ['on', 'to'], undefined],
    ['assetType', ['symbol', 'type'], 'type'],
  ])('%s among %j: %s', (name, known, meant) => {
    expect(nearestName(name, known)).toBe(meant);
  });

  it('is looked for in bounded time', () => {
    const begun = performance.now();
    expect(nearestName('z'.repeat(1_000_000), ['apiKey'])).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(200);
  });
});
