import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type CustomRequest, RequestValidationError } from '../../../src/index.js';
import {
  type Given,
  idNames,
  invoke,
  OPERATIONS,
  type OperationCase,
  operation,
  USER,
  withId,
  withMember,
} from '../support/operations.js';
import { RULES } from '../support/rules/all.js';
import { rejection, startService, wrong } from '../support/service.js';

const service = startService();

/** The sample input of an operation with one member of it replaced. */
function given(op: OperationCase, member: string, value: unknown): Partial<Given> {
  const index = idNames(op).indexOf(member);
  // `key` and `asset_symbol` are ids of some operations and body members of others.
  if (index >= 0) return { ids: withId(op, index, wrong(value)) };
  if (op.body !== undefined) return { body: withMember(op.body, member, value) };
  // Beside a token the size of deposit limits has no rule: the sizes of all lists are tested on their first page.
  const query = member === 'page_size' ? withMember(op.query, 'page_token', undefined) : op.query;
  return { query: withMember(query, member, value) };
}

const paths = (error: unknown): string[] => {
  expect(error).toBeInstanceOf(RequestValidationError);
  return (error as RequestValidationError).issues.map(({ path }) => path);
};
const show = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : inspect(value);
  return text.length > 40 ? `${text.slice(0, 30)}… (${text.length})` : text;
};

/** A rule without values of one kind has no test of that kind. */
const ignore = (_name: string, _test: () => Promise<void>): void => {};

const cases = RULES.flatMap(({ operations, member, accept = [], refuse = [] }) =>
  operations.map((name) => ({ name, member, accept, refuse })),
);

describe.each(cases)('$name: $member', ({ name, member, accept, refuse }) => {
  const op = operation(name);

  (accept.length > 0 ? it : ignore)('takes what the rule allows, to its ends', async () => {
    service.answerJson(op.answer);
    const client = service.client();
    for (const value of accept)
      await expect(Promise.resolve(invoke(op, client, given(op, member, value))), show(value)).resolves.not.toThrow();
    expect(service.received).toHaveLength(accept.length);
  });

  (refuse.length > 0 ? it : ignore)('refuses what is beyond, naming the member, and sends nothing', async () => {
    service.answerJson(op.answer);
    const client = service.client();
    for (const value of refuse) {
      const error = await rejection(() => invoke(op, client, given(op, member, value)));
      const named = paths(error);
      expect(named.length, show(value)).toBeGreaterThan(0);
      for (const path of named)
        expect(path === member || path.startsWith(`${member}.`), `${show(value)}: ${path}`).toBe(true);
    }
    expect(service.received).toEqual([]);
  });
});

it('deposit limits take any page_size beside a token, which the service ignores then, and refuse it without', async () => {
  const op = operation('funds.depositLimits.list');
  service.answerJson(op.answer);
  const client = service.client();
  for (const page_size of [0, 26, 1.5]) {
    const error = await rejection(() => invoke(op, client, { query: { page_size } }));
    expect(paths(error)).toEqual(['page_size']);
    await invoke(op, client, { query: { page_size, page_token: 'x' } });
  }
  const error = await rejection(() => invoke(op, client, { query: { page_size: wrong('26'), page_token: 'x' } }));
  expect(paths(error)).toEqual(['page_size']);
  expect(service.received).toHaveLength(3);
});

it('every operation with an input is in the table', () => {
  const covered = new Set(RULES.flatMap(({ operations }) => operations));
  const withInput = OPERATIONS.filter(({ ids, query, body }) => ids.length > 0 || query || body);
  expect(withInput.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
});

describe('accounts.priceTriggerSwaps.create: exactly one amount and one price', () => {
  const op = operation('accounts.priceTriggerSwaps.create');
  const refused = async (body: Record<string, unknown>) =>
    paths(await rejection(() => invoke(op, service.client(), { body })));

  it.each(['drops_to', 'rises_to'])('takes %s alone, also beside the other as undefined', async (name) => {
    service.answerJson(op.answer);
    const none = withMember(op.body, 'when.drops_to', undefined);
    await invoke(op, service.client(), { body: withMember(none, `when.${name}`, '1') });
    const other = name === 'drops_to' ? 'rises_to' : 'drops_to';
    const when = { ...(none['when'] as object), [name]: '1', [other]: undefined };
    await invoke(op, service.client(), { body: { ...none, when } });
    expect(service.received.map(({ body }) => JSON.parse(body).when[name])).toEqual(['1', '1']);
  });

  it('refuses two prices and none, two amounts and none', async () => {
    expect(await refused(withMember(op.body, 'when.rises_to', '1'))).toEqual(['when.drops_to']);
    expect(await refused(withMember(op.body, 'when.drops_to', undefined))).toEqual(['when.drops_to']);
    expect(await refused(withMember(op.body, 'trade.to.amount', '1'))).toEqual(['trade.from.amount']);
    expect(await refused(withMember(op.body, 'trade.from.amount', undefined))).toEqual(['trade.from.amount']);
    expect(service.received).toEqual([]);
  });

  it('refuses members that it does not know, at any depth', async () => {
    for (const path of ['until', 'trade.fees', 'trade.fee.percent', 'when.at', 'when.base.name', 'trade.to.name']) {
      const body = withMember(op.body, 'trade.fee', { bps: 25 });
      expect(await refused(withMember(body, path, 'x'))).toEqual([path]);
    }
  });
});

describe.each(['accounts.quotes.create', 'accounts.onchainQuotes.create'])('%s: the amounts', (name) => {
  const op = operation(name);
  const body = withMember(withMember(op.body, 'from.amount', undefined), 'to.amount', undefined);

  it.each(['from.amount', 'to.amount'])('takes %s alone', async (member) => {
    service.answerJson(op.answer);
    const client = service.client();
    await invoke(op, client, { body: withMember(body, member, '1') });
    const other = member === 'from.amount' ? 'to' : 'from';
    // An amount that is there but undefined is not set.
    await invoke(op, client, { body: { ...body, ...withBoth(body, member, other) } });
    for (const { body: sent } of service.received) expect(JSON.parse(sent)[other]).not.toHaveProperty('amount');
  });

  it('refuses both and neither, naming an amount', async () => {
    const client = service.client();
    const both = withMember(withMember(body, 'from.amount', '1'), 'to.amount', '1');
    for (const wrongBody of [body, both]) {
      const [path, ...more] = paths(await rejection(() => invoke(op, client, { body: wrongBody })));
      expect(more).toEqual([]);
      expect(['from.amount', 'to.amount']).toContain(path);
    }
    expect(service.received).toEqual([]);
  });

  it('refuses both and neither also when one amount is wrong or another member is missing', async () => {
    const client = service.client();
    const both = withMember(withMember(body, 'from.amount', '1e5'), 'to.amount', '1');
    expect(paths(await rejection(() => invoke(op, client, { body: both })))).toContain('from.amount');
    const nothing = withMember(body, 'to.symbol', undefined);
    expect(paths(await rejection(() => invoke(op, client, { body: nothing })))).toContain('to.symbol');
    expect(service.received).toEqual([]);
  });
});

function withBoth(body: Record<string, unknown>, member: string, other: string): Record<string, unknown> {
  const set = withMember(body, member, '1');
  return { ...set, [other]: { ...(set[other] as object), amount: undefined } };
}

describe('the memo of a whitelisted wallet', () => {
  const whitelist = operation('accounts.wallets.whitelist');
  const CHAINS = ['XRP', 'ripple', 'XRPL', 'xlm', 'Stellar', 'EOS', 'Cosmos', 'cosmosHub'];

  it.each(CHAINS)('is required on %s', async (via) => {
    const client = service.client();
    for (const body of [
      { via, address: 'a' },
      { via, address: 'a', memo: undefined },
      { via, address: 'a', memo: '' },
    ])
      expect(paths(await rejection(() => invoke(whitelist, client, { body })))).toEqual(['memo']);
    expect(service.received).toEqual([]);
    service.answerJson(whitelist.answer);
    await invoke(whitelist, client, { body: { via, address: 'a', memo: '7' } });
    expect(JSON.parse(service.only.body)).toEqual({ via, address: 'a', memo: '7' });
  });

  it.each(['bitcoin', 'sepa', 'a rail of a later edition'])('is not required on %s', async (via) => {
    service.answerJson(whitelist.answer);
    await invoke(whitelist, service.client(), { body: { via, address: 'a' } });
    expect(JSON.parse(service.only.body)).toEqual({ via, address: 'a' });
  });
});

describe('every refusal', () => {
  it.each(OPERATIONS.filter(({ ids }) => ids.length > 0))('$name rejects, never throws at once', async (op) => {
    const client = service.client();
    const call = invoke(op, client, { ids: op.ids.map(() => '') });
    const error = await rejection(call);
    expect(paths(error)).toEqual(idNames(op));
    expect(error).toMatchObject({ outcome: 'not_applied', operation: op.name, attempts: { count: 0, failures: [] } });
    expect(service.received).toEqual([]);
  });

  it.each(OPERATIONS.filter(({ body }) => body !== undefined))('$name refuses a body that is no object', async (op) => {
    const client = service.client();
    for (const body of [undefined, null, 'text', 5, [], true])
      expect(paths(await rejection(() => invoke(op, client, { body: wrong(body) }))).length).toBeGreaterThan(0);
    expect(service.received).toEqual([]);
  });

  it('names every broken rule at once', async () => {
    const whitelist = operation('accounts.wallets.whitelist');
    const body = { via: '', address: 'a'.repeat(257), memo: 'm'.repeat(65) };
    const error = await rejection(() => invoke(whitelist, service.client(), { ids: ['short'], body }));
    expect(paths(error).sort()).toEqual(['account_id', 'address', 'memo', 'via']);
    for (const { message } of (error as RequestValidationError).issues) expect(message).not.toBe('');
    expect((error as RequestValidationError).message).toContain('account_id');
  });

  it('does not repeat what was handed in: an amount or an address may be private', async () => {
    const body = { via: 'v'.repeat(33), address: 'very-private-address'.repeat(20) };
    const error = await rejection(() => invoke(operation('accounts.wallets.whitelist'), service.client(), { body }));
    expect(JSON.stringify(error) + String(error)).not.toContain('very-private-address');
  });

  it('a whitelist call without OTP is refused before it is sent', async () => {
    const error = await rejection(() =>
      invoke(operation('accounts.wallets.whitelist'), service.client(), {}, { otp: undefined }),
    );
    expect(paths(error)).toEqual(['options.otp']);
    expect(service.received).toEqual([]);
  });
});

describe('arguments of a kind that the types forbid', () => {
  it.each(OPERATIONS.filter(({ query }) => query !== undefined))(
    '$name refuses params that are no object',
    async (op) => {
      const client = service.client();
      for (const query of ['page_size=1', 5, true, ['a']])
        await rejection(() => invoke(op, client, { query: wrong(query) }), RequestValidationError);
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
      await rejection(() => service.client().request(wrong<CustomRequest>(request)), RequestValidationError);
  });

  it.each([
    ['schema', { method: 'POST', path: '/v1/x', schema: { parse: () => 1 } }],
    ['idempotent', { method: 'POST', path: '/v1/x', idempotent: 'yes' }],
    ['unwrap', { method: 'GET', path: '/v1/x', unwrap: 'no' }],
  ])('request() refuses a wrong %s before it is sent', async (member, request) => {
    service.answerJson({ data: 1 });
    expect(await rejection(() => service.client().request(wrong<CustomRequest>(request)))).toMatchObject({
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
