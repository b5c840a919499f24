import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../test/support/link.js';
import { rightAnswer } from '../../test/support/service.js';

/** How the service answers from now on. */
export interface Behaviour {
  readonly status: 200 | 503;
  /** Milliseconds an answer takes: least and most. */
  readonly answer: readonly [number, number];
  /** The share of answers that take `ms` in place of that. */
  readonly slow?: { readonly share: number; readonly ms: number };
  /**
   * `together`: the requests of a connection are handled as they arrive and answered in order, as node:http does. `in turn`: one is
   * handled when the one before it has been answered, as a proxy such as nginx does; its nonce is seen no sooner.
   */
  readonly handling: 'together' | 'in turn';
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

interface KeyState {
  highest: bigint;
  requests: number;
  refused: number;
  connections: number;
}

const user = rightAnswer({ method: 'GET', path: '/v1/users/USER-0000-0001', body: Buffer.of() }).body;
const address = '{"data":{"key":"cold","tag":null}}';
const refusal = (status: number, code: string) =>
  JSON.stringify({ error: { type: 'request_error', status, instance: 'in-1', code } });

/** A service that knows two operations and costs little, so that the client is what is measured. */
export class BenchService {
  readonly #server: Server;
  readonly #keys = new Map<string, KeyState>();
  readonly #keysOfSocket = new WeakMap<Socket, Set<string>>();
  /** The last request of each connection. */
  readonly #turns = new WeakMap<Socket, Promise<void>>();
  #behaviour: Behaviour;
  #random: () => number;

  private constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour;
    this.#random = seeded(behaviour.seed ?? 1);
    this.#server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => this.#take(message, response));
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
    const { socket } = message;
    const state = this.#arrival(message);
    message.resume();
    if (this.#behaviour.handling === 'together') {
      void this.#handle(message, response, state);
      return;
    }
    const turn = (this.#turns.get(socket) ?? Promise.resolve()).then(() =>
      socket.destroyed ? undefined : this.#handle(message, response, state),
    );
    this.#turns.set(socket, turn);
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
    const { answer, slow, nonces, status } = this.#behaviour;
    const nonce = BigInt(String(message.headers['api-nonce']));
    const late = nonces === 'rising' && nonce <= state.highest;
    if (late) state.refused++;
    else state.highest = nonce;
    const [least, most] = answer;
    const usual = least + this.#random() * (most - least);
    await sleep(slow !== undefined && this.#random() < slow.share ? slow.ms : usual);
    if (late) give(response, 401, refusal(401, 'unauthenticated'));
    else if (status === 503) give(response, 503, refusal(503, 'unavailable'));
    else give(response, 200, message.method === 'GET' ? String(user) : address);
  }
}

function give(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(body.length) }).end(body);
}
