import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { PartnerClient, PartnerError, type Transport, undiciTransport } from '../../src/index.js';
import { type Answer, type Protocol, Service, type ServiceOptions, type WireRequest } from './service.js';
import { UUID_V4 } from './signature.js';

export type ClientOptions = NonNullable<ConstructorParameters<typeof PartnerClient>[0]>;

/** Per-call options that the tests use. */
export interface PerCall {
  signal?: AbortSignal;
  timeout?: number;
  attemptTimeout?: number;
  maxRetries?: number;
  idempotencyKey?: string;
  otp?: string;
  headers?: Record<string, string>;
}

export interface Pending extends Promise<unknown> {
  withResponse(): Promise<{
    data: unknown;
    response: {
      status: number;
      headers: Readonly<Record<string, string>>;
      attempts: number;
      idempotencyKey: string | undefined;
      replayed: boolean;
    };
  }>;
}

/** A kind of call in the table of retries of docs/calls/errors-and-retries.md. */
export interface Kind {
  readonly name: string;
  readonly operation: string | undefined;
  readonly read: boolean;
  readonly keyed: boolean;
  /** Column of the table: repeated without a second thought, with its key, or hardly at all. */
  readonly column: 'safe' | 'keyed' | 'unkeyed';
  invoke(client: PartnerClient, options?: PerCall): Pending;
}

export const ACCOUNT = 'ACCOUNT-0000-0001';
export const USER = 'USER-0000-0000-0001';
export const ADDRESS_ID = 'ABcdefg-hijkl-mnopqr';
export const METHOD_ID = '6f1f5f0a-1f0e-4a3b-9a51-0a8a3a3d5a11';
export const saveBody = { asset_symbol: 'BTC', method_id: METHOD_ID, key: 'cold', address: 'bc1-secret-address' };
const onchainBody = {
  from: { symbol: 'USDC', type: 'stablecoin', amount: '10.50', wallet: { address: '0xa', network: 'ethereum' } },
  to: { symbol: 'TSLAx', type: 'xstock' },
};

const kind = (name: string, operation: string | undefined, column: Kind['column'], invoke: Kind['invoke']): Kind => {
  return { name, operation, read: name === 'GET', keyed: column === 'keyed', column, invoke };
};

export const GET = kind('GET', 'users.get', 'safe', (client, options) => client.users.get(USER, options));
export const DELETE = kind('DELETE', 'funds.addresses.delete', 'safe', (client, options) =>
  client.funds.addresses.delete(ACCOUNT, ADDRESS_ID, options),
);
export const REPEATABLE = kind('repeatable POST', 'accounts.onchainQuotes.create', 'safe', (client, options) =>
  client.accounts.onchainQuotes.create(ACCOUNT, onchainBody, options),
);
export const KEYED = kind('write with key', 'funds.withdrawalAddresses.save', 'keyed', (client, options) =>
  client.funds.withdrawalAddresses.save(ACCOUNT, saveBody, options),
);
export const UNKEYED = kind('write without key', undefined, 'unkeyed', (client, options) =>
  client.request({ method: 'POST', path: '/v1/things', body: { text: 'thing' }, ...options }),
);
export const KINDS: readonly Kind[] = [GET, DELETE, REPEATABLE, KEYED, UNKEYED];
export const SAFE: readonly Kind[] = [GET, DELETE, REPEATABLE, KEYED];

export interface Scene {
  readonly service: Service;
  readonly client: PartnerClient;
  /** Another client of the same service; closed with the scene. */
  connect(options?: ClientOptions): PartnerClient;
}

export interface Setup {
  readonly answers?: readonly Answer[];
  readonly service?: ServiceOptions;
  readonly client?: ClientOptions;
  /** What the service speaks. Default: `http`. */
  readonly over?: Protocol;
}

/** The two ways of the default transport, each by a service that makes it take that one: for `describe.each`. */
export const WAYS = ['http', 'http2'] as const satisfies readonly Protocol[];

/** A service and a client of it, closed afterwards. */
export async function scene<T>(setup: Setup, run: (scene: Scene) => Promise<T>): Promise<T> {
  const service = await Service.start({ ...(setup.over && { protocol: setup.over }), ...setup.service });
  if (setup.answers !== undefined) service.answers(...setup.answers);
  const clients: PartnerClient[] = [];
  const trusting = service.ca === undefined ? {} : { transport: transportFor(service) };
  const connect = (options?: ClientOptions) => {
    const { apiKey, apiSecret, url: baseUrl } = service;
    const named = options?.credentials === undefined ? { apiKey, apiSecret } : {};
    const client = new PartnerClient({ baseUrl, ...named, ...trusting, ...options });
    clients.push(client);
    return client;
  };
  try {
    return await run({ service, client: connect(setup.client), connect });
  } finally {
    await service.close();
    await Promise.all(clients.map((client) => client.close()));
  }
}

/** The default transport, which trusts this service. */
export const transportFor = ({ ca }: Service): Transport => undiciTransport(ca === undefined ? {} : { tls: { ca } });

type ErrorClass<E> = abstract new (...parts: never[]) => E;

/** The error that a call ends with: of this class, one of the package's, and with these members. */
export async function failure<E extends PartnerError = PartnerError>(
  call: PromiseLike<unknown>,
  type?: ErrorClass<E>,
  members: object = {},
): Promise<E> {
  const [end] = await Promise.allSettled([call]);
  if (end.status === 'fulfilled') throw new Error(`The call should have failed, it gave ${JSON.stringify(end.value)}`);
  expect(end.reason).toBeInstanceOf(PartnerError);
  if (type !== undefined) expect(end.reason).toBeInstanceOf(type);
  expect(end.reason).toMatchObject(members);
  return end.reason as E;
}

export async function settled(calls: readonly PromiseLike<unknown>[]): Promise<(unknown | PartnerError)[]> {
  const ends = await Promise.allSettled(calls);
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason));
}

/** What must hold for the attempts of one call: nonces rise, every signature is right, key and body bytes are the same. */
export function expectSameCall(requests: readonly WireRequest[], kind: Kind): void {
  const [first] = requests;
  for (const [place, request] of requests.entries()) {
    expect(request.signed, 'signature').toBe(true);
    expect(request.method).toBe(first?.method);
    expect(request.path).toBe(first?.path);
    expect(request.apiKey).toBe(first?.apiKey);
    expect(request.body.equals(first?.body ?? Buffer.alloc(0)), 'same body bytes').toBe(true);
    expect(request.key).toBe(first?.key);
    const before = requests[place - 1];
    if (before !== undefined) expect(request.nonce).toBeGreaterThan(before.nonce);
  }
  if (kind.keyed) expect(first?.key).toMatch(UUID_V4);
  else expect(first?.key).toBeUndefined();
}

export function expectUniqueNonces(requests: readonly WireRequest[]): void {
  expect(new Set(requests.map(({ nonce }) => nonce)).size).toBe(requests.length);
}

export function laneOf(client: PartnerClient) {
  const [lane] = client.stats().lanes;
  if (lane === undefined) throw new Error('a client has a lane');
  return lane;
}

export const newKey = (): string => randomUUID();
