import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, isPartnerError } from '../../../src/index.js';
import { canonical, LEGAL, Money, moneyText, toExpected, toSeen, toWire } from '../support/legal.js';
import { envelope, invoke, OPERATIONS, type OperationCase, operation, pathOf } from '../support/operations.js';
import { forRequest, rejection, startService } from '../support/service.js';

const service = startService();
const RUNS = 60;

/** The part of a legal body that the method's result shows. */
function shown(op: OperationCase, body: Record<string, unknown>): unknown {
  if (op.name === 'users.verifications.list')
    return { verifications: (body['data'] as { verifications: unknown }).verifications };
  if (!op.paged && op.name !== 'accounts.portfolio.details') return body['data'];
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

const ANSWERING = OPERATIONS.filter(({ name }) => name in LEGAL);

describe.each(ANSWERING)('$name', (op) => {
  const request = { method: op.method, pathname: pathOf(op, op.ids), body: JSON.stringify(op.body) };
  const legal = (LEGAL[op.name] ?? fc.constant({})).map((body) => forRequest(request, body) as typeof body);

  it('takes every legal answer, with exact money and every unknown member', async () => {
    const client = service.client();
    await fc.assert(
      fc.asyncProperty(legal, async (body) => {
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

it('the operation without a value is the only one without legal answers', () => {
  expect(OPERATIONS.filter(({ name }) => !(name in LEGAL)).map(({ name }) => name)).toEqual(['funds.addresses.delete']);
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
