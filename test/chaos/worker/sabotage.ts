import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { type ClientOptions, PartnerClient } from '../../../src/index.js';
import type { ExchangeListener, Slot, TransportRequest } from '../../../src/transport/connections.js';
import { connectionsOf, createTransport, type Transport } from '../../../src/transport/transport.js';
import type { Figure } from '../judge/judge.js';

/** Ways to break a worker, with the figure that must tell of it: a judge that never finds anything proves nothing. */
export const SABOTAGES = {
  'writes twice': 'doubled',
  'answers without sending': 'lost',
  'takes silence for a refusal': 'wrong outcome',
  'falling nonces': 'refused nonces',
  'sends twice': 'nonces twice',
  'repeats by itself': 'unasked attempts',
  'plain error': 'untyped errors',
  'floating rejection': 'incidents',
  timer: 'left over',
  listener: 'left over',
  socket: 'left over',
  hoard: 'memory grown',
  'repeats unprocessed writes with another key': 'keys changed',
  'takes writes for unprocessed': 'doubled',
  'swaps answers': 'wrong answer',
  'repeats with every API key': 'doubled',
} as const satisfies Record<string, Figure>;

export type Sabotage = keyof typeof SABOTAGES;

/** The one way that breaks the edge, not the worker. */
export const SWAPS: Sabotage = 'swaps answers';

export const isSabotage = (name: string): name is Sabotage => Object.hasOwn(SABOTAGES, name);

export function clientOf(options: ClientOptions, longLived: AbortSignal, ways: readonly Sabotage[]): PartnerClient {
  const client = new PartnerClient(ways.reduce(brokenOptions, options));
  for (const way of ways) LEFTOVERS[way]?.(options, longLived);
  if (ways.includes('plain error')) {
    Object.assign(client.webhooks, { list: () => Promise.reject(new TypeError('plain')) });
  }
  if (ways.includes('writes twice')) {
    const { quotes } = client.accounts;
    const create = quotes.create.bind(quotes);
    quotes.create = (accountId, body, callOptions = {}) => {
      const { idempotencyKey: _not, ...others } = callOptions;
      create(accountId, body, others).catch(() => {});
      return create(accountId, body, callOptions);
    };
  }
  if (ways.includes('repeats with every API key')) {
    const { quotes } = client.accounts;
    const create = quotes.create.bind(quotes);
    quotes.create = (accountId, body, { idempotencyKey = randomUUID(), ...others } = {}) => {
      for (const one of options.credentials ?? []) {
        const other = client.withOptions({ credentials: [one] });
        const repeat = other.accounts.quotes.create(accountId, body, { idempotencyKey });
        void repeat.catch(() => {}).finally(() => other.close());
      }
      return create(accountId, body, { ...others, idempotencyKey });
    };
  }
  return client;
}

const LEFTOVERS: { readonly [Way in Sabotage]?: (options: ClientOptions, longLived: AbortSignal) => void } = {
  'floating rejection': () => void Promise.reject(new Error('nobody listens')),
  timer: () => void setInterval(() => {}, 60_000),
  listener: (_options, longLived) => longLived.addEventListener('abort', () => {}),
  socket: ({ baseUrl = '' }) => void connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => {}),
};

function brokenOptions(options: ClientOptions, way: Sabotage): ClientOptions {
  const change = CHANGES[way];
  if (way === 'falling nonces') {
    let nonce = BigInt(Date.now()) * 1_000_000n;
    return { ...options, nonce: { next: () => nonce-- } };
  }
  if (change === undefined || options.transport === undefined) return options;
  return { ...options, transport: changed(options.transport, change) };
}

type Send = Slot['send'];

type Change = (request: TransportRequest, listener: ExchangeListener, send: Send) => ReturnType<Send>;

const hoarded: number[][] = [];

/** What was not processed, or is said not to have been. */
const unprocessed = new Set<string>();

/** Tells of a whole answer, soon. */
function answer(listener: ExchangeListener, status: number): void {
  listener.onSent();
  queueMicrotask(() => {
    listener.onHead(status, {});
    listener.onEnd();
  });
}

/** They break every request that they can, and wait for nothing: what a run shows of them must not depend on how busy the machine is. */
const CHANGES: { readonly [Way in Sabotage]?: Change } = {
  'answers without sending': (request, listener, send) => {
    if (request.method === 'GET') return send(request, listener);
    answer(listener, 200);
    return { abandon() {} };
  },
  'takes silence for a refusal': (request, listener, send) => {
    if (request.method === 'GET') return send(request, listener);
    const onError: ExchangeListener['onError'] = (error, loss) => {
      if (loss === 'not_sent') listener.onError(error, loss);
    };
    return send(
      request,
      overridden(overridden(silent, 'onError', onError), 'onSent', () => answer(listener, 400)),
    );
  },
  'sends twice': (request, listener, send) => {
    send(request, silent);
    return send(request, listener);
  },
  'repeats by itself': (request, listener, send) => {
    const { 'api-nonce': nonce = '0', ...headers } = request.headers;
    send({ ...request, headers: { ...headers, 'api-nonce': String(BigInt(nonce) - 1n) } }, silent);
    return send(request, listener);
  },
  'repeats unprocessed writes with another key': (request, listener, send) => {
    const { 'idempotency-key': key, ...others } = request.headers;
    if (key === undefined) return send(request, listener);
    const headers = unprocessed.has(key) ? { ...others, 'idempotency-key': randomUUID() } : request.headers;
    const onError: ExchangeListener['onError'] = (error, loss) => {
      if (loss === 'unprocessed') unprocessed.add(key);
      listener.onError(error, loss);
    };
    return send({ ...request, headers }, overridden(listener, 'onError', onError));
  },
  'takes writes for unprocessed': (request, listener, send) => {
    const text = `${request.path} ${Buffer.from(request.body ?? []).toString()}`;
    if (request.method === 'GET' || 'idempotency-key' in request.headers || unprocessed.has(text)) {
      return send(request, listener);
    }
    unprocessed.add(text);
    const fail = () => listener.onError(new Error('not begun with'), 'unprocessed');
    const heard = overridden(overridden(silent, 'onEnd', fail), 'onError', fail);
    return send(
      request,
      overridden(heard, 'onSent', () => listener.onSent()),
    );
  },
  hoard: (request, listener, send) => {
    hoarded.push(Array.from({ length: 4_000 }, Math.random));
    return send(request, listener);
  },
};

/** The same object with one of its methods replaced. */
function overridden<T extends object>(object: T, method: keyof T, replacement: unknown): T {
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === method) return replacement;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A listener that hears nothing. */
const silent = new Proxy({} as ExchangeListener, { get: () => () => {} });

function changed(transport: Transport, change: Change): Transport {
  return createTransport(transport.name, (origin, options) => {
    const connections = connectionsOf(transport, origin, options);
    const reserve = (waiting: number, notRetryable: boolean): Slot | undefined => {
      const slot = connections.reserve(waiting, notRetryable);
      return slot && changedSlot(slot, change, () => connections.reserve(1, false));
    };
    return overridden(connections, 'reserve', reserve);
  });
}

/** What is sent beyond the slot's one request takes another slot, or is dropped when there is none. */
function changedSlot(slot: Slot, change: Change, another: () => Slot | undefined): Slot {
  const send: Send = (request, listener) => {
    let isUsed = false;
    const sendOne: Send = (...sent) => {
      const place = isUsed ? another() : slot;
      isUsed = true;
      return place?.send(...sent) ?? { abandon() {} };
    };
    const exchange = change(request, listener, sendOne);
    if (!isUsed) slot.release();
    return exchange;
  };
  return overridden(slot, 'send', send);
}
