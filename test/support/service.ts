import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request as it came over the wire. */
export interface WireRequest {
  /** Place in the order of arrival (of the heads), from 0. */
  readonly index: number;
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly apiKey: string;
  readonly nonce: bigint;
  /** `Idempotency-Key`, if one was sent. */
  readonly key: string | undefined;
  /** Number of the connection it came on, from 1. */
  readonly connection: number;
  /** Indexes of the requests that had come and had no whole answer yet when this one came. */
  readonly open: readonly number[];
  /** `Date.now()` at its arrival. */
  readonly at: number;
  /** Filled when the whole request has been read. */
  body: Buffer;
  /** Whether the signature is right; undefined until the body has been read. */
  signed: boolean | undefined;
  /** The answer's status, once one was chosen. */
  status: number | undefined;
}

/** What the service does with one request. */
export interface Answer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds before the head is written. */
  readonly delay?: number;
  /** The head is not written before this settles. */
  readonly hold?: Promise<unknown>;
  /**
   * `reset`: the request is read, then the connection is reset; `silent`: no answer, ever; `cut`: head and a part of the
   * body, then the connection ends; `stall`: the same, then silence.
   */
  readonly fault?: 'reset' | 'silent' | 'cut' | 'stall';
  /** The body without `content-length`, in chunks. */
  readonly chunked?: boolean;
  /** The body goes out in so many pieces with so many milliseconds after each. */
  readonly trickle?: { readonly pieces: number; readonly every: number };
  /** A `103 Early Hints` before the answer. */
  readonly hints?: boolean;
  /** These bytes instead of an answer. */
  readonly raw?: string;
  /** Milliseconds after each of the raw bytes. Default: all at once. */
  readonly rawEvery?: number;
}

/** Chooses the answer of one request; asked when the whole request has been read. */
export type Script = (request: WireRequest) => Answer | Promise<Answer>;

export interface ServiceOptions {
  /** `rising` (default): a nonce that is not above the last of its API key is refused with 401. */
  readonly nonces?: 'rising' | 'any';
  /** Default true: a wrong signature is refused with 401. */
  readonly signatures?: boolean;
  /** Default: a port of the system's choice. */
  readonly port?: number;
}

/** A service of the API for tests. It has none of the client's code. */
export class Service {
  /** Every request, in order of arrival. */
  readonly requests: WireRequest[] = [];
  readonly apiKey = `key-${randomUUID()}`;
  readonly apiSecret = randomBytes(64).toString('base64');
  /** API keys that it knows, with their secrets. */
  readonly secrets = new Map<string, string>([[this.apiKey, this.apiSecret]]);
  /** What it answers. Default: the right answer of every operation. */
  script: Script = rightAnswer;
  /** Asked at the head of a request, before its body is read: true resets the connection. */
  resetAtHead: (request: WireRequest) => boolean = () => false;
  /** The requests that the rules of nonce and signature refused, whatever the script says. */
  readonly refused: WireRequest[] = [];

  readonly #options: ServiceOptions;
  readonly #sockets = new Map<Socket, { readonly number: number; readonly open: Set<number> }>();
  readonly #highest = new Map<string, bigint>();
  readonly #arrivals = new Set<() => void>();
  #server: Server | undefined;
  #connections = 0;
  #read = 0;
  #port: number;

  constructor(options: ServiceOptions = {}) {
    this.#options = options;
    this.#port = options.port ?? 0;
  }

  static async start(options?: ServiceOptions): Promise<Service> {
    const service = new Service(options);
    await service.listen();
    return service;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Connections that are open now. */
  get openConnections(): number {
    return this.#sockets.size;
  }

  /** Connections that were ever made. */
  get connections(): number {
    return this.#connections;
  }

  /** Requests that have come and have no whole answer yet. */
  get openRequests(): number {
    return this.#openIndexes().length;
  }

  /** Answers the given ones in turn, and the right answer after the last. */
  answers(...answers: readonly Answer[]): void {
    let next = 0;
    this.script = (request) => answers[next++] ?? rightAnswer(request);
  }

  async listen(): Promise<void> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    server.on('connection', (socket) => this.#connect(socket));
    server.on('request', (message, response) => void this.#serve(message, response).catch(ignore));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Ends every connection with a reset. */
  resetAll(): void {
    for (const socket of this.#sockets.keys()) socket.resetAndDestroy();
  }

  /** New connections are refused; those that are open stay. */
  stopListening(): void {
    this.#server?.close();
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of this.#sockets.keys()) socket.destroy();
    });
  }

  /** Resolves as soon as `count` requests have been read. */
  async arrived(count: number): Promise<void> {
    while (this.#read < count) {
      await new Promise<void>((resolve) => {
        const listener = () => {
          this.#arrivals.delete(listener);
          resolve();
        };
        this.#arrivals.add(listener);
      });
    }
  }

  #connect(socket: Socket): void {
    this.#connections += 1;
    this.#sockets.set(socket, { number: this.#connections, open: new Set() });
    socket.on('error', ignore);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { request, late } = this.#record(message);
    const open = this.#sockets.get(message.socket)?.open;
    open?.add(request.index);
    response.once('finish', () => open?.delete(request.index));
    if (this.resetAtHead(request)) {
      message.socket.resetAndDestroy();
      return;
    }
    message.on('error', ignore);
    const chunks: Buffer[] = [];
    const read = new Promise<void>((resolve, reject) => {
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.once('end', resolve);
      message.once('close', () => reject(new Error('cut')));
    });
    await read;
    this.#read += 1;
    request.body = Buffer.concat(chunks);
    request.signed = this.#isSigned(request);
    for (const listener of [...this.#arrivals]) listener();
    const refusal = late || (this.#options.signatures !== false && !request.signed);
    if (refusal) this.refused.push(request);
    const answer = refusal ? refuse(401, 'unauthenticated') : await this.script(request);
    request.status = answer.status ?? 200;
    await give(answer, response);
  }

  #record(message: IncomingMessage): { request: WireRequest; late: boolean } {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(message.headers)) headers[name] = String(value);
    const apiKey = headers['api-key'] ?? '';
    const nonceText = headers['api-nonce'] ?? '';
    const nonce = /^[0-9]{1,20}$/.test(nonceText) ? BigInt(nonceText) : -1n;
    const request: WireRequest = {
      index: this.requests.length,
      method: message.method ?? '',
      path: message.url ?? '',
      headers,
      apiKey,
      nonce,
      key: headers['idempotency-key'],
      connection: this.#sockets.get(message.socket)?.number ?? 0,
      open: this.#openIndexes(),
      at: Date.now(),
      body: Buffer.alloc(0),
      signed: undefined,
      status: undefined,
    };
    const highest = this.#highest.get(apiKey) ?? -1n;
    const late = nonce <= highest && this.#options.nonces !== 'any';
    if (nonce > highest) this.#highest.set(apiKey, nonce);
    this.requests.push(request);
    return { request, late };
  }

  #openIndexes(): number[] {
    return [...this.#sockets.values()].flatMap(({ open }) => [...open]);
  }

  #isSigned(request: WireRequest): boolean {
    const secret = this.secrets.get(request.apiKey);
    if (secret === undefined) return false;
    return request.headers['api-sign'] === signature(secret, request.path, String(request.nonce), request.body);
  }
}

/** The signature of a request, computed without the client's code. */
export function signature(secret: string, path: string, nonce: string, body: Uint8Array): string {
  const digest = createHash('sha256').update(nonce, 'ascii').update(body).digest();
  return createHmac('sha512', Buffer.from(secret, 'base64')).update(path, 'utf8').update(digest).digest('base64');
}

async function give(answer: Answer, response: ServerResponse): Promise<void> {
  const socket = response.req.socket;
  if (answer.fault === 'silent') return;
  if (answer.delay !== undefined) await sleep(answer.delay);
  await answer.hold;
  if (answer.hints) {
    await new Promise<void>((done) => response.writeEarlyHints({ link: '</a.css>; rel=preload' }, done));
  }
  if (answer.fault === 'reset') {
    if (answer.hints) await sleep(20);
    socket.resetAndDestroy();
    return;
  }
  if (answer.raw !== undefined) {
    const pieces = answer.rawEvery === undefined ? [answer.raw] : answer.raw;
    for (const piece of pieces) {
      if (!socket.destroyed) socket.write(piece);
      if (answer.rawEvery !== undefined) await sleep(answer.rawEvery);
    }
    return;
  }
  const body = Buffer.from(answer.body ?? '');
  const status = answer.status ?? 200;
  const bodiless = status === 204 || status === 304;
  const length = answer.chunked || bodiless ? {} : { 'content-length': String(body.length) };
  response.writeHead(status, { ...length, ...answer.headers });
  if (answer.fault !== undefined) {
    response.flushHeaders();
    const part = body.subarray(0, Math.floor(body.length / 2));
    await new Promise<unknown>((done) => (part.length > 0 ? response.write(part, done) : setImmediate(done)));
    await sleep(20);
    if (answer.fault === 'cut') socket.destroy();
    return;
  }
  if (answer.trickle !== undefined) {
    const size = Math.max(1, Math.ceil(body.length / answer.trickle.pieces));
    for (let from = 0; from < body.length && !socket.destroyed; from += size) {
      response.write(body.subarray(from, from + size));
      await sleep(answer.trickle.every);
    }
    response.end();
    return;
  }
  if (answer.chunked) {
    for (let from = 0; from < body.length && !socket.destroyed; from += 16_384) {
      await new Promise((done) => response.write(body.subarray(from, from + 16_384), done));
    }
    response.end();
    return;
  }
  response.end(bodiless ? undefined : body);
}

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** An error in the service's form. */
export function refuse(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const error = { type: 'request_error', status, instance: `in-${status}`, code };
  return json(status, { error }, headers);
}

/** The code that the service gives to a status. */
export const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  429: 'resource_exhausted',
  500: 'internal',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline_exceeded',
};

/** An error answer with the code of its status. */
export function status(number: number, headers?: Readonly<Record<string, string>>): Answer {
  return refuse(number, CODES[number] ?? 'odd', headers);
}

const side = { symbol: 'USDC', name: 'USD Coin', type: 'stablecoin', amount: '10.50' };
const transfer = { from: '0xa', to: '0xb', token: '0xc', amount: '10500000' };

/** The answer a working service gives. */
export function rightAnswer(request: Pick<WireRequest, 'method' | 'path' | 'body'>): Answer {
  const path = request.path.split('?')[0] ?? '';
  if (request.method === 'DELETE') return { status: 204 };
  if (/\/v1\/users\/[^/]+$/.test(path))
    return json(200, { data: userOf(decodeURIComponent(path.split('/').at(-1) ?? '')) });
  if (path.endsWith('/funds/withdrawals/addresses')) {
    const body = JSON.parse(request.body.toString('utf8')) as { key: string };
    return json(200, { data: { key: body.key, tag: null } });
  }
  if (path.endsWith('/onchain-quotes')) {
    const atomic = {
      quote_id: 'q1',
      expiration: 1_900_000_000,
      incoming_transfer: transfer,
      outgoing_transfer: transfer,
    };
    const message = { atomic_message: atomic, atomic_signature: '0x1', signature: '0x2', client_address: '0x3' };
    const details = { chain_id: '1', proxy_address: '0x4', proxy_swap_message: message };
    const { from, to } = JSON.parse(request.body.toString('utf8')) as Record<'from' | 'to', object>;
    const sides = { from: { ...side, ...from }, to: { ...side, ...to } };
    const quote = { id: 'q1', status: 'offered', expires_at: '2030-01-01T00:00:00Z', ...sides };
    return json(200, { data: { ...quote, execution_details: details } });
  }
  if (path.endsWith('/wallets/whitelist')) {
    const wallet = { account: 'acc', id: 'w1', via: 'bitcoin', address: 'bc1', status: 'pending' };
    return json(200, { data: { ...wallet, created_at: '2030-01-01T00:00:00Z' } });
  }
  if (path.endsWith('/webhooks')) return json(200, { data: [] });
  return json(200, { data: { done: true } });
}

/** A user as the service shows it. */
export function userOf(id: string): Record<string, unknown> {
  const status = { state: 'ok', required_actions: [] };
  return {
    id,
    type: 'individual',
    status,
    created_at: '2024-01-01T00:00:00Z',
    accounts: [{ id: 'ACCOUNT-0000-0001', name: 'main' }],
  };
}

function ignore(): void {}
