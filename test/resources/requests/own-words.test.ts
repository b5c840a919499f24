import { describe, expect, it } from 'vitest';
import { idempotencyKeyFor, RequestValidationError, ResponseValidationError } from '../../../src/index.js';
import { ACCOUNT, invoke, OPERATIONS, USER } from '../support/operations.js';
import { json, rejection, startService, wrong } from '../support/service.js';

const service = startService();
const client = () => service.client();
const sides = { from: { symbol: 'USD', type: 'fiat', amount: '1' }, to: { symbol: 'BTC', type: 'crypto' } };

/** What zod says where nobody has told it our words. */
const VALIDATOR = /Invalid|Too (small|big)|expected|received|Unrecognized|pattern|string\b(?! or a Decimal)/;

const CASES: readonly (readonly [string, () => PromiseLike<unknown>, path: string, message: string])[] = [
  ['too short', () => client().users.get('ABCDE'), 'user_id', 'must have 14 to 42 characters, has 5'],
  ['too long', () => client().users.get('A'.repeat(43)), 'user_id', 'must have 14 to 42 characters, has 43'],
  ['a number for text', () => client().users.get(wrong(42)), 'user_id', 'must be text, not a number'],
  ['null for text', () => client().users.get(wrong(null)), 'user_id', 'must be text, not null'],
  ['a list for text', () => client().users.get(wrong([])), 'user_id', 'must be text, not a list'],
  ['an object for text', () => client().users.get(wrong({})), 'user_id', 'must be text, not an object'],
  ['true for text', () => client().users.get(wrong(true)), 'user_id', 'must be text, not a boolean'],
  ['missing', () => client().users.get(wrong(undefined)), 'user_id', 'is missing'],
  ['a missing object', () => client().accounts.quotes.create(ACCOUNT, wrong({ from: sides.from })), 'to', 'is missing'],
  [
    'text for an object',
    () => client().accounts.quotes.create(ACCOUNT, wrong({ ...sides, to: 'BTC' })),
    'to',
    'must be an object, not text',
  ],
  [
    'none of a set',
    () => client().accounts.quotes.create(ACCOUNT, wrong({ ...sides, to: { ...sides.to, type: 'secret-bond' } })),
    'to.type',
    'must be one of fiat, crypto, stablecoin, xstock',
  ],
  [
    'text for a whole number',
    () => client().accounts.onDemandConversions.list(ACCOUNT, wrong({ page_size: '25' })),
    'page_size',
    'must be a whole number, not text',
  ],
  [
    'half for a whole number',
    () => client().accounts.onDemandConversions.list(ACCOUNT, { page_size: 1.5 }),
    'page_size',
    'must be a whole number',
  ],
  [
    'an address id of another form',
    () => client().funds.addresses.delete(ACCOUNT, 'secret-id'),
    'address_id',
    'must be AB and 5, 5 and 6 letters or digits with dashes between, for instance "AB12CDE-34FGH-56IJKL"',
  ],
];

describe('a rule that the input breaks is told in our words', () => {
  it.each(CASES)('%s', async (_, call, path, message) => {
    const error = (await rejection(call)) as RequestValidationError;
    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error.issues).toContainEqual({ path, message });
    expect(error.message).toBe(`Nothing was sent, the input of ${error.operation} is wrong: ${path}: ${message}`);
    expect(error.message).not.toMatch(/secret|ABCDE/);
  });

  it('a number out of its range names both ends', async () => {
    const call = client().accounts.onDemandConversions.list(ACCOUNT, { page_size: 100_000 });
    const [issue] = ((await rejection(call)) as RequestValidationError).issues;
    expect(issue).toEqual({ path: 'page_size', message: expect.stringMatching(/^must be from 1 to \d+$/) });
  });

  it.each(OPERATIONS)('$name: whatever is given in place of whatever', async (op) => {
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
  });

  it('an answer of another shape as well', async () => {
    service.answer(() => json({ data: { id: 5, external_id: null, status: 'ok', type: [], created_at: true } }));
    const error = (await rejection(client().users.get(USER))) as ResponseValidationError;
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error.issues).toContainEqual({ path: 'data.id', message: 'must be text, not a number' });
    expect(error.message).toMatch(/^The answer of users\.get does not have the promised shape: /);
    for (const { message } of error.issues) expect(message).not.toMatch(VALIDATOR);
  });

  it('no more than 100 rules are listed', () => {
    const issues = Array.from({ length: 5_000 }, (_, place) => ({ path: `member_${place}`, message: 'is unknown' }));
    const error = new RequestValidationError(issues);
    expect(error.issues).toHaveLength(100);
    expect(error.message).toMatch(/member_4: is unknown; and 4995 more$/);
  });
});

describe('keys', () => {
  it('idempotencyKeyFor says which part is no text, and what it is', () => {
    const make = () => idempotencyKeyFor('payouts', wrong(42), '\ud800');
    expect(make).toThrow(RequestValidationError);
    expect(make).toThrow(
      /^The input is wrong: parts\.0 must be text, not a number; parts\.1 must not have a lone surrogate/,
    );
  });

  it('an idempotencyKey that is none names the function that makes one', async () => {
    const call = client().accounts.quotes.create(ACCOUNT, sides, { idempotencyKey: 'order-17' });
    expect(((await rejection(call)) as Error).message).toMatch(
      /options\.idempotencyKey: must be a UUIDv4: .*idempotencyKeyFor\(\)/,
    );
  });
});
