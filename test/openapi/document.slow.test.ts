import { expect, test } from 'vitest';
import { makeDocuments } from '../../.ci/openapi/build.js';
import { operations } from '../../src/resources/operations.js';
import { Validator } from './support/validator.js';

const documents = await makeDocuments();
const api = JSON.parse(documents.get('openapi.json') ?? '');
const validator = new Validator(api);

const described = operations.map((operation) => {
  const found = api.paths[operation.path]?.[operation.method.toLowerCase()];
  return [operation.name, found, operation] as const;
});

test('the document has each operation once, and nothing else', () => {
  const count = Object.values(api.paths as object).flatMap((path) => Object.keys(path)).length;
  expect(count).toBe(operations.length);
  expect(described.map(([name, found]) => [name, found?.operationId])).toEqual(described.map(([name]) => [name, name]));
});

test('two builds give the same bytes', async () => {
  expect([...(await makeDocuments())]).toEqual([...documents]);
});

test.each(described)(
  '%s has descriptions, errors, marks and an example that its schema takes',
  (_, found, operation) => {
    expect(found.description.length).toBeGreaterThan(10);
    expect(found['x-stability']).toBe(operation.stability);
    expect(found['x-idempotency']).toBe(operation.retrySafety === 'always' ? 'safe' : operation.retrySafety);
    expect('x-pagination' in found).toBe(operation.cursor !== undefined);
    expect(Object.keys(found.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '429', '500', '503']),
    );
    const content = found.responses[200].content?.['application/json'];
    if (content !== undefined) expect(validator.issuesOf(content.schema, content.example)).toEqual([]);
    const body = found.requestBody?.content['application/json'];
    if (body !== undefined) expect(validator.issuesOf(body.schema, body.example)).toEqual([]);
    expect(body === undefined).toBe(operation.body === undefined);
  },
);

test('a reference leads to a component, and each component is used', () => {
  const text = JSON.stringify(api);
  const used = new Set(Array.from(text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g), ([, name]) => name));
  const there = Object.entries(api.components as Record<string, object>)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, members]) => Object.keys(members).map((name) => `${kind}/${name}`));
  expect([...used].sort()).toEqual(there.sort());
});

test('no two components are the same', () => {
  const texts = Object.values(api.components.schemas as Record<string, object>).map((schema) => JSON.stringify(schema));
  expect(new Set(texts).size).toBe(texts.length);
});

test('an input refuses what it does not know, unless its operation is partial; an answer takes it', () => {
  const { schemas } = api.components;
  expect(validator.issuesOf(schemas.QuoteCreateBody, { from: {}, to: {}, surplus: 1 })).not.toEqual([]);
  expect(schemas.FixedQuoteSide.additionalProperties).toBe(false);
  expect(schemas.UserCreateBody.additionalProperties).toBe(true);
  expect(schemas.Quote.additionalProperties).toBeUndefined();
});

test('an amount is decimal text, and an open set names its values and takes others', () => {
  const { schemas } = api.components;
  expect(schemas.Decimal).toMatchObject({ type: 'string', format: 'decimal' });
  expect(schemas.QuoteStatus.anyOf).toEqual([
    { type: 'string', enum: ['offered', 'executing', 'executed', 'expired', 'failed'] },
    { type: 'string' },
  ]);
  expect(validator.issuesOf(schemas.AssetAmount, { symbol: 'BTC', type: 'new', name: 'B', amount: 1 })).not.toEqual([]);
  expect(validator.issuesOf(schemas.AssetAmount, { symbol: 'BTC', type: 'new', name: 'B', amount: '1' })).toEqual([]);
});

test('declared errors are told from the common ones', () => {
  const { responses } = api.paths['/v1/users/{user_id}'].get;
  expect(responses[404].description).toContain('user_not_found');
  expect(responses[409].$ref).toBe('#/components/responses/CommonConflict');
  expect(api.components.responses.CommonConflict['x-common']).toBe(true);
  expect(responses[403].$ref).toBe('#/components/responses/Forbidden');
  expect(api.components.responses.Forbidden['x-common']).toBeUndefined();
});
