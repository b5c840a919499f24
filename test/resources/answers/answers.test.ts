import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { Decimal, type OnchainQuote, type Page, type RampQuote, ResponseValidationError } from '../../../src/index.js';
import {
  ACCOUNT,
  ADDRESS_ID,
  invoke,
  OPERATIONS,
  type OperationCase,
  operation,
  USER,
  withMember,
} from '../support/operations.js';
import { idsOfLoop } from '../support/pages.js';
import * as sample from '../support/samples.js';
import { webhook } from '../support/samples.js';
import { forRequest, issuePaths, json, rejection, startService } from '../support/service.js';

const service = startService();
const conversions = operation('accounts.onDemandConversions.list');
const VALUED = OPERATIONS.filter(({ nothing }) => !nothing);

const firstConversion = async (changes: Record<string, unknown>, options = {}) => {
  service.answerJson({ data: [{ ...sample.conversion, ...changes }] });
  const { items } = await service.client(options).accounts.onDemandConversions.list(ACCOUNT);
  return items[0];
};
const answerIssues = (call: () => PromiseLike<unknown>) => issuePaths(call, ResponseValidationError);

it('on-chain base units stay the text that was signed', async () => {
  const op = operation('accounts.onchainQuotes.create');
  const path = 'data.execution_details.proxy_swap_message.atomic_message.outgoing_transfer.amount';
  service.answerJson(withMember(op.answer, path, '0001'));
  const { execution_details: details } = (await invoke(op, service.client())) as OnchainQuote;
  expect(details?.proxy_swap_message.atomic_message.outgoing_transfer.amount).toBe('0001');
});

it('a pending on-chain quote without execution details is no wrong answer, not even in strict mode', async () => {
  const { execution_details: _, ...pending } = { ...sample.onchainQuote, status: 'pending' };
  service.answer((request) => json(forRequest(request, { data: pending })));
  const client = service.client({ responseValidation: 'strict' });
  const read = await client.accounts.onchainQuotes.get(ACCOUNT, pending.id);
  expect(read.execution_details).toBeUndefined();
  expect(await invoke(operation('accounts.onchainQuotes.create'), client)).toMatchObject({ status: 'pending' });
});

describe('unknown values', () => {
  it('an unknown value of each enumeration passes', async () => {
    service.answerJson({ data: { ...sample.quote, status: 'paused' } });
    expect(await service.client().accounts.quotes.get(ACCOUNT, 'q')).toMatchObject({ status: 'paused' });
    expect(await firstConversion({ status: 'reversed' })).toMatchObject({ status: 'reversed' });
  });

  it('microseconds of a timestamp survive', async () => {
    service.answerJson({ data: [sample.webhook] });
    const { items } = await service.client().webhooks.list();
    expect(items[0]?.updated_at).toBe(sample.webhook.updated_at);
  });
});

describe('the end of a list', () => {
  it.each([[1.5], [{}], [false]])('is not a token that is %j: that is refused', async (token) => {
    service.answerJson({ data: [sample.webhook], next_page_token: token });
    expect(await answerIssues(() => service.client().webhooks.list())).toEqual(['next_page_token']);
  });
});

describe('page.meta', () => {
  it('has the echoes of an asset list and what else the envelope holds, without items and token', async () => {
    const { data, ...echoes } = {
      ...(operation('users.assets.list').answer as { data: unknown }),
      brand_new: { a: 1 },
    };
    service.answerJson({ ...echoes, data, next_page_token: 'more' });
    const page = await service.client().users.assets.list(USER, { type: ['crypto'], deposit: true });
    expect(page.meta).toEqual(echoes);
    expect(page.meta.quote_symbol).toBe('USD');
  });

  it('has unknown members of any other list', async () => {
    service.answerJson({ data: [], total_count: 3 });
    expect((await service.client().webhooks.list()).meta).toEqual({ total_count: 3 });
  });
});

/** True for a whole body without `data`, and for a `data` of any form: they have no wrong one. */
const takes = ({ name, bare }: OperationCase, what: string): boolean =>
  (bare === true && what.includes('data')) || (OF_ANY_FORM.includes(name) && what === 'data of another type');

const OF_ANY_FORM: readonly string[] = ['ramp.fiatCurrencies.list', 'ramp.paymentMethods.list', 'ramp.assets.list'];

/** Only a member `data` shows that the service has responded, not a proxy. */
const BEGIN_WITH_DATA: readonly string[] = ['cut JSON', 'data of another type', 'data that is null'];

describe.each(VALUED)('$name: a success that cannot be used', (op) => {
  const outcomeOf = (what: string) => {
    if (op.method === 'GET') return 'not_applied';
    return BEGIN_WITH_DATA.includes(what) ? 'applied' : 'unknown';
  };

  const answers: [what: string, answer: () => Response][] = [
    ['empty', () => new Response('', { status: 200 })],
    ['without a body', () => new Response(null, { status: 204 })],
    ['HTML', () => new Response('<html>maintenance</html>', { status: 200, headers: { 'content-type': 'text/html' } })],
    ['cut JSON', () => new Response('{"data": {"id": "qu', { status: 200 })],
    ['null', () => json(null)],
    ['a text', () => json('success')],
    ['an array', () => json([])],
    ['without data', () => json({ result: {} })],
    ['data of another type', () => json({ data: 5 })],
    ['data that is null', () => json({ data: null })],
  ];

  it.each(answers.filter(([what]) => !takes(op, what)))('%s is a ResponseValidationError', async (what, answer) => {
    service.answer(answer);
    const error = await rejection(() => invoke(op, service.client()), ResponseValidationError);
    expect(error).toMatchObject({ operation: op.name, attempts: { count: 1 } });
    const { issues } = error as ResponseValidationError;
    expect(issues.length).toBeGreaterThan(0);
    expect(error).toMatchObject({ outcome: outcomeOf(what) });
  });
});

describe('ResponseValidationError', () => {
  it('carries status and text, clipped, and keeps the text out of logs', async () => {
    service.answer(() => new Response(`<html>${'x'.repeat(5000)}`, { status: 203 }));
    const error = (await rejection(service.client().users.get(USER))) as ResponseValidationError;
    expect(error.response?.status).toBe(203);
    expect(error.body.startsWith('<html>xxx')).toBe(true);
    expect(error.body.length).toBeLessThanOrEqual(1_100);
    expect(JSON.stringify(error)).not.toContain('<html>');
  });

  it('of a later page comes after the items of the earlier ones', async () => {
    service.answer((_, index) =>
      index === 0 ? json({ data: [sample.webhook], next_page_token: 't' }) : json({ data: [{ id: {} }] }),
    );
    const seen: string[] = [];
    const error = await rejection(async () => {
      for await (const { id } of service.client().webhooks.list()) seen.push(id);
    });
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(seen).toEqual([sample.webhook.id]);
  });
});

describe('warn mode', () => {
  it('hands over a page whose items and token are as they should be, one wrong member left as it came', async () => {
    service.answerJson({ data: [sample.conversion, { ...sample.conversion, id: 7 }], next_page_token: 't', extra: 1 });
    const page = (await invoke(conversions, service.client({ responseValidation: 'warn' }))) as Page<
      typeof sample.conversion
    >;
    expect(page.nextPageToken).toBe('t');
    expect(page.items.map(({ id }) => id)).toEqual([sample.conversion.id, 7]);
    expect(page.items.every(({ rate }) => Decimal.isDecimal(rate.price))).toBe(true);
  });
});

describe('delete funding address', () => {
  it.each([
    ['204', () => new Response(null, { status: 204 })],
    ['an empty 200', () => new Response('', { status: 200 })],
    ['an object with data', () => json({ data: { deleted: true } })],
    ['an object without data', () => json({ deleted: true })],
    ['null', () => json(null)],
    ['a text in JSON', () => json('deleted')],
    ['202', () => json({}, 202)],
  ])('resolves to nothing on %s', async (_, answer) => {
    service.answer(answer);
    expect(await service.client().funds.addresses.delete(ACCOUNT, ADDRESS_ID)).toBeUndefined();
    expect(service.only).toMatchObject({ method: 'DELETE', body: '' });
  });

  it.each([
    ['a text', () => new Response('200 OK', { headers: { 'content-type': 'text/plain' } })],
    ['HTML', () => new Response('<p>deleted</p>')],
    ['bytes that are no text', () => new Response(Uint8Array.of(0xff, 0xfe))],
  ])('is unknown on %s: a proxy may have responded', async (_, answer) => {
    service.answer(answer);
    const error = await rejection(
      service.client().funds.addresses.delete(ACCOUNT, ADDRESS_ID),
      ResponseValidationError,
    );
    expect(error).toMatchObject({ outcome: 'unknown' });
  });
});

describe('an endpoint of a conversion', () => {
  it('is told apart by its type', async () => {
    const { from, to } = (await firstConversion({})) ?? {};
    if (to?.type !== 'wallet' || from?.type !== 'balance') throw new Error('the types are lost');
    expect(to.wallet).toEqual({ via: 'ripple', address: 'rAddress', memo: '12', tag: '34' });
    expect(from.amount.toFixed()).toBe('100');
  });

  it('of a bank may have any further members', async () => {
    const bank = { type: 'bank', institution: 'First Bank', amount: '12.50' };
    expect((await firstConversion({ from: bank }))?.from).toMatchObject({ type: 'bank', institution: 'First Bank' });
    expect((await firstConversion({ from: { type: 'bank' } }))?.from).toEqual({ type: 'bank' });
  });

  it('of a kind that is a number has the text of it, and all its members', async () => {
    expect((await firstConversion({ from: { type: 7, last4: '4242' } }))?.from).toEqual({ type: '7', last4: '4242' });
  });

  it('of a kind this version does not know keeps all its members', async () => {
    const card = { type: 'card', last4: '4242', deep: { more: [1, { x: null }] } };
    expect((await firstConversion({ from: card }))?.from).toEqual(card);
  });

  it('without its type has its known members read: the amount is exact', async () => {
    const { type: _, ...untyped } = sample.conversion.to;
    const to = (await firstConversion({ to: { ...untyped, more: 1 } }))?.to;
    expect(to).toEqual({ ...untyped, amount: new Decimal('41.5'), more: 1 });
  });
});

const prospective = operation('rampQuotes.prospective');

const priceOf = async (asset: unknown, responseValidation: 'tolerant' | 'strict') => {
  service.answerJson(withMember(prospective.answer, 'data.unit_price.asset', asset));
  return ((await invoke(prospective, service.client({ responseValidation }))) as RampQuote).unit_price;
};

describe('an asset of a unit price, whose form is not documented', () => {
  it.each([
    ['with symbol and type alone', { symbol: 'BTC', type: 'crypto' }],
    ['with another member', { symbol: 'BTC', type: 'crypto', name: 'Bitcoin', network: { id: 1 } }],
    ['with no known member', { ticker: 'BTC' }],
    ['that is a plain ticker', 'BTC'],
  ])('%s is read, in strict mode, too', async (_what, asset) => {
    for (const mode of ['tolerant', 'strict'] as const) {
      const { asset: read, unit_price: price } = await priceOf(asset, mode);
      expect(read).toEqual(asset);
      expect(Decimal.isDecimal(price)).toBe(true);
    }
  });

  it.each([
    [['BTC'], 'data.unit_price.asset'],
    [{ symbol: {} }, 'data.unit_price.asset.symbol'],
  ])('%j is refused', async (asset, path) => {
    expect(await issuePaths(() => priceOf(asset, 'tolerant'), ResponseValidationError)).toEqual([path]);
  });

  it('has a type that says so', () => {
    type Asset = RampQuote['unit_price']['asset'];
    expectTypeOf<string>().toExtend<Asset>();
    expectTypeOf<{ symbol: string; type: string }>().toExtend<Asset>();
    expectTypeOf<Extract<Asset, object>['name']>().toEqualTypeOf<string | undefined>();
  });
});

const client = () => service.client({ responseValidation: 'warn' });

describe('warn mode, when there is nothing to hand over', () => {
  it.each([
    ['users.verifications.list', { data: {} }],
    ['users.verifications.list', { data: 5 }],
    ['users.verifications.list', { data: { verifications: {} } }],
    ['accounts.portfolio.details', {}],
    ['accounts.portfolio.details', []],
    ['accounts.portfolio.details', { data: {} }],
    ['accounts.portfolio.history', {}],
    ['accounts.portfolio.history', { data: {} }],
    ['webhooks.list', {}],
    ['webhooks.list', { data: {} }],
    ['users.get', {}],
  ])('%s ends in an error on %j: its value would be no list at all', async (name, body) => {
    service.answerJson(body);
    expect(await rejection(invoke(operation(name), client()))).toBeInstanceOf(ResponseValidationError);
  });

  it('a list whose next token is a number goes on with its text, as in tolerant mode', async () => {
    service.answer((_, index) => json({ data: [webhook], next_page_token: index === 0 ? 5 : null }));
    expect(await idsOfLoop(client().webhooks.list())).toHaveLength(2);
    expect(service.received[1]?.query.get('page_token')).toBe('5');
  });

  it.each([1.5, {}, true])('a list whose next token is %j ends in a ResponseValidationError', async (token) => {
    service.answer((_, index) => json({ data: [{ ...webhook, id: `ep_${index}` }], next_page_token: token }));
    expect(await rejection(() => idsOfLoop(client().webhooks.list()))).toBeInstanceOf(ResponseValidationError);
    expect(service.received).toHaveLength(1);
  });
});

describe('warn mode, what is logged', () => {
  it.each([
    ['an envelope that is not there', {}, 1],
    ['a value of another kind', { data: { id: 5 } }, 0],
  ])('%s, once, whether the call fails for it or not', async (_what, body, failures) => {
    service.answerJson(body);
    const warn = vi.fn();
    const quiet = service.client({ responseValidation: 'warn', logger: { warn } });
    const ended = await Promise.allSettled([invoke(operation('users.get'), quiet)]);
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(failures);
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('shape'), expect.objectContaining({ operation: 'users.get' })],
    ]);
  });
});

describe('warn mode, when the value can be handed over', () => {
  it.each([
    ['users.verifications.list', { data: { verifications: [5] } }, [5]],
    ['users.get', { data: { id: 5 } }, { id: 5 }],
  ])('%s gives what is there', async (name, body, value) => {
    service.answerJson(body);
    expect(await invoke(operation(name), client())).toEqual(value);
  });
});

describe('a member that the API description shows without a condition', () => {
  const lists = { 'users.assets.list': 'data.0.', 'webhooks.list': 'data.0.' } as Readonly<Record<string, string>>;

  it.each([
    ['users.get', 'external_reference'],
    ['users.assets.list', 'logo'],
    ['users.assets.list', 'listing_date'],
    ['users.assets.list', 'type'],
    ['webhooks.list', 'description'],
  ])('%s: %s is reported when it is missing, and refused by strict', async (name, member) => {
    const op = operation(name);
    const isEcho = name === 'users.assets.list' && member === 'type';
    const path = isEcho ? 'type' : `${lists[name] ?? 'data.'}${member}`;
    service.answerJson(withMember(op.answer, path, undefined));
    const warn = vi.fn();
    await expect(Promise.resolve(invoke(op, service.client({ logger: { warn } })))).resolves.toBeDefined();
    expect(warn.mock.calls.map(([, fields]) => fields.path)).toEqual([path.replace('.0', '[]')]);
    const strict = service.client({ responseValidation: 'strict' });
    expect(await answerIssues(async () => invoke(op, strict))).toEqual([path]);
  });
});
