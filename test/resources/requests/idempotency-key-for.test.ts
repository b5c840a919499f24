import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idempotencyKeyFor, type KeyedWrite, RequestValidationError } from '../../../src/index.js';
import { KEYED_OPERATIONS } from '../../../src/request/idempotency-key.js';
import { operations } from '../../../src/resources/operations.js';
import { UUID_V4 } from '../../support/signature.js';

const WITHDRAW = 'funds.withdrawals.create';
const SAVE = 'funds.withdrawalAddresses.save';

const id = fc.string({ unit: 'binary' }).filter((text) => text.trim() !== '');
const operation = fc.constantFrom<KeyedWrite>(...KEYED_OPERATIONS, 'POST /v1/payments', 'PATCH /v1/{id}');
const effect = fc.tuple(operation, id, fc.array(id, { maxLength: 3 })).map(([name, ...ids]) => [name, ...ids.flat()]);
const keyOf = (namespace: string, parts: readonly string[]) =>
  idempotencyKeyFor(namespace, ...(parts as [KeyedWrite, string, ...string[]]));

describe('an idempotency key of idempotencyKeyFor', () => {
  it('is stable, and has the form that the header demands', () => {
    fc.assert(
      fc.property(fc.string(), effect, (namespace, given) => {
        const key = keyOf(namespace, given);
        expect(key).toMatch(UUID_V4);
        expect(keyOf(namespace, given)).toBe(key);
      }),
    );
  });

  it('differs when namespace, operation, an id, their order or a boundary between them differs', () => {
    const keys = [
      idempotencyKeyFor('n', WITHDRAW, 'ab', 'c'),
      idempotencyKeyFor('n', WITHDRAW, 'a', 'bc'),
      idempotencyKeyFor('n', WITHDRAW, 'abc'),
      idempotencyKeyFor('n', WITHDRAW, 'abc', '-'),
      idempotencyKeyFor('n', WITHDRAW, '-', 'abc'),
      idempotencyKeyFor('n', SAVE, 'ab', 'c'),
      idempotencyKeyFor('n', 'POST /v1/ab', 'c'),
      idempotencyKeyFor('n', 'PUT /v1/ab', 'c'),
      idempotencyKeyFor('na', WITHDRAW, 'b', 'c'),
      idempotencyKeyFor('m', WITHDRAW, 'ab', 'c'),
      idempotencyKeyFor('n', WITHDRAW, 'c', 'ab'),
      idempotencyKeyFor('n', WITHDRAW, '2:ab', 'c'),
      idempotencyKeyFor('n', WITHDRAW, 'ab,c'),
      idempotencyKeyFor('n', WITHDRAW, 'ab\0c'),
      idempotencyKeyFor('n', WITHDRAW, '\u00e9'),
      idempotencyKeyFor('n', WITHDRAW, 'e\u0301'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is shared by no two effects', () => {
    fc.assert(
      fc.property(effect, effect, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(keyOf('n', a)).not.toBe(keyOf('n', b));
      }),
    );
  });

  it('is the same in every version: a restarted process repeats the same write', () => {
    expect(idempotencyKeyFor('payouts', WITHDRAW, 'ACCOUNT-MAIN-0001', 'invoice-42')).toBe(
      '8cf1b223-8fdf-4e22-93a9-d041ed80e46a',
    );
    expect(idempotencyKeyFor('\u00e9', 'POST /v1/payments', '\u{1F44B}', '-')).toBe(
      '262a22f5-65e8-4755-836b-9264233f23bb',
    );
  });
});

describe('an id that is missing, with which two payouts would be one,', () => {
  const order: { id?: number } = {};
  it.each(['', ' ', `${order.id}`, `order-${order.id}`, String(null), `${Number(order.id)}`, `${order}`])(
    'is refused as "%s"',
    (missing) => {
      expect(() => keyOf('payouts', [WITHDRAW, 'ACCOUNT-MAIN-0001', missing])).toThrow('ids.1 must not be missing');
    },
  );

  it.each(['null-7', 'undefinedness', 'NaNcy', '0', 'ACCOUNT object 7'])('is not "%s"', (other) => {
    expect(keyOf('payouts', [WITHDRAW, other])).toMatch(UUID_V4);
  });
});

describe('the operation that idempotencyKeyFor accepts', () => {
  const rejection = (name: string): RequestValidationError => {
    try {
      keyOf('payouts', [name, 'order-1']);
    } catch (error) {
      if (error instanceof RequestValidationError) return error;
    }
    throw new Error(`"${name}" was accepted`);
  };

  it('is each one that takes a key, and no other', () => {
    const keyed = operations.filter(({ retrySafety }) => retrySafety === 'keyed').map(({ name }) => name);
    expect(keyed.filter((name) => UUID_V4.test(keyOf('payouts', [name, 'order-1'])))).toHaveLength(17);
    const others = operations.filter(({ retrySafety }) => retrySafety !== 'keyed');
    for (const { name } of others) expect(rejection(name).issues).toMatchObject([{ path: 'operation' }]);
    expect([...KEYED_OPERATIONS].sort()).toEqual(keyed.sort());
  });

  it.each(['POST /v1/payments', 'PUT /v1/payments/{id}', 'PATCH /v2/x-y_z.~', 'POST /'])(
    'may be the route %s',
    (route) => {
      expect(keyOf('payouts', [route, 'order-1'])).toMatch(UUID_V4);
    },
  );

  it.each([
    'GET /v1/payments',
    'DELETE /v1/payments/{id}',
    'post /v1/payments',
    'POST v1/payments',
    'POST https://api.example/v1/payments',
    'POST  /v1/payments',
    'POST /v1/payments?type=a',
    'POST /v1/a b',
    ' funds.withdrawals.create',
    'toString',
    '',
  ])('is not "%s"', (name) => {
    const [issue] = rejection(name).issues;
    expect(issue?.message).toMatch(/^must be an operation that takes an idempotency key, or a route such as/);
    for (const known of KEYED_OPERATIONS) expect(issue?.message).toContain(known);
  });

  it.each([
    ['withdrawals.create', WITHDRAW],
    ['funds.withdrawal.create', WITHDRAW],
    ['addresses.save', undefined],
    ['quotes.execute', 'accounts.quotes.execute'],
    ['whitelist', 'accounts.wallets.whitelist'],
    ['Funds.WithdrawalAddresses.Save', SAVE],
  ])('is suggested for "%s"', (name, meant) => {
    expect(/did you mean (\S+)\?/.exec(rejection(name).message)?.[1]).toBe(meant);
  });

  it('is not shown in the message when it is none: it may be an id in the wrong place', () => {
    expect(rejection('ACCOUNT-MAIN-0001').message).not.toContain('ACCOUNT-MAIN');
  });
});

it('idempotencyKeyFor says which argument is wrong, and how', () => {
  const make = (...given: unknown[]) => keyOf(...(given as [string, readonly string[]]));
  expect(() => make(42, [WITHDRAW, undefined, '\ud800'])).toThrow(
    /^The input is wrong: namespace must be a string, not a number; ids\.0 must be a string, not undefined; ids\.1 must not have a lone surrogate/,
  );
  expect(() => make('payouts', [7, 'order-1'])).toThrow(/operation must be a string, not a number$/);
  expect(() => make('payouts', [WITHDRAW])).toThrow(/ids must tell this effect from others/);
});
