import { inspect } from 'node:util';
import { Decimal as ApplicationDecimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/index.js';
import { decimalOf } from '../../src/schema/parse-decimal.js';

type Constructor = typeof Decimal;
type Callable = (...args: unknown[]) => unknown;

/** A clone with the same settings, and without a guard. */
const unguarded = (): Constructor =>
  ApplicationDecimal.clone({
    defaults: true,
    precision: Decimal.precision,
    rounding: Decimal.rounding,
    toExpNeg: Decimal.toExpNeg,
    toExpPos: Decimal.toExpPos,
  });
const Plain = unguarded();

/** An amount as the constructor makes it, and as it is read from an answer. */
const both = (text: string): Decimal[] => [new Decimal(text), decimalOf(text) ?? new Decimal(text)];
const asUnknown = (value: unknown) => value as never;

describe('an operator that would turn amounts into numbers', () => {
  const [a, b] = [new Decimal('9'), new Decimal('10')];
  const operators: Readonly<Record<string, (a: never, b: never) => unknown>> = {
    'a > b': (a, b) => a > b,
    'a < b': (a, b) => a < b,
    'a >= b': (a, b) => a >= b,
    'a <= b': (a, b) => a <= b,
    'a > 1': (a) => a > 1,
    '1 < a': (a) => 1 < a,
    'a > "1"': (a) => (a as string) > '1',
    '-a': (a) => -a,
    '+a': (a) => +a,
    'a * b': (a, b) => a * b,
    'a - b': (a, b) => a - b,
    'a / b': (a, b) => a / b,
    'a % b': (a, b) => a % b,
    'a ** b': (a, b) => a ** b,
    'a | 0': (a) => a | 0,
    'Number(a)': (a) => Number(a),
    'Math.max(a, b)': (a, b) => Math.max(a, b),
    'isNaN(a)': (a) => Number.isNaN(Math.abs(a)),
    'sort((a, b) => a - b)': (a, b) => [a, b].sort((x, y) => x - y),
  };
  it.each(Object.entries(operators))('%s throws a TypeError that names the methods', (_, operate) => {
    const theirs = new Plain('10');
    const pairs = [
      [a, b],
      [decimalOf('9'), decimalOf('10')],
      [a, theirs],
      // An operator with one operand is for ours.
      ...(operate.length === 2 ? [[theirs, a]] : []),
    ];
    for (const [one, other] of pairs) {
      let error: unknown;
      try {
        operate(asUnknown(one), asUnknown(other));
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(TypeError);
      for (const name of ['.gt()', '.lt()', '.toNumber()']) expect((error as Error).message).toContain(name);
    }
  });

  it('throws for the results of every kind of arithmetic as well', () => {
    const results = [a.plus(b), a.sqrt(), a.pow(2), Decimal.max(a, b), Decimal.sum(a, b), Decimal.clone().sqrt(a)];
    for (const result of results) expect(() => Number(result)).toThrow(TypeError);
  });

  it('throws again after a method that reads numbers has failed', () => {
    expect(() => a.pow(asUnknown('no number'))).toThrow();
    expect(() => Number(a)).toThrow(TypeError);
  });
});

describe('text of amounts', () => {
  it('stays: templates, joined text, JSON, valueOf, inspect, keys, default order', () => {
    for (const amount of both('-1234.50')) {
      expect(`${amount}`).toBe('-1234.5');
      expect(`total ${amount}`).toBe('total -1234.5');
      expect(asUnknown('total ') + asUnknown(amount)).toBe('total -1234.5');
      expect(String(amount)).toBe('-1234.5');
      expect(JSON.stringify({ amount })).toBe('{"amount":"-1234.5"}');
      expect(amount.valueOf()).toBe('-1234.5');
      expect({ [asUnknown(amount)]: 1 }).toEqual({ '-1234.5': 1 });
      expect(inspect(amount)).toBe('-1234.5');
      expect(inspect({ amount })).toBe('{ amount: -1234.5 }');
      expect(Object.prototype.toString.call(amount)).toBe('[object Decimal]');
    }
    expect(`${new Decimal('-0')} ${new Decimal('-0').valueOf()}`).toBe('0 -0');
  });

  it('formats with Intl and sorts with cmp, as docs/money/money.md says', () => {
    expect(new Intl.NumberFormat('en').format(new Decimal('1234567.25').toFixed() as never)).toBe('1,234,567.25');
    const sorted = ['10', '9', '-1'].map((text) => new Decimal(text)).sort((a, b) => a.cmp(b));
    expect(sorted.map(String)).toEqual(['-1', '9', '10']);
  });
});

describe('decimal.js of the application', () => {
  it('is as it was: its values compare and convert as ever', () => {
    const [a, b] = [new ApplicationDecimal('9'), new ApplicationDecimal('10')];
    expect(Number(a)).toBe(9);
    expect(-asUnknown(b)).toBe(-10);
    expect(asUnknown(a) > asUnknown(b)).toBe(true);
    expect(Object.getOwnPropertySymbols(ApplicationDecimal.prototype)).not.toContain(Symbol.toPrimitive);
    expect(Number(ApplicationDecimal.clone({ precision: 5 }).sqrt(2))).toBeCloseTo(Math.SQRT2, 4);
  });

  it('works with amounts of ours, and ours with its values', () => {
    const [ours, theirs] = [new Decimal('2.25'), new ApplicationDecimal('4')];
    expect(theirs.plus(ours).toFixed()).toBe('6.25');
    expect(theirs.pow(ours).toFixed(4)).toBe('22.6274');
    expect(theirs.gt(ours)).toBe(true);
    expect(ApplicationDecimal.max(theirs, ours).toFixed()).toBe('4');
    expect(ApplicationDecimal.sqrt(ours).toNumber()).toBe(1.5);
    expect(ours.plus(theirs).toFixed()).toBe('6.25');
    expect(ours.pow(theirs).toFixed()).toBe('25.62890625');
    expect(Decimal.sum(theirs, ours).toFixed()).toBe('6.25');
    expect(Decimal.isDecimal(theirs) && ApplicationDecimal.isDecimal(ours)).toBe(true);
    expect(theirs instanceof Decimal && ours instanceof ApplicationDecimal && ours instanceof Decimal).toBe(true);
    expect(({} as object) instanceof Decimal).toBe(false);
    expect(Decimal.isDecimal('1')).toBe(false);
  });
});

/** Names of all functions of an object and of what it inherits from, without Object's own. */
function functionsOf(object: object): string[] {
  const names = new Set<string>();
  for (
    let level = object;
    level !== Object.prototype && level !== Function.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (typeof Reflect.get(object, name) === 'function') names.add(name);
    }
  }
  return [...names].sort();
}

/** What a call gives or throws, with the kind of each value, so that the two can be compared. */
function outcome(call: () => unknown): unknown {
  try {
    return shown(call());
  } catch (error) {
    // An amount in the place of a count of digits is refused by both; ours says why in its own words.
    return { refused: error instanceof Error };
  }
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (!Decimal.isDecimal(value)) return value;
  const { s, e, d } = value as Decimal;
  return { s, e, d };
}

/** Short numbers, so that powers and trigonometry of 80 digits end soon. */
const text = fc.oneof(
  fc.constantFrom('0', '-0', '1', '-1', '0.5', '2', '-8', '27', '10', '1e-7', 'NaN', 'Infinity', '-Infinity'),
  fc.tuple(fc.integer({ min: -30, max: 30 }), fc.nat({ max: 99 })).map(([whole, part]) => `${whole}.${part}`),
);
/** What a second argument may be: an amount or text; for `toFixed` and its kin a small number is legal as well. */
const argument = fc.oneof(text, fc.integer({ min: 0, max: 9 }));

/** What decimal.js has not: how databases take an amount. */
const OWN = ['toBSON', 'toPostgres'];

describe('every method and static of decimal.js', () => {
  const methods = functionsOf(Decimal.prototype).filter((name) => ![...OWN, 'constructor'].includes(name));
  const statics = functionsOf(Decimal).filter(
    (name) => !['clone', 'config', 'set', 'random', 'prototype'].includes(name),
  );

  it('is there, as in an unguarded clone', () => {
    expect(functionsOf(Decimal.prototype)).toEqual([...functionsOf(Plain.prototype), ...OWN].sort());
    expect(functionsOf(Decimal)).toEqual(functionsOf(Plain));
    expect(methods.length).toBeGreaterThan(70);
    expect(statics.length).toBeGreaterThan(30);
  });

  it.each(methods)('.%s() gives what it gives unguarded, as values of ours', (name) => {
    const call = (value: Decimal, args: unknown[]) => (Reflect.get(value, name) as Callable).apply(value, args);
    fc.assert(
      fc.property(text, fc.array(argument, { maxLength: 2 }), (value, args) => {
        const expected = outcome(() => call(new Plain(value), args));
        for (const ours of both(value)) {
          expect(outcome(() => call(ours, args))).toEqual(expected);
          const amounts = args.map((arg) => (typeof arg === 'string' ? new Decimal(arg) : arg));
          const foreign = args.map((arg) => (typeof arg === 'string' ? new Plain(arg) : arg));
          expect(outcome(() => call(ours, amounts))).toEqual(outcome(() => call(new Plain(value), foreign)));
          expect(outcome(() => call(ours, foreign))).toEqual(outcome(() => call(new Plain(value), foreign)));
          expectOurs(() => call(ours, args));
        }
      }),
      {
        numRuns: 20,
        examples: [
          ['2', []],
          ['2', ['3']],
          ['8', [2]],
        ],
      },
    );
  });

  it.each(statics)('Decimal.%s() gives what it gives unguarded, as values of ours', (name) => {
    const call = (of: Constructor, args: unknown[]) => (Reflect.get(of, name) as Callable).apply(of, args);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), (args) => {
        const expected = outcome(() => call(Plain, args));
        const amounts = () => args.map((arg) => new Decimal(arg));
        expect(outcome(() => call(Decimal, args))).toEqual(expected);
        expect(outcome(() => call(Decimal, amounts()))).toEqual(
          outcome(() =>
            call(
              Plain,
              args.map((arg) => new Plain(arg)),
            ),
          ),
        );
        expectOurs(() => call(Decimal, args));
      }),
      { numRuns: 20, examples: [[['2']], [['2', '3']], [['2', '3', '4']]] },
    );
  });

  it('that are for settings work on clones of ours, which are guarded and leave ours as it is', () => {
    const Short = Decimal.clone({ precision: 3 });
    expect(Short.div(1, 3).toFixed()).toBe('0.333');
    Short.set({ precision: 5 });
    expect(Short.config({ rounding: 1 })).toBe(Short);
    expect(new Short(2).div(3).toFixed()).toBe('0.66666');
    expect(Decimal.precision).toBe(80);
    expect(() => Number(Short.clone().sqrt(2))).toThrow(TypeError);
    expect(Short.random(5).lt(1)).toBe(true);
    expect(Decimal.random(5).gte(0)).toBe(true);
  });
});

/** Each decimal that a call gives has the prototype of ours. */
function expectOurs(call: () => unknown): void {
  let value: unknown;
  try {
    value = call();
  } catch {
    return;
  }
  for (const one of [value].flat()) {
    if (!Decimal.isDecimal(one)) continue;
    expect(Object.getPrototypeOf(one)).toBe(Decimal.prototype);
    expect((one as Decimal).constructor).toBe(Decimal);
  }
}
