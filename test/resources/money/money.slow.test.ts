import { Decimal as ForeignDecimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/index.js';
import { canonical, Money, moneyText, toExpected, toSeen, toWire } from '../support/exact.js';
import { envelope, givesEnvelope, invoke, OPERATIONS, type OperationCase, pathOf } from '../support/operations.js';
import { forRequest, startService } from '../support/service.js';

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

  it('gives its plain text to BSON and node-postgres, and leaves other clones of decimal.js alone', () => {
    const amount = new Decimal('1e-18') as Decimal & { toBSON(): unknown; toPostgres(): unknown };
    expect([amount.toBSON(), amount.toPostgres()]).toEqual(['0.000000000000000001', '0.000000000000000001']);
    expect('toBSON' in new ForeignDecimal(1)).toBe(false);
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
});
