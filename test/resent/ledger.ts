import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Entries, Fault } from './judge.js';

/** Longer than a test: the service closes a connection only where the test wants a fault. */
const KEEP_ALIVE_MS = 300_000;

/** The service takes this long for each request, so that parallel requests overlap. */
const SERVICE_MS = 3;

/**
 * A service that records each effect. It accepts rising nonces per API key and remembers idempotency keys per API key, as the real one
 * may. The path `/v1/<fault>/<tag>` names the fault that strikes the first request for the tag.
 */
export class Ledger {
  readonly #servers: readonly Server[];
  /** Highest accepted nonce of each API key. */
  readonly #highest = new Map<string, bigint>();
  readonly #nonces = new Set<string>();
  readonly #keys = new Set<string>();
  readonly #struck = new Set<string>();
  readonly #effects = new Map<string, number>();
  readonly #copies = new Map<string, number>();

  private constructor(servers: number) {
    const serve = (request: IncomingMessage, response: ServerResponse) => this.#receive(request, response);
    this.#servers = Array.from({ length: servers }, () => createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, serve));
  }

  /** Starts this many servers of one service, as they stand behind a load balancer. */
  static async start(servers = 1): Promise<Ledger> {
    const ledger = new Ledger(servers);
    await Promise.all(ledger.#servers.map((one) => new Promise<void>((done) => one.listen(0, '127.0.0.1', done))));
    return ledger;
  }

  get ports(): readonly number[] {
    return this.#servers.map((server) => (server.address() as AddressInfo).port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports[0]}`;
  }

  close(): void {
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {});
    request.on('error', () => {});
    request.resume().on('end', () => {
      const [, version, fault = '', tag = ''] = (request.url ?? '').split('/');
      if (version === 'v1') this.#serve(request, response, fault as Fault, tag);
      else give(response, 200, this.#entries());
    });
  }

  #entries(): Entries {
    return { effects: Object.fromEntries(this.#effects), copies: Object.fromEntries(this.#copies) };
  }

  #serve(request: IncomingMessage, response: ServerResponse, planned: Fault, tag: string): void {
    const fault = this.#struck.has(tag) ? 'none' : planned;
    this.#struck.add(tag);
    if (fault === 'dropped') breakOff(request);
    else if (this.#accepts(request)) this.#apply(request, response, fault, tag);
    else give(response, 401, refusal(401, 'unauthenticated'));
  }

  #accepts({ method = '', headers }: IncomingMessage): boolean {
    const [apiKey, nonce] = [String(headers['api-key']), BigInt(String(headers['api-nonce']))];
    const isCopy = this.#nonces.has(`${apiKey} ${nonce}`);
    if (isCopy) count(this.#copies, method);
    if (isCopy || nonce <= (this.#highest.get(apiKey) ?? 0n)) return false;
    this.#nonces.add(`${apiKey} ${nonce}`);
    this.#highest.set(apiKey, nonce);
    return true;
  }

  #apply(request: IncomingMessage, response: ServerResponse, fault: Fault, tag: string): void {
    const isGone = request.method === 'DELETE' && this.#effects.has(tag);
    if (!isGone && this.#isNew(request)) count(this.#effects, tag);
    if (fault === 'broken') breakOff(request);
    else if (fault === 'refused') give(response, 503, refusal(503, 'unavailable'));
    else if (isGone) give(response, 404, refusal(404, 'not_found'));
    else setTimeout(() => give(response, 200, { data: { id: tag } }), SERVICE_MS);
  }

  /** False for a read, and for a write whose idempotency key the API key has used before. */
  #isNew({ method, headers }: IncomingMessage): boolean {
    const key = headers['idempotency-key'];
    const remembered = `${headers['api-key']} ${key}`;
    if (method === 'GET' || (key !== undefined && this.#keys.has(remembered))) return false;
    this.#keys.add(remembered);
    return true;
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Ends the connection without a response, by a FIN or a RST. */
function breakOff({ socket }: IncomingMessage): void {
  if (randomInt(2) === 0) socket.end();
  else socket.resetAndDestroy();
}

const refusal = (status: number, code: string) => ({
  error: { type: 'request_error', status, instance: 'in-1', code },
});

function give(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
