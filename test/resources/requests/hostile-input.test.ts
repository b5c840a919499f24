import { Decimal as ForeignDecimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { Decimal, NotFoundError, RequestValidationError } from '../../../src/index.js';
import { until } from '../../support/until.js';
import { ACCOUNT, invoke, operation, USER } from '../support/operations.js';
import { idsOfLoop } from '../support/pages.js';
import * as sample from '../support/samples.js';
import { failing, failure, json, rejection, startService, watchUnhandled, wrong } from '../support/service.js';

const service = startService();

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'the innermost';
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

const list = (inner: unknown) => [inner];
const object = (inner: unknown) => ({ a: inner });
const written = (inner: unknown) => ({ toJSON: () => inner });
/** Objects and lists by turns. */
const mixed = (levels: number) => nested(levels / 2, (inner) => ({ member: [inner] }));
const post = (body: unknown) => service.client().request({ method: 'POST', path: '/v1/x', body });

function cycle(): unknown {
  const value: Record<string, unknown> = { name: 'a', items: [] };
  value['self'] = value;
  (value['items'] as unknown[]).push(value, value);
  return value;
}

describe('half of a surrogate pair in a body is refused before it is sent', () => {
  it.each([
    ['as a member', { tag: 'a \ud83d' }, /tag has a lone surrogate/],
    ['as the other half', { tag: '\ude00 b' }, /tag has a lone surrogate/],
    ['deep inside', { a: [{ b: ['\ud83d'] }] }, /0 has a lone surrogate/],
    ['as a name', { '\ud83d': 1 }, /a text has a lone surrogate/],
    ['as the body', '\ud83d', /a text has a lone surrogate/],
  ])('%s', async (_, body, message) => {
    const error = await rejection(post(body), RequestValidationError);
    expect(error.issues).toEqual([{ path: 'body', message: expect.stringMatching(message) }]);
    expect(error.outcome).toBe('not_applied');
    expect(service.received).toHaveLength(0);
  });

  it('a whole pair, and any other character, is sent', async () => {
    const body = { 'tag 😀': 'Müller 😀 \\ud83d' };
    service.answer(() => json({ data: 1 }));
    await post(body);
    expect(JSON.parse(service.only.body)).toEqual(body);
  });
});

describe('a body of more than 100 levels is refused before it is sent', () => {
  it.each([
    ['lists', nested(101, list)],
    ['objects', nested(101, object)],
    ['values that write themselves', nested(101, written)],
    ['a million lists', nested(1_000_000, list)],
    ['a million objects', nested(1_000_000, object)],
    ['a million lists beside small members', [1, { a: nested(1_000_000, list) }]],
    ['objects and lists by turns', mixed(102)],
    ['a cycle', cycle()],
  ])('%s', async (_, body) => {
    const error = await rejection(post(body), RequestValidationError);
    expect(error.issues).toEqual([{ path: 'body', message: expect.stringContaining('100 levels') }]);
    expect(error.outcome).toBe('not_applied');
    expect(service.received).toHaveLength(0);
  });

  const quoteOf = (body: object) => service.client().accounts.quotes.create(ACCOUNT, wrong(body));
  it.each<[string, (deep: unknown) => PromiseLike<unknown>]>([
    ['a side of a quote', (deep) => quoteOf({ from: deep, to: deep })],
    ['its amount', (deep) => quoteOf({ from: { amount: deep }, to: {} })],
    ['a filter', (deep) => service.client().users.assets.list(USER, wrong({ type: deep }))],
    ['an id', (deep) => service.client().users.get(wrong(deep))],
    ['a query', (deep) => service.client().request({ method: 'GET', path: '/v1/x', query: wrong({ a: deep }) })],
  ])('%s of a million levels, or of itself, is refused as what it is not', async (_, call) => {
    for (const deep of [nested(1_000_000, list), nested(1_000_000, object), cycle()]) {
      expect(await rejection(() => call(deep))).toBeInstanceOf(RequestValidationError);
    }
    expect(service.received).toHaveLength(0);
  });

  it.each([
    ['lists', nested(100, list)],
    ['objects', nested(100, object)],
    ['objects and lists by turns', mixed(100)],
  ])('100 levels of %s are sent, and a refusal of them is read', async (_, body) => {
    service.answer(() => json({ data: 1 }));
    await post(body);
    expect(JSON.parse(service.only.body)).toEqual(body);
    service.answer(() => failure(409, 'conflict', { causes: [{ echo: body }] }));
    const error = await rejection(post(body));
    expect(error).toMatchObject({ name: 'ConflictError', code: 'conflict', outcome: 'not_applied' });
    expect(JSON.stringify(error)).not.toContain('the innermost');
  });
});

const whitelist = operation('accounts.wallets.whitelist');

const unhandled = watchUnhandled();

describe('input that cannot be sent', () => {
  const cyclic: Record<string, unknown> = { ...whitelist.body };
  cyclic['self'] = cyclic;

  it.each([
    ['a cycle', cyclic],
    ['a bigint', { ...whitelist.body, more: { deep: 5n } }],
    ['a toJSON() that throws', { ...whitelist.body, more: { toJSON: failing('no') } }],
  ])('in an unknown member of a body: %s is a RequestValidationError', async (_, body) => {
    await rejection(invoke(whitelist, service.client(), { body }), RequestValidationError);
    expect(service.received).toEqual([]);
  });

  it.each([
    ['an object', {}],
    ['null', null],
    ['NaN', Number.NaN],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['an object in an array', [{}]],
  ])('in an unknown member of a query: %s is a RequestValidationError', async (_, value) => {
    for (const name of ['rampQuotes.prospective', 'users.assets.list']) {
      const error = await rejection(() => invoke(operation(name), service.client(), { query: { brand_new: value } }));
      expect(error).toBeInstanceOf(RequestValidationError);
      expect((error as RequestValidationError).issues[0]?.path).toMatch(/^brand_new/);
    }
    expect(service.received).toEqual([]);
  });

  it('objects without a prototype and with inherited members are taken as they are', async () => {
    service.answerJson(operation('rampQuotes.prospective').answer);
    const query = Object.assign(Object.create(null), { from_symbol: 'USD' });
    await service.client().rampQuotes.prospective(query);
    expect(service.only.path).toBe('/v1/ramp/quotes/prospective?from_symbol=USD');
  });
});

describe('an answer with names that mean something to JavaScript', () => {
  const text = (data: unknown) =>
    `{"data":${JSON.stringify(data).replace(/^\{/, '{"__proto__":{"polluted":1},"constructor":{"x":1},"toString":"t","then":"no",')}}`;

  it.each(['strict', 'warn'] as const)(
    'changes no prototype: they are data, in %s mode',
    async (responseValidation) => {
      const client = service.client({ responseValidation });
      service.answer(() => new Response(text(sample.quote)));
      const quote: object = await client.accounts.quotes.get(ACCOUNT, sample.quote.id);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
      expect(Reflect.get(quote, 'polluted')).toBeUndefined();
      expect(Object.getOwnPropertyDescriptor(quote, '__proto__')?.value).toEqual({ polluted: 1 });
      expect(quote).toMatchObject({ id: sample.quote.id, toString: 't', then: 'no' });
      service.answer(() => new Response(text({ ...sample.quote, id: 5 })));
      await client.accounts.quotes.get(ACCOUNT, sample.quote.id).catch(() => {});
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  );

  it('in an error changes none', async () => {
    service.answer(
      () =>
        new Response('{"error":{"__proto__":{"polluted":1},"code":"x","causes":[{"__proto__":{"polluted":1}}]}}', {
          status: 400,
        }),
    );
    const error = await rejection(service.client().users.get(USER));
    expect(error).toMatchObject({ code: 'x', response: { status: 400 } });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(error as object, 'polluted')).toBeUndefined();
  });

  it('a byte order mark, odd spacing and a wrong content type do no harm', async () => {
    for (const body of [
      `\ufeff${JSON.stringify({ data: sample.user })}`,
      ` \n\t${JSON.stringify({ data: sample.user }, null, 4)}\n`,
    ]) {
      service.answer(() => new Response(body, { headers: { 'content-type': 'text/plain' } }));
      expect(await service.client().users.get(USER)).toMatchObject({ id: sample.user.id });
    }
  });
});

describe('a rejection is the caller\u2019s, once', () => {
  it('through withResponse(), finally() or several handlers', async () => {
    service.answer(() => failure(404, 'user_not_found'));
    const client = service.client();
    const call = client.users.get(USER);
    await expect(call.withResponse()).rejects.toBeInstanceOf(NotFoundError);
    await expect(call).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.users.get(USER).finally(() => {})).rejects.toBeInstanceOf(NotFoundError);
    expect(service.received).toHaveLength(2);
  });

  it('of a list, however it is used', async () => {
    service.answer(() => failure(404, 'not_found'));
    const list = service.client().webhooks.list();
    await expect(Promise.resolve(list)).rejects.toBeInstanceOf(NotFoundError);
    await expect(list.toArray({ limit: 1 })).rejects.toBeInstanceOf(NotFoundError);
    await expect(idsOfLoop(list)).rejects.toBeInstanceOf(NotFoundError);
    await expect(list.pages()[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(NotFoundError);
  });

  it('of a call that nobody waits for is unhandled, as with any promise: it is not swallowed', async () => {
    service.answer(() => failure(404, 'user_not_found'));
    void service.client().users.get(USER);
    await until(() => unhandled.length === 1);
    expect(unhandled.splice(0)[0]).toBeInstanceOf(NotFoundError);
  });
});

describe('Decimal', () => {
  it('of a result is the exported class, whatever the application does to its own decimal.js', async () => {
    ForeignDecimal.set({ precision: 2, toExpPos: 1, toExpNeg: -1, rounding: 0 });
    try {
      service.answerJson({
        data: { ...sample.quote, rate: { ...sample.quote.rate, price: '12345678901234567890.123456789' } },
      });
      const { rate } = await service.client().accounts.quotes.get(ACCOUNT, 'q');
      expect(rate.price).toBeInstanceOf(Decimal);
      expect(rate.price.plus('0.000000001').toFixed()).toBe('12345678901234567890.12345679');
      expect(JSON.stringify(rate.price)).toBe('"12345678901234567890.123456789"');
    } finally {
      ForeignDecimal.set({ defaults: true });
    }
  });
});
