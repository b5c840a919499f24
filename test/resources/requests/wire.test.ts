import { describe, expect, it } from 'vitest';
import { UUID_V4 } from '../../support/signature.js';
import { invoke, OPERATIONS, operation, pathOf } from '../support/operations.js';
import { OTP, type Received, startService } from '../support/service.js';

const service = startService();

/** Every member of a query as pairs of text: a repeated key for an array, `name[0][member]` for objects in it. */
const pairs = (query: Readonly<Record<string, unknown>> = {}): string[][] =>
  Object.entries(query).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [[name, String(value)]];
    return value.flatMap((each, index) => {
      if (typeof each !== 'object') return [[name, String(each)]];
      return Object.entries(each as object).map(([member, inner]) => [`${name}[${index}][${member}]`, String(inner)]);
    });
  });
const sorted = (list: readonly string[][]): string[][] =>
  [...list].sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0));

/** The same value with the members of each object in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}

describe.each(OPERATIONS)('$name on the wire', (op) => {
  it('sends its method, path, query and body, and nothing more', async () => {
    service.answerJson(op.answer);
    await invoke(op, service.client());
    const { method, pathname, query, headers, body } = service.only;
    expect(method).toBe(op.method);
    expect(pathname).toBe(pathOf(op, op.ids));
    expect(sorted([...query])).toEqual(sorted(pairs(op.query)));
    if (op.body === undefined) expect([body, headers['content-type']]).toEqual(['', undefined]);
    else expect([JSON.parse(body), headers['content-type']]).toEqual([op.body, 'application/json']);
  });

  it('sends the same body in whichever order its members are given', async () => {
    service.answerJson(op.answer);
    const client = service.client();
    await invoke(op, client);
    await invoke(op, client, { body: reversed(op.body) as typeof op.body });
    const [one, other] = service.received.map(({ body }) => body);
    expect(other).toBe(one);
  });

  it(op.key ? 'sends a new UUIDv4 as Idempotency-Key with each call' : 'sends no Idempotency-Key', async () => {
    service.answerJson(op.answer);
    const client = service.client();
    await invoke(op, client);
    await invoke(op, client);
    const keys = service.received.map(({ headers }) => headers['idempotency-key']);
    if (!op.key) return expect(keys).toEqual([undefined, undefined]);
    for (const key of keys) expect(key).toMatch(UUID_V4);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it(op.otp ? 'sends API-Otp' : 'sends API-Otp only when the call gives one', async () => {
    service.answerJson(op.answer);
    const client = service.client();
    await invoke(op, client);
    await invoke(op, client, {}, { otp: '424242' });
    expect(service.received.map(({ headers }) => headers['api-otp'])).toEqual([op.otp && OTP, '424242']);
  });
});

describe('nonces', () => {
  it('are nanoseconds, and rise from request to request, over clients of one key', async () => {
    service.answer(() => Response.json(operation('users.get').answer));
    const clients = [service.client(), service.client()] as const;
    for (let round = 0; round < 5; round++) for (const client of clients) await invoke(operation('users.get'), client);
    const nonces = service.received.map(({ headers }) => BigInt(headers['api-nonce'] ?? 0));
    expect(Math.abs(Number((nonces[0] ?? 0n) / 1_000_000n) - Date.now())).toBeLessThan(60_000);
    expect(nonces).toHaveLength(10);
    for (const [index, nonce] of nonces.entries()) if (index > 0) expect(nonce > (nonces[index - 1] ?? 0n)).toBe(true);
  });
});

describe('the query', () => {
  const assets = operation('users.assets.list');
  const sent = async (query: Record<string, unknown> | undefined): Promise<Received> => {
    service.answerJson(assets.answer);
    await invoke(assets, service.client(), { query });
    return service.only;
  };

  it('has no member that is undefined, and none for an empty array', async () => {
    const query = { type: [], swap_trading: undefined, page_size: undefined, page_token: undefined, sort: undefined };
    expect((await sent(query)).path).toBe(`/v1/users/${assets.ids[0]}/assets`);
  });
});

describe('Idempotency-Key and API-Otp', () => {
  it('the client\u2019s OTP serves every whitelist call, a provider is told the operation', async () => {
    const whitelist = operation('accounts.wallets.whitelist');
    service.answerJson(whitelist.answer);
    const asked: unknown[] = [];
    const provider = async (name: unknown): Promise<string> => {
      asked.push(name);
      return '777';
    };
    await invoke(whitelist, service.client({ otp: '333' }), {}, { otp: undefined });
    await invoke(whitelist, service.client({ otp: provider }), {}, { otp: undefined });
    await invoke(whitelist, service.client({ otp: provider }), {}, { otp: '1' });
    expect(service.received.map(({ headers }) => headers['api-otp'])).toEqual(['333', '777', '1']);
    expect(asked).toHaveLength(1);
  });
});

describe('withResponse()', () => {
  it('tells status, headers in lower case, attempts and the key that was sent', async () => {
    service.answer(() => Response.json({ data: { key: 'k', tag: null } }, { headers: { 'X-Trace': 'abc' } }));
    const { body, ids } = operation('funds.withdrawalAddresses.save');
    const client = service.client();
    const call = client.funds.withdrawalAddresses.save(ids[0] as string, body as never);
    const { data, response } = await call.withResponse();
    expect(data).toEqual({ key: 'k', tag: null });
    expect(await call).toEqual(data);
    expect(response).toMatchObject({ status: 200, attempts: 1, replayed: false });
    expect(response.headers['x-trace']).toBe('abc');
    expect(response.idempotencyKey).toBe(service.only.headers['idempotency-key']);
  });

  it('knows a replayed answer, and a read has no key', async () => {
    service.answer(() =>
      Response.json({ data: { key: 'k', tag: null } }, { headers: { 'Idempotent-Replayed': 'true' } }),
    );
    const { body, ids } = operation('funds.withdrawalAddresses.save');
    const client = service.client();
    const saved = await client.funds.withdrawalAddresses.save(ids[0] as string, body as never).withResponse();
    expect(saved.response.replayed).toBe(true);
    service.answerJson(operation('users.get').answer);
    const read = await client.users.get(operation('users.get').ids[0] as string).withResponse();
    expect(read.response).toMatchObject({ replayed: false, idempotencyKey: undefined });
  });

  it('sends one request however often the promise is used', async () => {
    service.answerJson(operation('users.get').answer);
    const call = service.client().users.get(operation('users.get').ids[0] as string);
    await Promise.all([call, call.withResponse(), call.then(() => 1), call.catch(() => 1), call.finally(() => {})]);
    expect(service.received).toHaveLength(1);
  });
});
