import { describe, expect, it } from 'vitest';
import { type PartnerClient, RequestValidationError, ResponseValidationError } from '../../../src/index.js';
import { ACCOUNT, invoke, OPERATIONS, USER } from '../support/operations.js';
import * as sample from '../support/samples.js';
import { json, rejection, startService, wrong } from '../support/service.js';

const service = startService();
const QUOTE = { from: { symbol: 'BTC', type: 'crypto', amount: '1' }, to: { symbol: 'USD', type: 'fiat' } };

type Call = (client: PartnerClient) => PromiseLike<unknown>;

/** The issues with which a call is refused before sending. */
async function issuesOf(call: Call): Promise<readonly { path: string; message: string }[]> {
  const error = await rejection(() => call(service.client()));
  expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_applied' });
  expect(service.received).toEqual([]);
  return (error as RequestValidationError).issues;
}

type Input = (members: object) => Call;
const assets: Input = (params) => (client) => client.users.assets.list(USER, wrong(params));
const quote: Input = (body) => (client) => client.accounts.quotes.create(ACCOUNT, wrong({ ...QUOTE, ...body }));

describe('an unknown member of parameters or body is refused before sending', () => {
  it.each<[string, string, string, Call]>([
    ['camelCase of a list', 'pageSize', 'did you mean page_size?', assets({ pageSize: 25 })],
    ['a misspelt one', 'page_tokn', 'did you mean page_token?', assets({ page_tokn: 'x' })],
    ['two letters swapped', 'srot', 'did you mean sort?', assets({ srot: 'name' })],
    ['an upper case one', 'Sort', 'did you mean sort?', assets({ Sort: 'name' })],
    ['of a side', 'from.assetType', 'did you mean type?', quote({ from: { ...QUOTE.from, assetType: 'crypto' } })],
    ['of the fee', 'fee.bsp', 'did you mean bps?', quote({ fee: { bps: 5, bsp: 5 } })],
    [
      'the known ones named',
      'memo',
      'is unknown to accounts.quotes.create, which knows fee, from, to',
      quote({ memo: 'x' }),
    ],
    ['those of its place', 'fee.memo', ', which knows bps', quote({ fee: { bps: 5, memo: 1 } })],
    [
      'the method named',
      'memo',
      'To send a member that the service has added since, use client.request()',
      quote({ memo: 'x' }),
    ],
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
    ['retries', 'did you mean maxRetries? Known are'],
    ['limit', '; known are attemptTimeout, headers, idempotencyKey'],
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

const client = () => service.client();
const sides = { from: { symbol: 'USD', type: 'fiat', amount: '1' }, to: { symbol: 'BTC', type: 'crypto' } };

/** What zod says where nobody has told it our words. */
const VALIDATOR = /Invalid|Too (small|big)|expected|received|Unrecognized|pattern|(?<!\ba (decimal )?)string\b/;

const create = (body: object) => () => client().accounts.quotes.create(ACCOUNT, wrong(body));
const ofType = (type: string) => ({ ...sides, to: { ...sides.to, type } });
const pagesOf = (page_size: unknown) => () =>
  client().accounts.onDemandConversions.list(ACCOUNT, { page_size: wrong(page_size) });
const deletion = (id: string) => () => client().funds.addresses.delete(ACCOUNT, id);
const ADDRESS_FORM =
  'must be AB and 5, 5 and 6 letters or digits with dashes between, for instance "AB12CDE-34FGH-56IJKL"';

const CASES: readonly (readonly [string, () => PromiseLike<unknown>, path: string, message: string])[] = [
  ['too short', () => client().users.get('ABCDE'), 'user_id', 'must have 14 to 42 characters, has 5'],
  ['too long', () => client().users.get('A'.repeat(43)), 'user_id', 'must have 14 to 42 characters, has 43'],
  ['a number for a string', () => client().users.get(wrong(42)), 'user_id', 'must be a string, not a number'],
  ['null for a string', () => client().users.get(wrong(null)), 'user_id', 'must be a string, not null'],
  ['a list for a string', () => client().users.get(wrong([])), 'user_id', 'must be a string, not a list'],
  ['an object for a string', () => client().users.get(wrong({})), 'user_id', 'must be a string, not an object'],
  ['true for a string', () => client().users.get(wrong(true)), 'user_id', 'must be a string, not a boolean'],
  ['missing', () => client().users.get(wrong(undefined)), 'user_id', 'is missing'],
  ['a missing object', create({ from: sides.from }), 'to', 'is missing'],
  ['text for an object', create({ ...sides, to: 'BTC' }), 'to', 'must be an object, not a string'],
  ['none of a set', create(ofType('secret-bond')), 'to.type', 'must be one of fiat, crypto, stablecoin, xstock'],
  ['text for a whole number', pagesOf('25'), 'page_size', 'must be a whole number from 1 to 25, not a string'],
  ['half for a whole number', pagesOf(1.5), 'page_size', 'must be a whole number from 1 to 25'],
  ['an address id of another form', deletion('secret-id'), 'address_id', ADDRESS_FORM],
];

describe('a rule that the input breaks is told in our words', () => {
  it.each(CASES)('%s', async (_, call, path, message) => {
    const error = await rejection(call, RequestValidationError);
    expect(error.issues).toContainEqual({ path, message });
    expect(error.message).toBe(
      `Nothing was sent, because the input of ${error.operation} is wrong: ${path} ${message}`,
    );
    expect(error.message).not.toMatch(/secret|ABCDE/);
  });

  it('a number out of its range names both ends', async () => {
    const call = client().accounts.onDemandConversions.list(ACCOUNT, { page_size: 100_000 });
    const [issue] = ((await rejection(call)) as RequestValidationError).issues;
    expect(issue).toEqual({
      path: 'page_size',
      message: expect.stringMatching(/^must be a whole number from 1 to \d+$/),
    });
  });

  it.each(OPERATIONS.filter(({ ids, query, body }) => ids.length > 0 || query || body))(
    '$name: whatever is given in place of whatever',
    async (op) => {
      const messages: string[] = [];
      for (const value of [undefined, null, 5, Number.NaN, '', 'x'.repeat(300), [], [[]], {}, true, 10n, Symbol('s')]) {
        const replaced = (members: object | undefined) =>
          members && Object.fromEntries(Object.keys(members).map((member) => [member, value]));
        for (const given of [
          { ids: op.ids.map(() => wrong<string>(value)), query: op.query, body: op.body },
          { ids: op.ids, query: replaced(op.query), body: replaced(op.body) },
          { ids: op.ids, query: wrong<object>(value), body: wrong<object>(value) },
        ]) {
          service.answer(() => json(op.answer));
          const error = await Promise.resolve(invoke(op, client(), wrong(given))).catch((thrown: unknown) => thrown);
          if (error instanceof RequestValidationError) messages.push(...error.issues.map(({ message }) => message));
        }
      }
      expect(messages.length).toBeGreaterThan(0);
      for (const message of messages) expect(message).not.toMatch(VALIDATOR);
    },
  );

  it('an answer of another shape as well', async () => {
    service.answer(() => json({ data: { id: [], external_id: null, status: 'ok', type: [], created_at: true } }));
    const error = await rejection(client().users.get(USER), ResponseValidationError);
    expect(error.issues).toContainEqual({ path: 'data.id', message: 'must be a string, not a list' });
    expect(error.message).toMatch(/^The response of users\.get does not have the promised shape: /);
    for (const { message } of error.issues) expect(message).not.toMatch(VALIDATOR);
  });

  it('no more than 100 rules are listed', () => {
    const issues = Array.from({ length: 5_000 }, (_, place) => ({ path: `member_${place}`, message: 'is unknown' }));
    const error = new RequestValidationError(issues);
    expect(error.issues).toHaveLength(100);
    expect(error.message).toMatch(/member_4 is unknown; and 4995 more$/);
  });
});

describe('keys', () => {
  it('an idempotencyKey that is none names the function that makes one', async () => {
    const call = client().accounts.quotes.create(ACCOUNT, sides, { idempotencyKey: 'order-17' });
    expect(((await rejection(call)) as Error).message).toMatch(
      /options\.idempotencyKey must be a UUIDv4: .*idempotencyKeyFor\(\)/,
    );
  });
});
