import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { type ClientOptions, fetchTransport, PartnerClient } from '../../../src/index.js';
import type { Figure } from '../judge/judge.js';

/** Ways to break a worker, with the figure that must tell of it: a judge that never finds anything proves nothing. */
export const SABOTAGES = {
  'writes with every API key': 'doubled',
  'answers without sending': 'lost',
  'takes silence for a refusal': 'wrong outcome',
  'swaps answers': 'wrong answer',
  'falling nonces': 'refused nonces',
  'sends twice': 'nonces twice',
  'repeats by itself': 'unasked attempts',
  'changes keys': 'keys changed',
  'plain error': 'untyped errors',
  'floating rejection': 'incidents',
  timer: 'left over',
  listener: 'left over',
  socket: 'left over',
} as const satisfies Record<string, Figure>;

export type Sabotage = keyof typeof SABOTAGES;

export const isSabotage = (name: string): name is Sabotage => Object.hasOwn(SABOTAGES, name);

interface Init extends RequestInit {
  readonly headers: Record<string, string>;
}

/** How long an answer waits for another one to be exchanged with, in ms. */
const SWAP_WAIT_MS = 60;

let held: { readonly answer: Response; readonly give: (other: Response) => void } | undefined;

/** They break every request that they can: what a run shows of them must not depend on how busy the machine is. */
const FETCHES: { readonly [Way in Sabotage]?: (url: string, init: Init) => Promise<Response> } = {
  'answers without sending': async (url, init) =>
    init.method === 'GET' ? fetch(url, init) : Response.json({ data: {} }),
  async 'takes silence for a refusal'(url, init) {
    if (init.method === 'GET') return fetch(url, init);
    await fetch(url, init).catch(() => {});
    const error = { type: 'request_error', status: 400, instance: 'in-1', code: 'bad_request' };
    return Response.json({ error }, { status: 400 });
  },
  async 'swaps answers'(url, init) {
    const answer = await fetch(url, init);
    const other = held;
    held = undefined;
    if (other !== undefined) {
      other.give(answer);
      return other.answer;
    }
    return new Promise((give) => {
      held = { answer, give };
      setTimeout(() => {
        if (held?.answer === answer) held = undefined;
        give(answer);
      }, SWAP_WAIT_MS);
    });
  },
  async 'sends twice'(url, init) {
    void fetch(url, init).catch(() => {});
    return fetch(url, init);
  },
  async 'repeats by itself'(url, init) {
    const nonce = String(BigInt(init.headers['api-nonce'] ?? 0) - 1n);
    void fetch(url, { ...init, headers: { ...init.headers, 'api-nonce': nonce } }).catch(() => {});
    return fetch(url, init);
  },
  async 'changes keys'(url, init) {
    const isKeyed = 'idempotency-key' in init.headers;
    return fetch(url, { ...init, headers: { ...init.headers, ...(isKeyed && { 'idempotency-key': randomUUID() }) } });
  },
};

const LEFTOVERS: { readonly [Way in Sabotage]?: (options: ClientOptions, longLived: AbortSignal) => void } = {
  'floating rejection': () => void Promise.reject(new Error('nobody listens')),
  timer: () => void setInterval(() => {}, 60_000),
  listener: (_options, longLived) => longLived.addEventListener('abort', () => {}),
  socket: ({ baseUrl = '' }) => void connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => {}),
};

export function clientOf(options: ClientOptions, longLived: AbortSignal, ways: readonly Sabotage[]): PartnerClient {
  const client = new PartnerClient(ways.reduce(brokenOptions, options));
  for (const way of ways) LEFTOVERS[way]?.(options, longLived);
  if (ways.includes('plain error')) {
    Object.assign(client.webhooks, { list: () => Promise.reject(new TypeError('plain')) });
  }
  if (ways.includes('writes with every API key')) {
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

function brokenOptions(options: ClientOptions, way: Sabotage): ClientOptions {
  const broken = FETCHES[way];
  if (broken !== undefined) {
    return { ...options, transport: fetchTransport({ fetch: (url, init) => broken(String(url), init as Init) }) };
  }
  if (way !== 'falling nonces') return options;
  let nonce = BigInt(Date.now()) * 1_000_000n;
  return { ...options, nonce: { next: () => nonce-- } };
}
