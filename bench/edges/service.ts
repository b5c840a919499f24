import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../test/support/random.js';
import { userOf } from '../../test/support/service.js';
import { signature } from '../../test/support/signature.js';
import { API_SECRET } from './sdk.js';

/** How the service answers from now on. */
export interface Behaviour {
  /** Milliseconds an answer takes: least and most. */
  readonly answer: readonly [number, number];
  /** The share of answers that take `ms` in place of that. */
  readonly slow?: { readonly share: number; readonly ms: number };
  /** `rising`: a nonce that is not above the last of its API key is refused with 401. */
  readonly nonces: 'rising' | 'any';
  /** The same seed gives the same times in the same order. Default 1. */
  readonly seed?: number;
}

/** What arrived with one API key. */
export interface Counts {
  readonly requests: number;
  /** 401s because of the nonce. */
  readonly refused: number;
  readonly connections: number;
}

/** Longer than an edge keeps its connections to a service: the service never closes one that is about to be used. */
const KEEP_ALIVE_MS = 300_000;

interface KeyState {
  highest: bigint;
  requests: number;
  refused: number;
  connections: number;
}

const NO_BODY = Buffer.alloc(0);
/** A user whose id is still missing, as text before and after it. */
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify({ data: userOf('?') }).split('?');

/** Repeats what was asked for, so that an answer which reached another call is found out. */
function answerTo({ method, url = '' }: IncomingMessage, body: Buffer): string {
  if (method === 'GET') return BEFORE_ID + url.slice(url.lastIndexOf('/') + 1) + AFTER_ID;
  const { key } = JSON.parse(String(body)) as { readonly key: string };
  return JSON.stringify({ data: { key, tag: null } });
}

const REFUSAL = JSON.stringify({
  error: { type: 'request_error', status: 401, instance: 'in-1', code: 'unauthenticated' },
});

/** A service that knows two operations and costs little, so that the client is what is measured. */
export class BenchService {
  readonly #server: Server;
  readonly #keys = new Map<string, KeyState>();
  readonly #keysOfSocket = new WeakMap<Socket, Set<string>>();
  #behaviour: Behaviour;
  #random: () => number;

  private constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour;
    this.#random = seeded(behaviour.seed ?? 1);
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (message, response) =>
      this.#take(message, response),
    );
  }

  static async start(behaviour: Behaviour): Promise<BenchService> {
    const service = new BenchService(behaviour);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour;
    this.#random = seeded(behaviour.seed ?? 1);
  }

  /** The counts of all API keys that begin so. */
  counts(prefix: string): Counts {
    const states = [...this.#keys].filter(([key]) => key.startsWith(prefix)).map(([, state]) => state);
    const sum = (pick: (state: KeyState) => number) => states.reduce((total, state) => total + pick(state), 0);
    return {
      requests: sum(({ requests }) => requests),
      refused: sum(({ refused }) => refused),
      connections: sum(({ connections }) => connections),
    };
  }

  #take(message: IncomingMessage, response: ServerResponse): void {
    this.#handle(message, response, this.#arrival(message)).catch(isGone);
  }

  #arrival({ socket, headers }: IncomingMessage): KeyState {
    const apiKey = String(headers['api-key']);
    const state = this.#keys.get(apiKey) ?? { highest: -1n, requests: 0, refused: 0, connections: 0 };
    this.#keys.set(apiKey, state);
    state.requests++;
    const known = this.#keysOfSocket.get(socket) ?? new Set();
    this.#keysOfSocket.set(socket, known);
    if (!known.has(apiKey)) state.connections++;
    known.add(apiKey);
    return state;
  }

  async #handle(message: IncomingMessage, response: ServerResponse, state: KeyState): Promise<void> {
    const { answer, slow } = this.#behaviour;
    const body = message.method === 'GET' ? NO_BODY : await bodyOf(message);
    // The signature is one of the body, too: the nonce is looked at when the whole request is there.
    const isRefused = this.#refuses(message, body, state);
    const [least, most] = answer;
    const usual = least + this.#random() * (most - least);
    await sleep(slow !== undefined && this.#random() < slow.share ? slow.ms : usual);
    if (isRefused) give(response, 401, REFUSAL);
    else give(response, 200, answerTo(message, body));
  }

  #refuses({ headers, url = '' }: IncomingMessage, body: Buffer, state: KeyState): boolean {
    const nonce = String(headers['api-nonce']);
    if (headers['api-sign'] !== signature(API_SECRET, url, nonce, body)) return true;
    const late = this.#behaviour.nonces === 'rising' && BigInt(nonce) <= state.highest;
    if (late) state.refused++;
    else state.highest = BigInt(nonce);
    return late;
  }
}

/** The connection broke before the whole request was there. */
function isGone(): void {}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function give(response: ServerResponse, status: number, body: string): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length }).end(body);
}
