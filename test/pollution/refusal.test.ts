import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ConfigurationError,
  PartnerClient,
  PartnerError,
  undiciTransport,
  type WebhookVerificationError,
} from '../../src/index.js';
import { hmacSha256 } from '../../src/runtime/crypto.js';
import { signWebhook, verifyWebhook, webhookHandler } from '../../src/webhooks/index.js';
import { verifierOf } from '../../src/webhooks/verify.js';
import { json, Service, status } from '../support/service.js';

const USER = 'USER-0000-0000-0001';
const ACCOUNT = 'ACCOUNT-0000-0001';
const OTP = { otp: '42' };
const WALLET = { via: 'bitcoin', address: 'bc1' };
const SYMBOL = Symbol('of an application');

const added: PropertyKey[] = [];

function add(name: PropertyKey, description: PropertyDescriptor): void {
  added.push(name);
  const all = Object.assign(Object.create(null), { configurable: true }, description) as PropertyDescriptor;
  Object.defineProperty(Object.prototype, name, all);
}

function clean(): void {
  for (const name of added.splice(0)) Reflect.deleteProperty(Object.prototype, name);
}

const service = new Service();
let client: PartnerClient;

beforeEach(async () => {
  await service.listen();
  service.requests.length = 0;
  client = make();
});

afterEach(async () => {
  clean();
  await client.close();
  await service.close();
});

function make(options: object = {}): PartnerClient {
  const { url: baseUrl, apiKey, apiSecret } = service;
  return new PartnerClient({ baseUrl, apiKey, apiSecret, transport: undiciTransport(), ...options });
}

/** The error of a function, or of a call that is refused when it begins: nothing is polluted any more when it is read. */
async function errorOf(run: () => unknown): Promise<PartnerError> {
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    result = Promise.reject(error);
  } finally {
    clean();
  }
  return failureOf(result);
}

/** The error of a call during which something is polluted. */
async function failureOf(result: unknown): Promise<PartnerError> {
  const error = await Promise.resolve(result).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  clean();
  expect(error).toBeInstanceOf(PartnerError);
  return error as PartnerError;
}

describe('a member that others have put on Object.prototype', () => {
  const refused: readonly (readonly [string, PropertyKey, PropertyDescriptor])[] = [
    ['an enumerable one', 'whatever', { value: 'x', enumerable: true }],
    ['an enumerable getter', 'whatever', { get: () => 'x', enumerable: true }],
    ['one that zod reads', 'skipChecks', { value: true }],
    ['one that undici reads', 'socketPath', { value: '/tmp/x' }],
    ['one that node:tls reads', 'rejectUnauthorized', { value: false }],
    ['one that node:net reads', 'lookup', { value: () => {} }],
    ['one that the language reads', 'get', { value: true }],
    ['one that promises read', 'then', { value: true }],
    ['a well-known symbol', Symbol.toPrimitive, { value: () => 'x' }],
  ];

  it.each(refused)('refuses a new client and names it: %s', async (_, name, description) => {
    add(name, description);
    const error = await errorOf(() => make());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(`Object.prototype has ${String(name)}: `);
  });

  it.each(refused)('refuses a call before anything is sent: %s', async (_, name, description) => {
    await nextTurn();
    add(name, description);
    const error = await errorOf(() => client.accounts.wallets.whitelist(ACCOUNT, WALLET, OTP));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ outcome: 'not_applied', operation: 'accounts.wallets.whitelist' });
    expect(error.message).toContain(`Object.prototype has ${String(name)}: `);
    expect(service.requests).toHaveLength(0);
    await expect(client.users.get(USER)).resolves.toMatchObject({ id: USER });
  });

  it.each<[string, PropertyKey]>([
    ['should.js', 'should'],
    ['a name of our answers', 'next_page_token'],
    ['a name of our options', 'idempotencyKey'],
    ['a symbol of an application', SYMBOL],
  ])('does no harm if it cannot be enumerated and nothing reads it: %s', async (_, name) => {
    service.answers(json(200, { data: [] }));
    add(name, { get: () => 'x', set: () => {} });
    const page = await make().webhooks.list();
    const saved = client.accounts.wallets.whitelist(ACCOUNT, WALLET, OTP);
    await expect(saved).resolves.toMatchObject({ via: 'bitcoin', status: 'pending' });
    expect(page.nextPageToken).toBeUndefined();
    expect(service.requests.map(({ key }) => key)).not.toContain('x');
    expect(service.refused).toEqual([]);
  });

  it('stays where it is: a call changes no global', async () => {
    add('should', { get: () => 'x' });
    const before = Object.getOwnPropertyDescriptor(Object.prototype, 'should');
    const seen: unknown[] = [];
    const watched = make({ hooks: { onRequest: () => seen.push(Object.hasOwn(Object.prototype, 'should')) } });
    const { defineProperty, deleteProperty } = Reflect;
    const changed: unknown[] = [];
    const noting =
      <Given extends readonly unknown[], Result>(run: (...given: Given) => Result) =>
      (...given: Given): Result => {
        changed.push(given[0]);
        return run(...given);
      };
    Object.assign(Reflect, { defineProperty: noting(defineProperty), deleteProperty: noting(deleteProperty) });
    try {
      await watched.users.get(USER);
    } finally {
      Object.assign(Reflect, { defineProperty, deleteProperty });
      await watched.close();
    }
    expect(seen).toEqual([true]);
    expect(changed).not.toContain(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(Object.prototype, 'should')).toEqual(before);
  });

  it('lists ten names at most, without characters that move a cursor', async () => {
    for (let index = 0; index < 12; index++) add(`n${index}\u001b[2J`, { value: 1, enumerable: true });
    const { message } = await errorOf(() => make());
    expect(message).toMatch(/^Object\.prototype has n0\\u001b\[2J, .*n9\\u001b\[2J and 2 more: every/);
  });
});

describe('the look for added members', () => {
  const hidden = () => add('skipChecks', { value: true });

  it('is taken once at most by calls that begin in the same turn of the event loop', async () => {
    await nextTurn();
    const { ownKeys } = Reflect;
    let looks = 0;
    Reflect.ownKeys = (object) => {
      if (object === Object.prototype) looks++;
      return ownKeys(object);
    };
    const calls = Array.from({ length: 20 }, () => client.users.get(USER));
    Reflect.ownKeys = ownKeys;
    await Promise.all(calls);
    expect(looks).toBeLessThanOrEqual(1);
  });

  it('finds an enumerable member that was added after a look of the same turn', async () => {
    await nextTurn();
    const before = client.users.get(USER);
    add('whatever', { value: 'x', enumerable: true });
    const error = await errorOf(() => client.users.get(USER));
    expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_applied' });
    await before;
  });

  it('finds a hidden member from the next turn on', async () => {
    // Its answer is looked at, too.
    await client.users.get(USER);
    await nextTurn();
    hidden();
    const error = await errorOf(() => client.users.get(USER));
    expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_applied' });
  });

  it('goes on under fake timers', async () => {
    vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'queueMicrotask'] });
    try {
      await client.users.get(USER);
      await nextTurn();
      hidden();
      const error = await errorOf(() => client.users.get(USER));
      expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_applied' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('is taken anew for each client: it finds a hidden member of the same turn', async () => {
    await nextTurn();
    const before = client.users.get(USER);
    hidden();
    expect(await errorOf(() => make())).toMatchObject({ name: 'ConfigurationError' });
    await before;
  });
});

describe('pollution while a call runs', () => {
  it('keeps a retry from being sent; the outcome stays that of the attempt before', async () => {
    service.script = (request) => {
      setImmediate(() => add('socketPath', { value: '/tmp/x' }));
      return request.index === 0 ? status(503) : status(500);
    };
    const saving = client.accounts.wallets.whitelist(ACCOUNT, WALLET, { ...OTP, maxRetries: 2 });
    const error = await failureOf(saving);
    expect(service.requests).toHaveLength(1);
    expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'unknown' });
    expect(error.attempts.failures[0]).toMatchObject({ status: 503 });
  });

  it('keeps an attempt from being sent whose signer was asked before', async () => {
    const signing = make({
      apiSecret: async () => {
        add('when', { value: () => false });
        return service.apiSecret;
      },
    });
    const error = await failureOf(signing.accounts.wallets.whitelist(ACCOUNT, WALLET, OTP));
    expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_applied' });
    expect(service.requests).toHaveLength(0);
    await signing.close();
  });

  it.each<[string, PropertyKey, PropertyDescriptor]>([
    ['enumerable', 'memo', { value: 'x', enumerable: true }],
    ['read by zod', 'skipChecks', { value: true }],
  ])('leaves the answer of a write unread, and its outcome true: %s', async (_, name, description) => {
    service.script = () => {
      add(name, description);
      return json(200, { data: { id: 'w1', via: 'bitcoin', address: 'bc1', status: 'pending' } });
    };
    const error = await failureOf(client.accounts.wallets.whitelist(ACCOUNT, WALLET, OTP));
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'applied' });
    expect(error.message).toContain(`Object.prototype has ${String(name)}: `);
    expect(service.requests).toHaveLength(1);
  });

  it('takes no code of the system from there: a write that was lost stays unknown', async () => {
    service.resetAtHead = () => {
      add('code', { value: 'ECONNREFUSED', writable: true });
      return true;
    };
    const error = await failureOf(client.accounts.wallets.whitelist(ACCOUNT, WALLET, OTP));
    service.resetAtHead = () => false;
    expect(error.outcome).toBe('unknown');
    expect(service.requests).toHaveLength(1);
  });
});

describe('a delivery in a polluted process', () => {
  const secret = Buffer.from('a signing secret').toString('base64');
  const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
  const headers = signWebhook({ body, secret });

  it('is refused: members that can be enumerated', async () => {
    add('whatever', { value: 'x', enumerable: true });
    const error = await errorOf(() => verifyWebhook({ body, headers, secret }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain('whatever');
  });

  it('is refused: members that came while its hashes were made', async () => {
    const { keys, read, verify } = verifierOf({ secret });
    const delivery = read(body, headers);
    const hmacs = await Promise.all(keys.map((key) => hmacSha256(key, ...delivery.signedParts)));
    expect(verify(delivery, hmacs).members).toMatchObject({ id: 'evt_1' });
    add('whatever', { value: 'x', enumerable: true });
    const error = await errorOf(() => verify(delivery, hmacs));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain('whatever');
  });

  it('is answered 500, so that the service delivers it again', async () => {
    const errors: unknown[] = [];
    const receive = webhookHandler({ secret, onEvent: () => {}, onError: (error) => errors.push(error) });
    const request = new Request('http://localhost/', { method: 'POST', body, headers: { ...headers } });
    add('whatever', { value: 'x', enumerable: true });
    const answering = receive(request).finally(clean);
    expect((await answering).status).toBe(500);
    expect(errors).toMatchObject([{ name: 'ConfigurationError' }]);
  });

  it('is read right beside members that cannot be enumerated', () => {
    for (const name of ['secrets', 'toleranceSeconds', 'scheme', 'event_type', 'type', 'id'])
      add(name, { value: 'body', writable: true });
    const event = verifyWebhook({ body, headers, secret });
    let reason: unknown;
    try {
      verifyWebhook({ body: `${body} `, headers, secret });
    } catch (error) {
      reason = (error as WebhookVerificationError).reason;
    }
    clean();
    expect(event).toMatchObject({ id: 'evt_1', type: 'quote.executed' });
    expect(reason).toBe('bad_signature');
  });
});
