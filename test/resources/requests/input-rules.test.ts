import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type CustomRequest, RequestValidationError } from '../../../src/index.js';
import { operations } from '../../../src/resources/operations.js';
import { documentedFactsOf, isAmountInput } from '../../../src/schema/schema.js';
import * as z from '../../../src/schema/zod.js';
import { limitsOf, type Rule, unwrapped } from '../../../tools/schemas/rules.js';
import {
  type Given,
  idNames,
  invoke,
  OPERATIONS,
  type OperationCase,
  operation,
  USER,
  withId,
  withMember,
} from '../support/operations.js';
import { rejection, startService, wrong } from '../support/service.js';

const service = startService();

/** Values of a member: those that its rule allows, to its ends, and those just beyond. */
interface Values {
  readonly accept: readonly unknown[];
  readonly refuse: readonly unknown[];
}

const filled = (length: number): string => 'x'.repeat(length);
const NOT_TEXT = [5, true, {}, []];
const DOCUMENT_URLS: Values = {
  accept: [`https://d.partner.test/${filled(4096 - 23)}`, 'HTTPS://d.partner.test/a?b#c'],
  refuse: [
    ...[
      '',
      'd.partner.test/a',
      'http://d.partner.test/a',
      'https:d.partner.test',
      'https://',
      ' https://d.partner.test',
    ],
    ...['https://d.partner.test\n', 'https://d.partner.test/a b', `https://d.partner.test/${filled(4096 - 22)}`],
  ],
};
const UUID = '3F0C1F7E-52A5-1B65-9A3D-0F7F6A1D2C3B';
const UUIDS: Values = {
  accept: [UUID, UUID.toLowerCase()],
  refuse: ['', 'bank', UUID.replaceAll('-', ''), UUID.slice(1)],
};
const FILTERED: Values = {
  accept: [[{ symbol: 'BTC' }, { type: 'fiat' }]],
  refuse: [[{}], [{ symbol: 'BT' }], [{ type: 'stock' }], [{ symbol: 'BTC' }, { symbol: undefined }]],
};
/** The service documents the durations, but not their spelling. */
const DURATIONS: Values = {
  accept: [
    ...['PT1M', 'PT60M', 'P7D', 'P1W', 'PT3600S', 'P0DT1H', 'PT0.5H', 'PT0,5H', 'P0Y0M0DT0H1M0S', 'P1Y2M10DT2H30M'],
    ...['P0000-00-01T00:00:00', 'P00000001T000000', 'P1W2D'],
  ],
  refuse: [
    ...[
      '1h',
      '60',
      'PT1',
      'pt1h',
      'P',
      'PT',
      'P1DT',
      'PT1H ',
      ' PT1H',
      'PT1H\n',
      'PT1H1D',
      'P1H',
      'PT-1H',
      'PT1.H',
      '',
    ],
    'P0000-00-01',
  ],
};
const PHONES: Values = {
  accept: ['+491701234567', '12', '123456789012345', '+12'],
  refuse: ['', '1', '+', '0123', '+0123', '1234567890123456', '+49 170', '12a', '\u0661\u0662', '12\n'],
};
const NATIONALITIES: Values = { accept: [['DE', 'FR'], []], refuse: [['de'], ['DEU'], ['D'], [''], [5], [null]] };
const AMOUNTS: Values = {
  accept: ['0', '1.50', '-0', '-1.5', '0001', '0.000000000000000001'],
  // Text that looks like a number to somebody, and is no money here.
  refuse: [
    ...['', ' ', '1e5', '1E5', '+1', ' 1', '1 ', '1\n', '1.', '.5', '-', '-.5', '--1', '1.2.3', '1,5', '1_000', '0x1f'],
    ...[
      'NaN',
      'Infinity',
      '-Infinity',
      '\u0661',
      '\uff11',
      '1\u00a0000',
      '$1',
      1.5,
      0,
      Number.NaN,
      Infinity,
      5n,
      ['1'],
    ],
    ...[new Date(0), Object('1'), { toFixed: () => '1' }],
  ],
};

/** Rules that have a form of text, by the ends of their places. */
const FORMS: Readonly<Record<string, Values>> = {
  'funds.addresses.delete: address_id': {
    accept: ['AB00000-00000-000000', 'ABzzzzz-ZZZZZ-999999'],
    refuse: [
      ...['', 'AB00000-00000-00000', 'AB00000-00000-0000000', 'ab00000-00000-000000', 'AC00000-00000-000000'],
      ...['AB00000_00000_000000', 'AB0000\u00e9-00000-000000', 'AB00000-00000-00000\n', 'AB00000-00000-000000\n'],
      ...['ABABABABABABABABABAB', ' AB00000-00000-000000', 'AB000000-0000-000000'],
    ],
  },
  'funds.withdrawalAddresses.save: method_id': UUIDS,
  'funds.withdrawalAddresses.validate: method_id': UUIDS,
  'assets.rates.list: interval': DURATIONS,
  'accounts.portfolio.transactions.list: assets': FILTERED,
  'accounts.portfolio.history: assets': { ...FILTERED, refuse: [...FILTERED.refuse, [{ symbol: 'BTC', name: 'x' }]] },
  'rampQuotes.prospective: affiliate_fee_bps': {
    accept: ['0', '1', '0100', '9999', '10000'],
    refuse: ['10001', '00100', '99999', '', '-1', '1.5', '1 ', ' 1', '1\n', '1e2'],
  },
  'earn.auto.assets.list: country': {
    accept: ['DE', 'US'],
    refuse: ['D', 'DEU', 'de', 'De', 'D1', '', 'DE\n', ' DE'],
  },
  'users.create: phone': PHONES,
  'users.update: phone': PHONES,
  'users.create: nationalities': NATIONALITIES,
  'users.update: nationalities': NATIONALITIES,
  'users.verifications.submitUrl: front_url': DOCUMENT_URLS,
  'users.verifications.submitUrl: proof_of_address.document_url': DOCUMENT_URLS,
  'webhooks.create: url': {
    accept: [
      ...['https://hooks.partner.test', `https://hooks.partner.test/${filled(2048 - 27)}`],
      ...['http://localhost:3000/in', 'http://127.0.0.1/in?a=b', 'http://[::1]:8080'],
    ],
    refuse: [
      ...[
        '',
        'hooks.partner.test',
        'http://hooks.partner.test',
        'http://localhost.partner.test/',
        'http://127.0.0.1.test',
      ],
      ...['https://user:pass@hooks.partner.test', 'https://user@hooks.partner.test', 'http://user@localhost/'],
      ...['ftp://hooks.partner.test', 'https://', ' https://hooks.partner.test', 'https://hooks.partner.test/a b'],
      `https://hooks.partner.test/${filled(2048 - 26)}`,
    ],
  },
};

/** Members whose rule depends on others of the same input, and those that may only be absent beside others. */
const DEPENDENT =
  /(: (trade\.)?to\.amount|when\.rises_to|transfers\.create: to\.(account|email|tag)|submitUrl: \w+_url|depositLimits.list: page_size)$/;
const NEEDED = /(\bfrom\.amount|when\.drops_to)$/;

/** The values of a rule by its definition. `sample` is one that fits. */
function valuesOf(rule: Rule, sample: unknown): Values {
  const { def } = (rule as z.core.$ZodTypes)._zod;
  const limits = limitsOf(rule) as Readonly<Record<string, number | undefined>>;
  const fitting = sample === undefined ? [] : [sample];
  switch (def.type) {
    case 'string': {
      const { minLength = 0, maxLength } = limits;
      const text = isAmountInput(rule) ? (length: number) => '9'.repeat(length) : filled;
      const beyond = [...(minLength > 0 ? [text(minLength - 1)] : []), ...(maxLength ? [text(maxLength + 1)] : [])];
      const hasForm = !isAmountInput(rule) && def.checks?.some(({ _zod }) => !/_length$/.test(_zod.def.check));
      const inside = hasForm || 'format' in def ? fitting : [text(Math.max(minLength, 1)), text(maxLength ?? 250)];
      const more = isAmountInput(rule) ? AMOUNTS : { accept: [], refuse: [] };
      return { accept: [...inside, ...more.accept], refuse: [...beyond, ...NOT_TEXT, ...more.refuse] };
    }
    case 'number': {
      const { minimum, maximum = 2 ** 31 } = limits;
      if (minimum === undefined) return { accept: [0, 25], refuse: ['25', Number.NaN, Infinity] };
      const beyond = limits['maximum'] === undefined ? [] : [maximum + 1];
      return { accept: [minimum, maximum], refuse: [minimum - 1, ...beyond, -1, 1.5, '5', Number.NaN, Infinity, true] };
    }
    case 'boolean':
      return { accept: [true, false], refuse: ['true', 1] };
    case 'literal':
      return { accept: def.values, refuse: ['another', '', String(def.values[0]).toUpperCase(), ...NOT_TEXT] };
    case 'array': {
      const items = valuesOf(def.element as Rule, undefined);
      const { maxItems } = limits;
      const tooMany = maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => items.accept[0])];
      const wrongItems = items.refuse.map((item) => [items.accept[0], item]);
      return { accept: [[], items.accept, ...fitting], refuse: [...tooMany, ...wrongItems, 'text', 5, {}] };
    }
    case 'object':
      return { accept: fitting, refuse: ['text', 5, []] };
    default:
      return { accept: ['text', 5, {}], refuse: [] };
  }
}

interface Case extends Values {
  readonly op: OperationCase;
  readonly name: string;
  readonly member: string;
}

/** Every member of the object that a rule describes, at any depth. */
function casesOf(op: OperationCase, rule: Rule | undefined, sample: unknown, prefix = ''): Case[] {
  const def = (unwrapped(rule) as z.core.$ZodTypes | undefined)?._zod.def;
  if (def?.type !== 'object') return [];
  return Object.entries(def.shape).flatMap(([name, inner]) => {
    const own = Reflect.get(Object(sample), name);
    const member = `${prefix}${name}`;
    const place = `${op.name}: ${member}`;
    if (DEPENDENT.test(place) && FORMS[place] === undefined) return [];
    const { shown = inner } = documentedFactsOf(inner);
    const { accept, refuse } = valuesOf(unwrapped(shown) as Rule, own);
    const form = FORMS[place];
    const absent = (NEEDED.test(place) ? [null] : [undefined, null]).map(
      (one) => [one, z.safeParse(inner, one).success] as const,
    );
    return [
      {
        op,
        name: op.name,
        member,
        accept: [...(form?.accept ?? []), ...accept, ...absent.flatMap(([one, fits]) => (fits ? [one] : []))],
        refuse: [...(form?.refuse ?? []), ...refuse, ...absent.flatMap(([one, fits]) => (fits ? [] : [one]))],
      },
      ...casesOf(op, inner, own, `${member}.`),
    ];
  });
}

const CASES = OPERATIONS.flatMap((op) => {
  const { params, query, body } = operations.find(({ name }) => name === op.name) ?? {};
  const ids = Object.fromEntries(idNames(op).map((name, index) => [name, op.ids[index]]));
  return [...casesOf(op, params?.(), ids), ...casesOf(op, query?.(), op.query), ...casesOf(op, body?.(), op.body)];
});

/** The sample input of an operation with one member of it replaced. */
function given(op: OperationCase, member: string, value: unknown): Partial<Given> {
  const index = idNames(op).indexOf(member);
  // `key` and `asset_symbol` are ids of some operations and body members of others.
  if (index >= 0) return { ids: withId(op, index, wrong(value)) };
  if (op.body !== undefined) return { body: withMember(op.body, member, value) };
  // Beside a token the size of deposit limits has no rule: the sizes of all lists are tested on their first page.
  const query = member === 'page_size' ? withMember(op.query, 'page_token', undefined) : op.query;
  return { query: withMember(query, member, value) };
}

const paths = (error: unknown): string[] => {
  expect(error).toBeInstanceOf(RequestValidationError);
  return (error as RequestValidationError).issues.map(({ path }) => path);
};
const show = (value: unknown): string => inspect(value, { depth: 2, maxStringLength: 40 });

it.each(CASES)('$name: $member takes what its rule allows, to its ends, and nothing beyond', async (one) => {
  const { op, member, accept, refuse } = one;
  service.answerJson(op.answer);
  const client = service.client({ responseValidation: 'warn', logger: { warn: () => {} } });
  for (const value of accept)
    await expect(Promise.resolve(invoke(op, client, given(op, member, value))), show(value)).resolves.not.toThrow();
  expect(service.received).toHaveLength(accept.length);
  for (const value of refuse) {
    const error = await rejection(() => invoke(op, client, given(op, member, value)));
    const named = paths(error);
    expect(named.length, show(value)).toBeGreaterThan(0);
    for (const path of named)
      expect(path === member || path.startsWith(`${member}.`), `${show(value)}: ${path}`).toBe(true);
  }
  expect(service.received).toHaveLength(accept.length);
});

it('deposit limits take any page_size beside a token, which the service ignores then, and refuse it without', async () => {
  const op = operation('funds.depositLimits.list');
  service.answerJson(op.answer);
  const client = service.client();
  for (const page_size of [0, 26, 1.5]) {
    const error = await rejection(() => invoke(op, client, { query: { page_size } }));
    expect(paths(error)).toEqual(['page_size']);
    await invoke(op, client, { query: { page_size, page_token: 'x' } });
  }
  const error = await rejection(() => invoke(op, client, { query: { page_size: wrong('26'), page_token: 'x' } }));
  expect(paths(error)).toEqual(['page_size']);
  expect(service.received).toHaveLength(3);
});

/** Members of which exactly one is given. */
const ALTERNATIVES: readonly (readonly [operation: string, one: string, other: string])[] = [
  ['accounts.quotes.create', 'from.amount', 'to.amount'],
  ['accounts.onchainQuotes.create', 'from.amount', 'to.amount'],
  ['accounts.priceTriggerSwaps.create', 'trade.from.amount', 'trade.to.amount'],
  ['accounts.priceTriggerSwaps.create', 'when.drops_to', 'when.rises_to'],
];

describe.each(ALTERNATIVES)('%s: exactly one of %s and %s', (name, one, other) => {
  const op = operation(name);
  const neither = withMember(withMember(op.body, one, undefined), other, undefined);

  it.each([
    [one, other],
    [other, one],
  ])('takes %s alone, also where %s is there but undefined', async (given, absent) => {
    service.answerJson(op.answer);
    const body = withMember(neither, given, '1');
    const beside = structuredClone(withMember(body, absent, '2'));
    setUndefined(beside, absent);
    for (const sent of [body, beside]) await invoke(op, service.client(), { body: sent });
    expect(service.received.map(({ body }) => JSON.parse(body))).toEqual([body, body]);
  });

  it('refuses both and neither', async () => {
    for (const body of [neither, withMember(withMember(neither, one, '1'), other, '1')]) {
      const error = await rejection(() => invoke(op, service.client(), { body }), RequestValidationError);
      expect(paths(error)).toEqual([one]);
      expect(error.message).toContain(`: ${one}: exactly one of `);
    }
    expect(service.received).toEqual([]);
  });
});

function setUndefined(body: Record<string, unknown>, member: string): void {
  const names = member.split('.');
  const last = names.pop() as string;
  const holder = names.reduce((at, name) => at[name] as Record<string, unknown>, body);
  holder[last] = undefined;
}

describe('the memo of a whitelisted wallet', () => {
  const whitelist = operation('accounts.wallets.whitelist');
  const CHAINS = ['XRP', 'ripple', 'XRPL', 'xlm', 'Stellar', 'EOS', 'Cosmos', 'cosmosHub'];

  it.each(CHAINS)('is required on %s', async (via) => {
    const client = service.client();
    for (const body of [
      { via, address: 'a' },
      { via, address: 'a', memo: undefined },
      { via, address: 'a', memo: '' },
    ])
      expect(paths(await rejection(() => invoke(whitelist, client, { body })))).toEqual(['memo']);
    expect(service.received).toEqual([]);
    service.answerJson(whitelist.answer);
    await invoke(whitelist, client, { body: { via, address: 'a', memo: '7' } });
    expect(JSON.parse(service.only.body)).toEqual({ via, address: 'a', memo: '7' });
  });

  it.each(['bitcoin', 'sepa', 'a rail of a later edition'])('is not required on %s', async (via) => {
    service.answerJson(whitelist.answer);
    await invoke(whitelist, service.client(), { body: { via, address: 'a' } });
    expect(JSON.parse(service.only.body)).toEqual({ via, address: 'a' });
  });
});

describe('every refusal', () => {
  it.each(OPERATIONS.filter(({ ids }) => ids.length > 0))('$name rejects, never throws at once', async (op) => {
    const client = service.client();
    const call = invoke(op, client, { ids: op.ids.map(() => '') });
    const error = await rejection(call);
    expect(paths(error)).toEqual(idNames(op));
    expect(error).toMatchObject({ outcome: 'not_applied', operation: op.name, attempts: { count: 0, failures: [] } });
    expect(service.received).toEqual([]);
  });

  it.each(OPERATIONS.filter(({ query, body }) => query || body))('$name takes an object alone', async (op) => {
    const client = service.client();
    for (const given of ['page_size=1', 5, true, ['a'], ...(op.body ? [undefined, null, []] : [])])
      await rejection(() => invoke(op, client, wrong({ [op.body ? 'body' : 'query']: given })), RequestValidationError);
    expect(service.received).toEqual([]);
  });

  it('a whitelist call without OTP is refused before it is sent', async () => {
    const error = await rejection(() =>
      invoke(operation('accounts.wallets.whitelist'), service.client(), {}, { otp: undefined }),
    );
    expect(paths(error)).toEqual(['options.otp']);
    expect(service.received).toEqual([]);
  });
});

it('request() without a request is refused', async () => {
  for (const request of [undefined, null, 5, 'x'])
    await rejection(() => service.client().request(wrong<CustomRequest>(request)), RequestValidationError);
});

it('prefetch is refused when it is no boolean, and on what is no list', async () => {
  const client = service.client();
  for (const call of [
    () => client.webhooks.list({}, wrong({ prefetch: 1 })),
    () => client.users.get(USER, wrong({ prefetch: true })),
  ])
    expect(paths(await rejection(call))).toEqual(['options.prefetch']);
});
