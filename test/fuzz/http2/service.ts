import { createSecureServer, type Http2SecureServer, type Http2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { Random } from '../../../src/sandbox/core/basics/random.js';
import type { EdgeRequest, EdgeResponse } from '../../chaos/edge/gateway.js';
import { certificateFor } from '../../support/certificate.js';
import { type End, type Fate, fateOf, type Goaway } from './fate.js';
import type { Ledger, ServiceMessage } from './ledger.js';

/** The highest number that a stream can have. */
const EVERY_STREAM = 2 ** 31 - 1;

/** What was written has left after this time in ms. */
const LINGER_MS = 10;

/** A ledger is given when no request has been under way for this time in ms. */
const QUIET_MS = 100;

/**
 * A service that speaks HTTP/2, and HTTP/1.1 to clients that gave it up. It keeps a ledger of what it has applied, and
 * breaks requests, streams and sessions in every way. The seed decides about each request by its tag.
 */
class LedgerService {
  readonly #seed: Random;
  readonly #server: Http2SecureServer;
  readonly #certificate = certificateFor('localhost');
  readonly #socketOf = new WeakMap<Http2Session, Socket>();
  /** The last stream that each session serves, once a proper GOAWAY has named it. */
  readonly #lastOf = new WeakMap<Http2Session, number>();
  readonly #highestOf = new WeakMap<Http2Session, number>();
  /** The highest nonce of each API key. */
  readonly #highestNonces = new Map<string, bigint>();
  #effects = new Map<string, string[]>();
  #arrivals = new Map<string, number>();
  #nonces = new Set<string>();
  #repeatedNonces: string[] = [];
  #faults = new Map<string, number>();
  #underWay = 0;
  #quietSince = performance.now();

  constructor(seed: number) {
    this.#seed = new Random(seed);
    this.#server = createSecureServer({ ...this.#certificate, allowHTTP1: true }, (request, response) =>
      this.#take(request, response),
    );
    // Before the server's own listener, which makes a session of the socket at once.
    this.#server.prependListener('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') this.#server.once('session', (session) => this.#socketOf.set(session, socket));
    });
    this.#server.on('session', (session) => session.on('error', () => {}));
    this.#server.on('sessionError', () => {});
    this.#server.on('tlsClientError', () => {});
  }

  async listen(): Promise<ServiceMessage> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return { type: 'listening', url: `https://localhost:${port}`, ca: this.#certificate.cert };
  }

  /** Gives the ledger when all is quiet, and begins another one. */
  async takeLedger(): Promise<Ledger> {
    while (this.#underWay > 0 || performance.now() - this.#quietSince < QUIET_MS) await sleep(QUIET_MS / 4);
    const ledger = {
      effects: Object.fromEntries(this.#effects),
      repeatedNonces: this.#repeatedNonces,
      faults: Object.fromEntries(this.#faults),
    };
    this.#effects = new Map();
    this.#arrivals = new Map();
    this.#nonces = new Set();
    this.#repeatedNonces = [];
    this.#faults = new Map();
    return ledger;
  }

  #take(request: EdgeRequest, response: EdgeResponse): void {
    request.on('error', () => {});
    response.on('error', () => {});
    const stream = 'stream' in response ? response.stream : undefined;
    stream?.on('error', () => {});
    const { session } = stream ?? {};
    if (session !== undefined) this.#highestOf.set(session, stream?.id ?? 0);
    request.resume();
    request.on('end', () => {
      this.#underWay++;
      this.#serve(request, response).finally(() => {
        this.#underWay--;
        this.#quietSince = performance.now();
      });
    });
  }

  async #serve(request: EdgeRequest, response: EdgeResponse): Promise<void> {
    const stream = 'stream' in response ? response.stream : undefined;
    const { session, id = 0 } = stream ?? {};
    if (session !== undefined && id > (this.#lastOf.get(session) ?? EVERY_STREAM)) return;
    const tag = (request.url ?? '').split('/').at(-1) ?? '';
    const attempt = (this.#arrivals.get(tag) ?? 0) + 1;
    this.#arrivals.set(tag, attempt);
    if (!this.#takesNonce(request)) {
      answer(response, 401, {
        error: { type: 'request_error', status: 401, instance: 'in-1', code: 'unauthenticated' },
      });
      return;
    }
    const fate = fateOf(this.#seed.fork(`${tag} ${attempt}`));
    if (fate.end !== 'answer') this.#count(fate.end);
    if (fate.goaway !== undefined) this.#goAway(fate.goaway, fate.codes[0], session, id, response);
    await this.#delay(fate.delays[0]);
    if (fate.isApplied && request.method !== 'GET') this.#apply(tag, request);
    await this.#delay(fate.delays[1]);
    await this.#end(fate, tag, request, response);
  }

  async #delay(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await sleep(milliseconds);
  }

  /** A nonce that is not above the last is refused, but for the API keys whose requests may come in any order. */
  #takesNonce({ headers }: EdgeRequest): boolean {
    const [apiKey, nonce] = [String(headers['api-key']), String(headers['api-nonce'])];
    const name = `${apiKey} ${nonce}`;
    if (this.#nonces.has(name)) this.#repeatedNonces.push(name);
    this.#nonces.add(name);
    if (apiKey.startsWith('unordered')) return true;
    const highest = this.#highestNonces.get(apiKey) ?? 0n;
    if (BigInt(nonce) <= highest) return false;
    this.#highestNonces.set(apiKey, BigInt(nonce));
    return true;
  }

  #apply(tag: string, { headers }: EdgeRequest): void {
    const key = String(headers['idempotency-key'] ?? '');
    const effects = this.#effects.get(tag) ?? [];
    if (key === '' || !effects.includes(key)) this.#effects.set(tag, [...effects, key]);
  }

  #goAway(goaway: Goaway, code: number, session: Http2Session | undefined, id: number, response: EdgeResponse): void {
    this.#count(session === undefined ? 'connection: close' : `${goaway.name}, code ${code}`);
    if (session === undefined) {
      if (!response.headersSent) response.setHeader('connection', 'close');
      return;
    }
    if (session.destroyed) return;
    const highest = this.#highestOf.get(session) ?? id;
    const last = { highest, lower: Math.max(1, id - 4), every: EVERY_STREAM, 'of Node': undefined }[goaway.last];
    if (!goaway.isCareless) this.#lastOf.set(session, Math.min(highest, this.#lastOf.get(session) ?? EVERY_STREAM));
    session.goaway(code, last);
  }

  async #end({ end, codes }: Fate, tag: string, request: EdgeRequest, response: EdgeResponse): Promise<void> {
    const status = STATUSES[end];
    const session = 'stream' in response ? response.stream.session : undefined;
    const socket = session === undefined ? request.socket : this.#socketOf.get(session);
    if (end === 'answer') answer(response, 200, { data: { id: tag } });
    else if (status !== undefined) refuse(response, status);
    else if (end === 'cut') socket?.destroy();
    else if (end !== 'silence') await this.#reset(end, codes[1], response, socket);
  }

  async #reset(end: End, code: number, response: EdgeResponse, socket: Socket | undefined): Promise<void> {
    if (end.startsWith('head') && !response.destroyed) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      if ('flushHeaders' in response) response.flushHeaders();
      await sleep(LINGER_MS);
    }
    if (!('stream' in response)) socket?.destroy();
    else if (!response.stream.destroyed) response.stream.close(code);
  }

  #count(fault: string): void {
    this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + 1);
  }
}

const STATUSES: { readonly [Each in End]?: number } = {
  'bad request': 400,
  'too many requests': 429,
  unavailable: 503,
};

function refuse(response: EdgeResponse, status: number): void {
  answer(response, status, { error: { type: 'service_error', status, instance: 'in-1', code: 'refused' } });
}

function answer(response: EdgeResponse, status: number, body: unknown): void {
  if (response.destroyed || response.headersSent) return;
  // Both kinds of answers have it; their types share no signature.
  const head = { 'content-type': 'application/json' };
  if ('stream' in response) response.writeHead(status, head).end(JSON.stringify(body));
  else response.writeHead(status, head).end(JSON.stringify(body));
}

/** The program of the service's process. It ends with the process that has started it. */
export async function serveLedger(seed: number): Promise<void> {
  const service = new LedgerService(seed);
  const say = (message: ServiceMessage) => process.send?.(message);
  process.on('disconnect', () => process.exit());
  process.on('message', () => void service.takeLedger().then((ledger) => say({ type: 'ledger', ledger })));
  say(await service.listen());
}
