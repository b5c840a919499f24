import { describe, expect, it } from 'vitest';
import { RequestValidationError } from '../../../src/index.js';
import { ACCOUNT, USER } from '../support/operations.js';
import { failure, json, rejection, startService, wrong } from '../support/service.js';

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
    const error = (await rejection(post(body))) as RequestValidationError;
    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error.issues).toEqual([{ path: 'body', message: expect.stringContaining('100 levels') }]);
    expect(error.outcome).toBe('not_applied');
    expect(service.received).toHaveLength(0);
  });

  it.each([
    [
      'a side of a quote',
      (deep: unknown) => service.client().accounts.quotes.create(ACCOUNT, wrong({ from: deep, to: deep })),
    ],
    [
      'its amount',
      (deep: unknown) => service.client().accounts.quotes.create(ACCOUNT, wrong({ from: { amount: deep }, to: {} })),
    ],
    ['a filter', (deep: unknown) => service.client().users.assets.list(USER, wrong({ type: deep }))],
    ['an id', (deep: unknown) => service.client().users.get(wrong(deep))],
    [
      'a query',
      (deep: unknown) => service.client().request({ method: 'GET', path: '/v1/x', query: wrong({ a: deep }) }),
    ],
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
