import { describe, expect, it } from 'vitest';
import { type CustomRequest, RequestValidationError } from '../../../src/index.js';
import { invoke, OPERATIONS, USER } from '../support/operations.js';
import { rejection, startService, wrong } from '../support/service.js';

const service = startService();

describe('arguments of a kind that the types forbid', () => {
  it.each(OPERATIONS.filter(({ query }) => query !== undefined))(
    '$name refuses params that are no object',
    async (op) => {
      const client = service.client();
      for (const query of ['page_size=1', 5, true, ['a']])
        expect(await rejection(() => invoke(op, client, { query: wrong(query) }))).toBeInstanceOf(
          RequestValidationError,
        );
      expect(service.received).toEqual([]);
    },
  );

  it.each(OPERATIONS.filter(({ otp }) => !otp))('$name refuses options that are no object', async (op) => {
    const client = service.client();
    for (const options of ['x', 5, true, null])
      expect(await rejection(() => invoke(op, client, {}, wrong(options)))).toBeInstanceOf(RequestValidationError);
    expect(service.received).toEqual([]);
  });

  it('request() without a request is refused', async () => {
    for (const request of [undefined, null, 5, 'x'])
      expect(await rejection(() => service.client().request(wrong<CustomRequest>(request)))).toBeInstanceOf(
        RequestValidationError,
      );
  });

  it.each([
    ['schema', { method: 'POST', path: '/v1/x', schema: { parse: () => 1 } }],
    ['idempotent', { method: 'POST', path: '/v1/x', idempotent: 'yes' }],
    ['unwrap', { method: 'GET', path: '/v1/x', unwrap: 'no' }],
  ])('request() refuses a wrong %s before it is sent', async (member, request) => {
    service.answerJson({ data: 1 });
    const error = await rejection(() => service.client().request(wrong<CustomRequest>(request)));
    expect(error).toMatchObject({
      name: 'RequestValidationError',
      issues: [{ path: expect.stringContaining(member) }],
    });
    expect(service.received).toEqual([]);
  });

  it('none of them throws where the call is made', () => {
    const client = service.client();
    const calls = [
      () => client.users.get(USER, wrong(null)),
      () => client.users.get(wrong(undefined)),
      () => client.webhooks.list(wrong(null), wrong(null)),
      () => client.webhooks.list(wrong(5), wrong(5)),
      () => client.request(wrong<CustomRequest>(undefined)),
    ];
    for (const call of calls) Promise.resolve(call()).catch(() => {});
  });
});

describe('prefetch', () => {
  it('is refused when it is no boolean, and on what is no list', async () => {
    for (const call of [
      () => service.client().webhooks.list({}, wrong({ prefetch: 1 })),
      () => service.client().users.get(USER, wrong({ prefetch: true })),
    ])
      expect(await rejection(call)).toMatchObject({
        name: 'RequestValidationError',
        issues: [{ path: 'options.prefetch' }],
      });
  });
});
