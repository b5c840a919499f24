import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, isPartnerError, type PartnerClient, ResponseValidationError } from '../../../src/index.js';
import { canonical, Money, moneyText, toExpected, toSeen, toWire } from '../support/exact.js';
import {
  envelope,
  givesEnvelope,
  invoke,
  OPERATIONS,
  type OperationCase,
  operation,
  pathOf,
  withMember,
} from '../support/operations.js';
import { forRequest, json, rejection, startService } from '../support/service.js';

const service = startService();
const RUNS = 60;

/** The part of a legal body that the method's result shows. */
function shown(op: OperationCase, body: Record<string, unknown>): unknown {
  if (op.name === 'users.verifications.list')
    return { verifications: (body['data'] as { verifications: unknown }).verifications };
  if (!givesEnvelope(op)) return body['data'];
  const { next_page_token: token, ...rest } = body;
  return token === undefined || token === null ? rest : { ...rest, next_page_token: token };
}

/** Compares JSON text with the body it came from: money by value and in plain digits, all else as it is. */
function expectSameJson(legal: unknown, seen: unknown, path = ''): void {
  if (legal instanceof Money) {
    expect(seen, path).toMatch(/^-?[0-9]+(\.[0-9]+)?$/);
    expect(canonical(seen as string), path).toBe(canonical(legal.text));
  } else if (typeof legal === 'object' && legal !== null) {
    expect(Object.keys(seen as object).sort(), path).toEqual(Object.keys(legal).sort());
    for (const [name, member] of Object.entries(legal))
      expectSameJson(member, (seen as Record<string, unknown>)[name], `${path}.${name}`);
  } else expect(seen, path).toEqual(Object.is(legal, -0) ? 0 : legal);
}

/** A new quote has the amount that was asked for. */
function withAskedAmounts({ name, body: asked }: OperationCase, legal: unknown): unknown {
  if (!/[qQ]uotes\.create$/.test(name)) return legal;
  return (['from', 'to'] as const).reduce((answer, side) => {
    const amount = (asked as Record<typeof side, { amount?: string }>)[side].amount;
    const of = (answer as { data: Record<string, object> }).data;
    return amount === undefined
      ? answer
      : { ...(answer as object), data: { ...of, [side]: { ...of[side], amount: new Money(amount) } } };
  }, legal);
}

/** Members that no edition of the service has yet. */
const unknownMembers = fc.dictionary(
  fc.string({ unit: 'binary', maxLength: 12 }).map((name) => `x_${name}`),
  fc.jsonValue({ maxDepth: 1 }),
  { maxKeys: 2 },
);

/** The body with other texts where the client finds amounts in it, and with more members in each object. */
function changed(body: unknown, read: unknown, texts: Iterator<string>, more: object): unknown {
  if (Decimal.isDecimal(read)) return new Money(texts.next().value ?? '0');
  // The size of a report may come as text, too.
  if (typeof read === 'number') return read;
  if (Array.isArray(body)) return body.map((item, index) => changed(item, (read as unknown[])[index], texts, more));
  if (typeof body !== 'object' || body === null) return body;
  const of = read as Readonly<Record<string, unknown>>;
  const members = Object.entries(body).map(([name, value]) => [name, changed(value, of[name], texts, more)]);
  return { ...more, ...Object.fromEntries(members) };
}

const count = (read: unknown): number => {
  if (Decimal.isDecimal(read)) return 1;
  return typeof read === 'object' && read !== null ? Object.values(read).reduce((sum, one) => sum + count(one), 0) : 0;
};

describe.each(OPERATIONS.filter(({ nothing }) => !nothing))('$name', (op) => {
  const request = { method: op.method, pathname: pathOf(op, op.ids), body: JSON.stringify(op.body) };

  it('takes every amount exactly, and every unknown member', async () => {
    const client = service.client();
    service.answerJson(op.answer);
    const sample = envelope(op, await invoke(op, client));
    const read = givesEnvelope(op) ? sample : { data: sample };
    const amounts = count(read);
    const texts = fc.array(moneyText, { minLength: amounts, maxLength: amounts });
    await fc.assert(
      fc.asyncProperty(texts, unknownMembers, async (given, more) => {
        const own = forRequest(request, changed(op.answer, read, given.values(), more));
        const body = withAskedAmounts(op, own) as Record<string, unknown>;
        service.answerJson(toWire(body));
        const result = envelope(op, await invoke(op, client));
        expect(toSeen(result)).toEqual(JSON.parse(JSON.stringify(toExpected(shown(op, body)))));
        expectSameJson(shown(op, body), JSON.parse(JSON.stringify(result)));
      }),
      { numRuns: RUNS },
    );
  });

  it('takes its sample answer in warn mode as in strict mode', async () => {
    service.answerJson(op.answer);
    const strict = envelope(op, await invoke(op, service.client()));
    const warn = envelope(op, await invoke(op, service.client({ responseValidation: 'warn' })));
    expect(toSeen(warn)).toEqual(toSeen(strict));
  });
});

describe('Decimal', () => {
  it('holds every digit, and JSON gives plain decimal text', () => {
    fc.assert(
      fc.property(moneyText, (value) => {
        const decimal = new Decimal(value);
        expect(canonical(decimal.toFixed())).toBe(canonical(value));
        const text = JSON.parse(JSON.stringify({ decimal })).decimal;
        expect(text).toMatch(/^-?[0-9]+(\.[0-9]+)?$/);
        expect(String(decimal)).toMatch(/^-?[0-9]+(\.[0-9]+)?$/);
        expect([text, String(decimal)].map(canonical)).toEqual([canonical(value), canonical(value)]);
      }),
    );
  });

  it.each([
    '0.0000001',
    '-0.00000000000000000000000000000000000000012',
    `1${'0'.repeat(60)}`,
    '1000000000000000000000',
  ])('writes %s without an exponent, each way', (text) => {
    const decimal = new Decimal(text);
    expect([JSON.stringify(decimal), String(decimal), decimal.toFixed()]).toEqual([`"${text}"`, text, text]);
  });

  it('adds and multiplies 30-digit amounts exactly, and divides half to even at 64 digits or more', () => {
    const a = new Decimal('123456789012345678901234567890.1');
    expect(a.times('1000000000000000000000000000.01').toFixed()).toBe(
      '123456789012345678901234567891334567890123456789012345678.901',
    );
    expect(new Decimal(1).div(3).toFixed().length).toBeGreaterThanOrEqual(66);
    expect(new Decimal('0.5').toDecimalPlaces(0).toFixed()).toBe('0');
    expect(new Decimal('1.5').toDecimalPlaces(0).toFixed()).toBe('2');
  });

  it('an error of a wrong answer is an error of this package', async () => {
    service.answerJson({ data: 5 });
    expect(isPartnerError(await rejection(() => invoke(operation('users.get'), service.client())))).toBe(true);
  });
});

const sides = (...prefixes: string[]): string[] => prefixes.map((prefix) => `${prefix}.amount`);
const QUOTE = [...sides('data.from', 'data.to', 'data.fees.trade'), 'data.rate.price'];
const RAMP_SIDE = ['total', 'subtotal', 'fee', 'deposit_fee', 'affiliate_fee', 'withdrawal_fee'];

/** Where money stands in each sample answer. */
const AMOUNTS: readonly (readonly [name: string, paths: readonly string[]])[] = [
  [
    'users.assets.list',
    [
      ...['price', 'market_cap', 'volume.last_24h', 'supply.circulating', 'supply.total', 'supply.max', 'ath.value'],
      ...['circulating', 'total', 'max'].map((figure) => `supply.in_quote.${figure}`),
      ...['1h', '24h', '7d', '30d', '1y'].map((period) => `price_change_percent.last_${period}`),
    ].map((path) => `data.0.${path}`),
  ],
  [
    'accounts.onDemandConversions.list',
    [...sides('from', 'to', 'fees.from', 'fees.trade', 'fees.to'), 'rate.price'].map((path) => `data.0.${path}`),
  ],
  ['accounts.quotes.get', QUOTE],
  ['accounts.quotes.create', QUOTE],
  ['accounts.onchainQuotes.create', sides('data.from', 'data.to')],
  [
    'accounts.portfolio.details',
    [
      ...['index_price', 'total', 'available', 'open_orders', 'total_in_quote', 'available_in_quote'],
      ...['avg_entry_price_in_quote', 'cost_basis_in_quote', 'pnl.unrealized', 'pnl.realized'],
    ].map((path) => `data.0.${path}`),
  ],
  [
    'accounts.portfolio.summary',
    ['value', 'cost_basis', 'available', 'withheld', 'open_orders', 'pnl.unrealized'].map((path) => `data.${path}`),
  ],
  [
    'accounts.portfolio.transactions.list',
    ['spend', 'receive'].flatMap((side) =>
      ['sub_total', 'fee', 'total', 'balance'].flatMap((part) =>
        ['amount', 'amount_in_quote'].map((path) => `data.0.${side}.${part}.${path}`),
      ),
    ),
  ],
  [
    'accounts.portfolio.history',
    ['assets.0.amount', 'assets.1.amount', 'value', 'total_pnl'].map((path) => `data.0.${path}`),
  ],
  [
    'funds.depositLimits.list',
    ['data.0.maximum_amount.amount', ...['remaining', 'maximum'].map((member) => `data.0.period_limits.0.${member}`)],
  ],
  [
    'rampQuotes.prospective',
    [
      ...['from', 'to'].flatMap((side) => RAMP_SIDE.map((member) => `data.${side}.${member}`)),
      'data.unit_price.unit_price',
    ],
  ],
];
const NO_DECIMAL: readonly unknown[] = [
  ...[0, 1, 1.5, 1e300, -0.1, true, {}, [], ['1']],
  ...[
    '1e1000',
    '1E-1000000000',
    '9'.repeat(257),
    'NaN',
    'Infinity',
    '-Infinity',
    '1_000',
    '1,000',
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '1.',
    '.',
    '5.e1',
    '0x1f',
    '--1',
  ],
];

const member = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (at as Record<string, unknown>)[name], value);

describe.each(AMOUNTS)('%s: what is no decimal text', (name, paths) => {
  const op = operation(name);

  it('every amount of its sample answer is in the table', async () => {
    const listed = paths.filter((path) => member(op.answer, path) !== null).length;
    service.answerJson(op.answer);
    const result = envelope(op, await invoke(op, service.client()));
    const { data } = result as { data?: unknown };
    expect(count(Array.isArray(data) ? data[0] : result)).toBe(listed);
  });

  it.each(paths)('is refused at %s', async (path) => {
    const client = service.client();
    for (const value of NO_DECIMAL) {
      service.answer((request) => json(withMember(forRequest(request, op.answer), path, value)));
      const error = await rejection(() => invoke(op, client));
      expect(error, JSON.stringify(value)).toBeInstanceOf(ResponseValidationError);
      expect((error as ResponseValidationError).issues.map((issue) => issue.path)).toEqual([path]);
    }
  });

  it('is handed over as it came in warn mode, with all the rest read, and reported to the logger', async () => {
    const lines: unknown[] = [];
    const log = (...line: unknown[]) => void lines.push(...line);
    const logger = { debug: () => {}, info: () => {}, warn: log, error: log };
    const client: PartnerClient = service.client({ responseValidation: 'warn', logger });
    const [path = '', ...others] = paths;
    for (const value of [1.5, '1e1000', '']) {
      lines.length = 0;
      service.answer((request) => json(withMember(forRequest(request, op.answer), path, value)));
      const whole = envelope(op, await invoke(op, client));
      const body = givesEnvelope(op) ? whole : { data: whole };
      expect(member(body, path)).toEqual(value);
      for (const other of others) {
        const sent = member(op.answer, other);
        if (sent === null) expect(member(body, other)).toBeNull();
        else expect(toSeen(member(body, other)), other).toEqual({ money: canonical(sent as string) });
      }
      expect(JSON.stringify(lines)).toContain(path);
    }
  });
});
