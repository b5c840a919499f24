import { describe, expect, test } from 'vitest';
import { labelOf } from '../../src/resources/labels.js';
import { operations } from '../../src/resources/operations.js';
import { WEBHOOK_KINDS } from '../../src/resources/webhook-kinds.js';
import { RAMP_CALLBACK } from '../../src/sandbox/webhooks/delivery/payload.js';
import { makeDocuments } from '../../tools/openapi/build.js';
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
    expect(found['x-stability']).toBe(labelOf(operation).stability);
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

test('the ids of a path say their kind and the states that the operation takes, and a maker the kind that it makes', () => {
  const marksOf = (operation: string): unknown[] => {
    const [, found] = described.find(([name]) => name === operation) ?? [];
    const parameters = (found.parameters ?? []).map((one: { readonly $ref?: string }) =>
      one.$ref === undefined ? one : api.components.parameters[one.$ref.replace(/.*\//, '')],
    );
    const ids = parameters.filter((one: { readonly in: string }) => one.in === 'path');
    return [
      found['x-makes'],
      ...ids.map(({ schema }: { schema: Record<string, unknown> }) => [
        schema['x-id-of'] ?? schema['x-listed-by'],
        ...((schema['x-in-state'] ?? []) as string[]),
      ]),
    ];
  };
  expect(marksOf('accounts.quotes.create')).toEqual(['quotes', ['accounts']]);
  expect(marksOf('accounts.deposits.create')).toEqual(['expectedDeposits', ['accounts']]);
  expect(marksOf('accounts.quotes.execute')).toEqual([undefined, ['accounts'], ['quotes', 'offered']]);
  expect(marksOf('accounts.onchainQuotes.get')).toEqual([undefined, ['accounts'], ['onchainQuotes']]);
  expect(marksOf('funds.withdrawalAddresses.update')).toEqual([undefined, ['accounts'], ['withdrawalAddresses']]);
  expect(marksOf('assets.get')).toEqual([undefined, [undefined], ['assets']]);
  expect(marksOf('reports.settlement.get')).toEqual([undefined, ['reports.settlement.list']]);
  const { method_id } = api.components.schemas.DepositAddressCreateBody.properties;
  expect(method_id['x-listed-by']).toBe('funds.depositMethods.list');
});

test('a reference leads to a component, and each component is used', () => {
  const text = JSON.stringify(api);
  const used = new Set(Array.from(text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g), ([, name]) => name));
  const there = Object.entries(api.components as Record<string, object>)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, members]) => Object.keys(members).map((name) => `${kind}/${name}`));
  expect([...used].sort()).toEqual(there.sort());
});

test('descriptions are for every language: none names the TypeScript client', () => {
  const text = documents.get('openapi.json') ?? '';
  expect(text.match(/.{0,40}(?:`client\b|waitFor`|this package|before sending).{0,20}/g)).toBeNull();
  const { description } = api.paths['/v1/users'].post;
  // What is said beside it stays, in its paragraphs.
  expect(description).toMatch(
    /^Creates a user with personal data, and the user's accounts\. `users\.verifications` submits/,
  );
  expect(description).toContain('\n\n`external_reference` identifies a user, so ');
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

test('the objects of a list in a query are parameters that every generator sends, and no format is unknown to validators', () => {
  const text = JSON.stringify(api);
  expect(text).not.toContain('deepObject');
  for (const name of ['assets[0][symbol]', 'assets[2][type]']) expect(text.split(`"name":"${name}"`)).toHaveLength(3);
  const formats = new Set([...text.matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format));
  expect([...formats].sort()).toEqual(['date-time', 'uuid']);
});

test('an amount is decimal text, and an open set names its values and takes others', () => {
  const { schemas } = api.components;
  expect(schemas.Decimal).toMatchObject({ type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' });
  expect(schemas.QuoteStatus.anyOf).toEqual([
    { type: 'string', enum: ['offered', 'executing', 'executed', 'expired', 'failed'] },
    { type: 'string' },
  ]);
  expect(validator.issuesOf(schemas.AssetAmount, { symbol: 'BTC', type: 'new', name: 'B', amount: 1 })).not.toEqual([]);
  expect(validator.issuesOf(schemas.AssetAmount, { symbol: 'BTC', type: 'new', name: 'B', amount: '1' })).toEqual([]);
});

test('a number is an integer where the tables of the service say so, and the size of a report is its text', () => {
  const named = new Map<string, Set<string>>();
  const note = (schema: object): void => {
    for (const [name, inner] of Object.entries(schema)) {
      if (typeof inner !== 'object' || inner === null) continue;
      const type = String(inner.type);
      if (/integer|number/.test(type)) named.set(type, (named.get(type) ?? new Set()).add(name));
      note(inner);
    }
  };
  note(api);
  expect(Object.fromEntries(named)).toEqual({
    integer: new Set([
      ...['schema', 'page_size', 'status', 'width', 'height', 'funding', 'swap', 'market_cap_rank'],
      ...['trending_rank', 'period_seconds', 'expiration'],
    ]),
    number: new Set(['current_uses', 'bps', 'http_status']),
    'string,integer': new Set(['size']),
  });
});

test('declared errors are told from the common ones', () => {
  const { responses } = api.paths['/v1/users/{user_id}'].get;
  expect(responses[404].description).toContain('user_not_found');
  expect(responses[409].$ref).toBe('#/components/responses/CommonConflict');
  expect(api.components.responses.CommonConflict['x-common']).toBe(true);
  expect(responses[403].$ref).toBe('#/components/responses/Forbidden');
  expect(api.components.responses.Forbidden['x-common']).toBeUndefined();
});

interface Input {
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The members of an input, by the operation and their name. */
function inputsOf(found: Part): Map<string, Input> {
  const body = deref(found.requestBody?.content['application/json'].schema);
  const parameters = (found.parameters ?? []).map(deref).filter((one: Part) => one.in === 'query');
  return new Map<string, Input>([
    ...parameters.map(({ name, description, schema }: Part) => [name, { description, ...schema }]),
    ...(Object.entries(body?.properties ?? {}) as [string, Input][]),
  ]);
}

/** A part of the document, of any form. */
type Part = typeof api;

/** Returns what a reference of the document leads to. */
function deref(value: Part): Part {
  if (typeof value?.$ref !== 'string') return value;
  return value.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((at: Part, name: string) => at[name], api);
}

test.each(described)('%s: a default is what its description says', (_, found) => {
  for (const [name, { description = '', default: value }] of inputsOf(found)) {
    const said = /(?:Default `|the service's default is )([\w.]*\w)/.exec(description)?.[1];
    expect([name, said]).toEqual([name, value === undefined ? undefined : String(value)]);
  }
});

test('the defaults are those that the service documents', () => {
  const defaults = described.flatMap(([name, found]) =>
    [...inputsOf(found)].flatMap(([member, { default: value }]) =>
      value === undefined ? [] : [`${name} ${member} ${value}`],
    ),
  );
  const ofAssets = [
    'page_size 20',
    'quote_symbol USD',
    'quote_type fiat',
    'sort market_cap_rank',
    'sort_direction asc',
  ];
  expect(defaults.sort()).toEqual(
    [
      ...ofAssets.flatMap((one) => [`users.assets.list ${one}`, `assets.list ${one}`]),
      ...[
        'assets.rates',
        'accounts.onDemandConversions',
        'accounts.priceTriggerSwaps',
        'accounts.portfolio.transactions',
      ]
        .concat('funds.depositLimits', 'webhooks')
        .map((group) => `${group}.list page_size 20`),
      ...['funds.transactions.list page_size 25', 'ramp.countries.list page_size 50'],
      'ramp.fiatCurrencies.list page_size 50',
      ...['accounts.portfolio.details quote_symbol USD', 'accounts.portfolio.details quote_type fiat'],
      ...['accounts.portfolio.summary quote_symbol USD', 'accounts.portfolio.history quote_symbol USD'],
      ...['rampQuotes.prospective from_type fiat', 'rampQuotes.prospective to_type crypto'],
      ...[
        'depositAddresses.create',
        'depositAddresses.list',
        'withdrawalAddresses.save',
        'withdrawalAddresses.validate',
        'withdrawals.create',
      ].map((name) => `funds.${name} asset_type crypto`),
      'accounts.conversionRules.create status active',
    ].sort(),
  );
});

test('a page_size has the limit that the service documents, and none where it documents none', () => {
  const limits = new Map<number | undefined, string[]>();
  for (const [name, found] of described) {
    const size = inputsOf(found).get('page_size');
    if (size === undefined) continue;
    expect(size).toMatchObject({ type: 'integer', minimum: 1 });
    limits.set(size.maximum, [...(limits.get(size.maximum) ?? []), name].sort());
  }
  expect(limits.get(undefined)).toEqual([
    ...['accounts.conversions.list', 'accounts.onchainQuotes.list', 'accounts.transfers.list'],
    ...['funds.depositAddresses.list', 'funds.depositLimits.list', 'funds.depositMethods.list'],
    ...['funds.withdrawalAddresses.list', 'funds.withdrawalMethods.list', 'ramp.assets.list'],
    ...['ramp.fiatCurrencies.list', 'ramp.paymentMethods.list', 'reports.settlement.list', 'swap.assets.list'],
  ]);
  expect([...limits.keys()].filter((limit) => limit !== undefined).sort((a, b) => a - b)).toEqual([25, 100, 200, 500]);
  // Beside a page_token the service ignores it, which no schema of one parameter can say.
  const ofDepositLimits = described.find(([name]) => name === 'funds.depositLimits.list')?.[1];
  expect(inputsOf(ofDepositLimits).get('page_size')?.description).toMatch(/^1 to 25; .* next to a `page_token`/);
});

test('a page has no limit of its items: the client has one, the service documents none', () => {
  const pages = described.filter(([, found]) => found['x-pagination']);
  expect(pages.length).toBeGreaterThan(15);
  for (const [, found] of pages) {
    expect(found.responses[200].content['application/json'].schema.properties.data).not.toHaveProperty('maxItems');
  }
});

test('an answer that the client ignores is described where the service documents it', () => {
  const answerOf = (name: string) => described.find(([one]) => one === name)?.[1].responses[200].content;
  const schemaOf = (name: string) => answerOf(name)['application/json'].schema;
  expect(validator.issuesOf(schemaOf('users.update'), { data: 'success' })).toEqual([]);
  expect(validator.issuesOf(schemaOf('users.update'), { data: 'done' })).not.toEqual([]);
  expect(schemaOf('accounts.earn.auto.update')).toEqual({ type: 'object', properties: {} });
  expect(answerOf('accounts.priceTriggerSwaps.cancel')).toBeUndefined();
  expect(answerOf('funds.addresses.delete')).toBeUndefined();
});

describe('webhooks', () => {
  test('are the kinds of events, each once', () => {
    expect(Object.keys(api.webhooks).sort()).toEqual([...WEBHOOK_KINDS, RAMP_CALLBACK].sort());
    const ids = Object.values(api.webhooks as Record<string, { post: { operationId: string } }>).map(
      ({ post }) => post.operationId,
    );
    expect(new Set(ids).size).toBe(WEBHOOK_KINDS.length + 1);
  });

  test('have the callback of a ramp transaction, whose payload and headers name no kind', () => {
    const { post } = api.webhooks[RAMP_CALLBACK];
    expect(post.parameters.map(({ name }: { name: string }) => name)).toEqual(['X-Signature']);
    const { schema, example } = post.requestBody.content['application/json'];
    expect(validator.issuesOf(schema, example)).toEqual([]);
    expect(validator.issuesOf(schema, { status: 'paid', payload: { transaction_id: 7 } })).not.toEqual([]);
    expect(Object.keys(example)).toEqual(['status', 'payload']);
  });

  test.each(WEBHOOK_KINDS)('%s has both forms of a payload, an unsigned security and an example', (kind) => {
    const { post } = api.webhooks[kind];
    expect(post.security).toEqual([]);
    expect(post.description.length).toBeGreaterThan(80);
    expect(post.parameters.map((one: object) => deref(one).name)).toEqual([
      ...['X-Signature', 'X-Webhook-Event', 'X-Webhook-ID'],
    ]);
    const { schema, example } = post.requestBody.content['application/json'];
    expect(validator.issuesOf(schema, example)).toEqual([]);
    expect(example.type).toBe(kind);
    expect(validator.issuesOf(schema, { event_type: kind, id: 'x', later: 1 })).toEqual([]);
    expect(validator.issuesOf(schema, { id: 'evt_1', type: kind, data: {} })).toEqual([]);
    expect(validator.issuesOf(schema, { id: 'evt_1', type: 'another.kind', data: {} })).not.toEqual([]);
  });
});
