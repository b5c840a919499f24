import fc, { type Arbitrary } from 'fast-check';
import { DECIMAL_TEXT } from '../../../src/schema/decimal.js';
import type { Schema } from './requests.js';

const PREFIX = '#/components/schemas/';

/** Values that a schema of the document takes. It knows what our document uses. */
export function valuesOf(schemas: Readonly<Record<string, Schema>>, schema: Schema): Arbitrary<unknown> {
  const of = (inner: unknown): Arbitrary<unknown> => valuesOf(schemas, (inner ?? {}) as Schema);
  const { $ref, anyOf, oneOf, enum: values, type } = schema;
  if (typeof $ref === 'string') return of(schemas[$ref.slice(PREFIX.length)]);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  const variants = anyOf ?? oneOf;
  if (Array.isArray(variants)) return fc.oneof(...variants.map(of));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => of({ ...schema, type: one })));
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: Number(schema['minimum'] ?? 0), max: Number(schema['maximum'] ?? 10_000) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(of(schema['items']), {
        minLength: Number(schema['minItems'] ?? 0),
        maxLength: Math.min(4, Number(schema['maxItems'] ?? 4)),
      });
    case 'object':
      return objectOf(schema, of);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function objectOf(schema: Schema, of: (inner: unknown) => Arbitrary<unknown>): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (typeof additionalProperties === 'object')
    return fc.array(of(additionalProperties), { maxLength: 2 }).map((items) => ({ ...items }));
  const members = Object.entries(properties as object).map(([name, member]) => [name, of(member)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: required as never[] });
}

const ASSETS = ['BTC', 'ETH', 'USD', 'EUR', 'USDC', 'XRP'];

function textOf({ pattern, minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  if (pattern === DECIMAL_TEXT.source) {
    const whole = fc.nat({ max: 100_000 }).map(String);
    return fc.oneof(
      whole,
      fc.tuple(whole, fc.nat({ max: 99 })).map(([a, b]) => `${a}.${b}`),
    );
  }
  if (typeof pattern === 'string') return matching(new RegExp(pattern));
  const length = { minLength: Number(minLength), maxLength: Math.min(Number(maxLength), Number(minLength) + 40) };
  const known = ASSETS.filter((one) => one.length >= length.minLength && one.length <= length.maxLength);
  const random = fc.string({ unit: 'grapheme-ascii', ...length });
  return known.length === 0 ? random : fc.oneof(fc.constantFrom(...known), random);
}

/** fast-check makes no text for a pattern that looks ahead. */
function matching(pattern: RegExp): Arbitrary<string> {
  return pattern.source.includes('(?!') ? fc.string().filter((text) => pattern.test(text)) : fc.stringMatching(pattern);
}
