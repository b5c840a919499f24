import { describe, expect, test } from 'vitest';
import { argumentsOf } from '../../src/command/call/input.js';
import { CALL_FLAGS, helpOf } from '../../src/command/description/help.js';
import { Operations } from '../../src/command/description/operations.js';
import { ownValues, splitBy } from '../../src/command/flags.js';
import { operations } from '../../src/resources/operations.js';
import type * as z from '../../src/schema/zod.js';
import { OPERATIONS } from '../resources/support/operations.js';

const commands = new Operations();

/** The arguments of the method, as `call` makes them of its words. */
function read(...given: readonly string[]): unknown[] {
  const words = splitBy(given, CALL_FLAGS);
  return argumentsOf(commands.named(words.plain[0] ?? ''), words, ownValues(words, CALL_FLAGS).body);
}

/** The dotted names of all values that a schema takes: read from the schema itself, not from its description. */
function namesIn(schema: z.core.$ZodType, name = ''): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly')
    return namesIn(def.innerType, name);
  if (def.type === 'array') return namesIn(def.element, name);
  if (def.type === 'union') return def.options.flatMap((one) => namesIn(one, name));
  if (def.type !== 'object') return [name];
  return Object.entries(def.shape).flatMap(([member, one]) => namesIn(one, name === '' ? member : `${name}.${member}`));
}

/** An input as the words of a shell. */
function wordsOf(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => wordsOf(item, name));
  if (typeof value !== 'object' || value === null) return [`--${name}`, String(value)];
  return Object.entries(value).flatMap(([member, inner]) => wordsOf(inner, name === '' ? member : `${name}.${member}`));
}

test('the command has the operations of the client, and no others', () => {
  expect(
    commands
      .all()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(operations.map(({ name }) => name).sort());
});

describe.each(operations.map((one) => [one.name, one] as const))(
  '%s',
  (name, { query, body, path, cursor, otp, retrySafety }) => {
    const { members, args, ...facts } = commands.named(name);
    const schema = (query ?? body)?.();
    const names = new Set(schema === undefined ? [] : namesIn(schema));

    test('has a flag for each of its members', () => {
      expect(new Set(members.keys())).toEqual(names);
      expect(args.map((arg) => arg.name)).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), ([, one]) => one));
      expect(facts['x-pagination']?.request).toBe(cursor);
      expect(facts.needsOtp).toBe(otp === true);
      expect(facts['x-idempotency'] === 'keyed').toBe(retrySafety === 'keyed');
    });

    test('has no member with the name of a flag of call, or of a letter', () => {
      for (const one of names) {
        expect(Object.keys(CALL_FLAGS)).not.toContain(one);
        expect(one.length).toBeGreaterThan(1);
      }
    });

    test('has an example in its help that is complete', () => {
      const [, line = ''] = /^Example: npx partner-sdk call (.*)$/m.exec(helpOf(commands.named(name))) ?? [];
      const words = Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
      expect(() => read(...words)).not.toThrow();
    });
  },
);

/** Samples with members that are not documented, or with objects in a list of which none has all members. */
const NOT_BY_FLAGS: readonly string[] = [
  'users.verifications.submitUrl',
  'swap.assets.list',
  ...['funds.withdrawalMethods.list', 'ramp.paymentMethods.list', 'ramp.assets.list'],
  'accounts.conversions.create',
  'accounts.transfers.create',
  'accounts.transfers.list',
  'accounts.portfolio.transactions.list',
  'accounts.portfolio.history',
  'ramp.fiatCurrencies.list',
  'ramp.limits.get',
  'ramp.checkout.get',
];

test.each(OPERATIONS.filter(({ name }) => !NOT_BY_FLAGS.includes(name)).map((one) => [one.name, one] as const))(
  '%s takes its input as flags',
  (name, { ids, query, body }) => {
    const hasInput = commands.named(name).members.size > 0;
    const input = query ?? body ?? (hasInput ? {} : undefined);
    expect(read(name, ...ids, ...wordsOf(input ?? {}))).toEqual(input === undefined ? ids : [...ids, input]);
  },
);

const writes = OPERATIONS.filter(({ body }) => body !== undefined);
test.each(writes.map((one) => [one.name, one] as const))('%s takes its input as a body', (name, { ids, body }) => {
  expect(read(name, ...ids, '--body', JSON.stringify(body))).toEqual([...ids, body]);
});

describe('a word becomes the value that its member takes:', () => {
  const quote = [
    'accounts.quotes.create',
    'A',
    '--from.symbol',
    'USD',
    '--from.type',
    'fiat',
    '--to.symbol',
    'BTC',
    '--to.type',
    'crypto',
  ];

  test('an amount stays as it is written', () => {
    const amount = '000100.1000000000000000000000000000000001';
    expect(read(...quote, '--from.amount', amount)).toMatchObject(['A', { from: { amount } }]);
    expect(read(...quote, '--from.amount', 'true')).toMatchObject(['A', { from: { amount: 'true' } }]);
  });

  test('a number is a number, and one that would lose digits is refused', () => {
    expect(read(...quote, '--fee.bps', '12.5')).toMatchObject(['A', { fee: { bps: 12.5 } }]);
    expect(read(...quote, '--fee.bps', '9007199254740991')).toMatchObject([
      'A',
      { fee: { bps: 9_007_199_254_740_991 } },
    ]);
    for (const wrong of ['9007199254740993', '0.12345678901234567', 'x', '1e999', '0x10', '']) {
      expect(() => read(...quote, '--fee.bps', wrong)).toThrow(/--fee\.bps must be a number of at most 15 digits/);
    }
  });

  test('a boolean is true or false', () => {
    expect(read('users.assets.list', 'U', '--swap_trading', 'false')).toEqual(['U', { swap_trading: false }]);
    expect(() => read('users.assets.list', 'U', '--swap_trading', 'yes')).toThrow(
      '--swap_trading must be true or false, not "yes"',
    );
    expect(() => read('users.assets.list', 'U', '--swap_trading')).toThrow('--swap_trading needs a value');
  });

  test('null is null where the member takes it', () => {
    expect(read('users.update', 'U', '--phone', 'null')).toEqual(['U', { phone: null }]);
    const create = ['webhooks.create', '--url', 'https://x.example/', '--events', 'quote.executed'];
    expect(read(...create, '--description', 'null')).toMatchObject([{ description: 'null' }]);
  });

  test('an array repeats its flag; so do the members of objects in it', () => {
    expect(read('users.assets.list', 'U', '--type', 'crypto', '--type', 'fiat')).toEqual([
      'U',
      { type: ['crypto', 'fiat'] },
    ]);
    const assets = [
      '--assets.symbol',
      'BTC',
      '--assets.type',
      'crypto',
      '--assets.type',
      'fiat',
      '--assets.symbol',
      'USD',
    ];
    expect(read('accounts.portfolio.transactions.list', 'A', ...assets)).toEqual([
      'A',
      {
        assets: [
          { symbol: 'BTC', type: 'crypto' },
          { type: 'fiat', symbol: 'USD' },
        ],
      },
    ]);
  });

  test('what is not documented is text, or JSON', () => {
    const submit = ['users.verifications.submitUrl', 'U', '--front_url', 'https://x.example/', '--metadata.verifier'];
    expect(read(...submit, '12')).toMatchObject(['U', { metadata: { verifier: '12' } }]);
    expect(read(...submit, '{"id":12}')).toMatchObject(['U', { metadata: { verifier: { id: 12 } } }]);
    expect(() => read(...submit, '{')).toThrow('--metadata.verifier is not JSON');
  });
});

describe('what is wrong is refused, with the name that was meant:', () => {
  test.each<[words: string[], says: string]>([
    [['users.gte', 'U'], 'there is no operation "users.gte": did you mean users.get?'],
    [['users.get'], 'the path of users.get takes USER_ID: 0 given'],
    [['webhooks.list', 'x'], 'the path of webhooks.list takes no values: 1 given'],
    [['webhooks.list', '--page-size', '3'], 'webhooks.list has no flag "--page-size": did you mean --page_size?'],
    [['webhooks.list', '--page_size', '3', '--page_size', '4'], '--page_size is given twice'],
    [['webhooks.list', '--page_size', '--all'], '--page_size needs a value'],
    [['webhooks.list', '--body', '{}'], 'webhooks.list takes no body'],
    [['webhooks.list', '--all=1'], '--all takes no value'],
    [['webhooks.list', '--base-url'], '--base-url needs a value'],
    [
      ['accounts.quotes.create', 'A', '--from', 'USD'],
      '--from is an object: give --from.symbol, --from.type, --from.amount',
    ],
    [['accounts.quotes.create', 'A', '--from.symbol', 'USD'], 'needs --from.type, --to.symbol, --to.type'],
    [
      ['accounts.quotes.create', 'A', '--from.symbol', 'USD', '--body', '{}'],
      '--from.symbol and --body exclude each other',
    ],
    [['accounts.quotes.create', 'A', '--body', '{'], '--body is not JSON'],
    [['accounts.quotes.create', 'A', '--body', '@/no/such/file'], '--body: "/no/such/file" cannot be read: ENOENT'],
    [
      ['accounts.quotes.create', 'A', '--from.symbol', 'Z\ufffdrich'],
      '"Z\ufffdrich" has a character that is not UTF-8',
    ],
    [['users.get', 'half an emoji \ufffd'], '"half an emoji \ufffd" has a character that is not UTF-8'],
    [
      ['accounts.quotes.create', 'A', '--body', '{"fee":{"bps":0.12345678901234567}}'],
      '--body has the number "0.12345678901234567"',
    ],
    [['users.get', 'U', '--__proto__.x', '1'], 'users.get has no flag "--__proto__.x"'],
  ])('%j', (words, says) => {
    expect(() => read(...words)).toThrow(says);
  });

  test('digits in a text of a body are no number', () => {
    const text = '0.12345678901234567890 "1.12345678901234567890';
    expect(read('accounts.quotes.create', 'A', '--body', JSON.stringify({ text }))).toEqual(['A', { text }]);
  });
});
