import { connect } from 'node:net';
import { type ClientOptions, PartnerClient, type Transport } from '../../src/index.js';
import type { ExchangeListener, TransportRequest } from '../../src/transport/transport.js';
import type { Figure } from './judge.js';

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
} as const satisfies Record<string, Figure>;

export type Sabotage = keyof typeof SABOTAGES;

export const isSabotage = (name: string): name is Sabotage => Object.hasOwn(SABOTAGES, name);

/** A client that is broken in these ways; without any, a good client. */
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

type Send = ReturnType<Transport['connect']>['send'];

/** What is done in place of sending. */
type Change = (request: TransportRequest, listener: ExchangeListener, send: Send) => ReturnType<Send>;

const hoarded: number[][] = [];

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
    return { abandon() {}, destroy() {} };
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
  return {
    name: transport.name,
    connect(origin, options) {
      const connection = transport.connect(origin, options);
      const send: Send = (request, listener) => change(request, listener, (...sent) => connection.send(...sent));
      return overridden(connection, 'send', send);
    },
  };
}
