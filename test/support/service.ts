import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type SecureServerOptions } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { type Answer, give, type Responding } from './give.js';
import { signature } from './signature.js';
import { LOCAL } from './tls.js';
import { gate } from './until.js';

export type { Answer };

/** One request as it came over the wire. */
export interface WireRequest {
  /** Place in the order of arrival (of the heads), from 0. */
  readonly index: number;
  readonly method: string;
  /** `1.1` or `2.0`. */
  readonly version: string;
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

/** `http`: HTTP/1.1 without TLS; `https`: the same over TLS; `http2`: what TLS negotiates, HTTP/2 or HTTP/1.1. */
export type Protocol = 'http' | 'https' | 'http2';

/** Chooses the answer of one request; asked when the whole request has been read. */
export type Script = (request: WireRequest) => Answer | Promise<Answer>;

export interface ServiceOptions {
  /** `rising` (default): a nonce that is not above the last of its API key is refused with 401. */
  readonly nonces?: 'rising' | 'any';
  /** Default true: a wrong signature is refused with 401. */
  readonly signatures?: boolean;
  /** Default: a port of the system's choice. */
  readonly port?: number;
  /** Default: `http`. */
  readonly protocol?: Protocol;
  /** TLS of its own, at `localhost`. Default: a certificate for 127.0.0.1. */
  readonly tls?: SecureServerOptions;
}

type Message = IncomingMessage | Http2ServerRequest;

interface Connection {
  readonly number: number;
  /** That of TCP. */
  readonly socket: Socket;
  /** Indexes of the requests without a whole answer. */
  readonly open: Set<number>;
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
  /** By the port at their other end. */
  readonly #connections = new Map<number, Connection>();
  readonly #highest = new Map<string, bigint>();
  readonly #arrivals = new Set<() => void>();
  #server: Server | undefined;
  #connected = 0;
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
    const scheme = this.#protocol === 'http' ? 'http' : 'https';
    return `${scheme}://${this.#host}:${this.#port}`;
  }

  /** The authority that signed its certificate; undefined without TLS. */
  get ca(): string | undefined {
    return this.#protocol === 'http' ? undefined : LOCAL.cert;
  }

  /** Connections that are open now. */
  get openConnections(): number {
    return this.#connections.size;
  }

  /** Connections that were ever made. */
  get connections(): number {
    return this.#connected;
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

  /** Gives right answers, to some requests (default: all) only once the returned function is called. */
  hold(isHeld: (request: WireRequest) => boolean = () => true): () => void {
    const { opened, open } = gate();
    this.script = (request) => ({ ...rightAnswer(request), ...(isHeld(request) && { hold: opened }) });
    return open;
  }

  async listen(): Promise<void> {
    const server = serverFor(this.#protocol, this.#options.tls);
    server.on('connection', (socket: Socket) => this.#connect(socket));
    server.on('request', (message: Message, response: Responding) => {
      void this.#serve(message, response).catch(ignore);
    });
    for (const event of ['tlsClientError', 'sessionError']) server.on(event, ignore);
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, this.#host, resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Ends every connection with a reset. */
  resetAll(): void {
    for (const { socket } of this.#connections.values()) socket.resetAndDestroy();
  }

  /** New connections are refused; those that are open stay. */
  stopListening(): void {
    this.#server?.close();
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const { socket } of this.#connections.values()) socket.destroy();
    await closed;
  }

  /** Resolves as soon as `count` requests have been read. */
  async arrived(count: number): Promise<void> {
    while (this.#read < count) await new Promise<void>((resolve) => this.#arrivals.add(resolve));
  }

  get #host(): string {
    return this.#options.tls === undefined ? '127.0.0.1' : 'localhost';
  }

  get #protocol(): Protocol {
    return this.#options.protocol ?? 'http';
  }

  #connect(socket: Socket): void {
    const port = socket.remotePort ?? 0;
    this.#connected += 1;
    this.#connections.set(port, { number: this.#connected, socket, open: new Set() });
    socket.on('error', ignore);
    socket.on('close', () => this.#connections.delete(port));
  }

  async #serve(message: Message, response: Responding): Promise<void> {
    const connection = this.#connections.get(message.socket.remotePort ?? 0);
    if (connection === undefined) return;
    const { request, late } = this.#record(message, connection);
    const { open, socket } = connection;
    open.add(request.index);
    const over = () => open.delete(request.index);
    response.once('finish', over);
    // The stream of an abandoned request is over, the connection is not.
    if (this.#protocol === 'http2') response.once('close', over);
    if (this.resetAtHead(request)) {
      socket.resetAndDestroy();
      return;
    }
    request.body = await bodyOf(message);
    this.#read += 1;
    request.signed = this.#isSigned(request);
    for (const tell of this.#arrivals) tell();
    this.#arrivals.clear();
    const refusal = late || (this.#options.signatures !== false && !request.signed);
    if (refusal) this.refused.push(request);
    const answer = refusal ? refuse(401, 'unauthenticated') : await this.script(request);
    request.status = answer.status ?? 200;
    await give(answer, response, socket);
  }

  #record(message: Message, { number }: Connection): { request: WireRequest; late: boolean } {
    const headers = headersOf(message);
    const apiKey = headers['api-key'] ?? '';
    const nonceText = headers['api-nonce'] ?? '';
    const nonce = /^[0-9]{1,20}$/.test(nonceText) ? BigInt(nonceText) : -1n;
    const request: WireRequest = {
      index: this.requests.length,
      method: message.method ?? '',
      version: message.httpVersion,
      path: message.url ?? '',
      headers,
      apiKey,
      nonce,
      key: headers['idempotency-key'],
      connection: number,
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
    return [...this.#connections.values()].flatMap(({ open }) => [...open]);
  }

  #isSigned(request: WireRequest): boolean {
    const secret = this.secrets.get(request.apiKey);
    if (secret === undefined) return false;
    return request.headers['api-sign'] === signature(secret, request.path, String(request.nonce), request.body);
  }
}

/** Rejects if the sender goes away before the end of the body. */
async function bodyOf(message: Message): Promise<Buffer> {
  message.on('error', ignore);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.once('end', resolve);
    message.once('close', () => reject(new Error('cut')));
  });
  return Buffer.concat(chunks);
}

/** Those of HTTP/2 itself, such as `:path`, are left out. */
function headersOf({ headers }: Message): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

function serverFor(protocol: Protocol, tls: SecureServerOptions = LOCAL): Server {
  if (protocol === 'http2') return createSecureServer({ ...tls, allowHTTP1: true });
  const keepAliveTimeout = 60_000;
  return protocol === 'https' ? createTlsServer({ ...tls, keepAliveTimeout }) : createServer({ keepAliveTimeout });
}

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

/** The page of a gateway: without the service's error envelope. */
export const html = (number: number): Answer => ({
  status: number,
  headers: { 'content-type': 'text/html' },
  body: `<html><h1>${number}</h1></html>`,
});

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
