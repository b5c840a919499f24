import type { PlatformRequest, PlatformResponse } from '../core/platform.js';
import type { WhitelistedWallet } from '../resources/accounts/wallets.js';
import type { SandboxCredentials } from './authenticate.js';
import type { FaultOptions } from './faults.js';
import { FetchHandler } from './fetch.js';
import type { JournalEntry } from './journal.js';
import { isLatency, type Latency } from './latency.js';
import type { SandboxFixtures } from './seed/fixtures.js';
import { HttpServer } from './server.js';
import { Service } from './service.js';

/** How a sandbox is made. */
export interface SandboxOptions {
  /** The same seed gives the same data, ids and credentials. A whole number, default 1. */
  readonly seed?: number | undefined;
  /**
   * `false` (default): the clock stands still at one fixed moment and moves by `advance` alone, so that every run is the same.
   * `true`: it runs with the machine's clock, and `advance` adds to it.
   */
  readonly realTime?: boolean | undefined;
  /** How many requests the journal keeps; the oldest go first. A whole number, 0 or more, default 10,000. */
  readonly journalLimit?: number | undefined;
  /**
   * Real milliseconds for which each answer is held back, or the least and the most of them, drawn by the seed: 0 to 2,147,483,647,
   * default 0. The effect takes place when the request arrives, whether or not anybody still waits for its answer.
   */
  readonly latency?: Latency | undefined;
  /** Called with each entry of the journal as it is made. What it throws changes nothing: it is reported once as a process warning. */
  readonly onRequest?: ((entry: JournalEntry) => void) | undefined;
}

/** Where a sandbox listens. */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Default `127.0.0.1`, this machine alone. */
  readonly host?: string | undefined;
}

/** The service of the API on this machine: stateful, in memory, strict. */
export interface Sandbox {
  /** The options of a client: `new PartnerClient({ baseUrl: url, ...sandbox.credentials })`. */
  readonly credentials: SandboxCredentials;
  /** What exists in a fresh sandbox. */
  readonly fixtures: SandboxFixtures;
  /** Every request it has judged, oldest first; the array is live. */
  readonly journal: readonly JournalEntry[];
  /** Every wallet that was whitelisted, oldest first, with its present status: the API has no operation that reads them. */
  readonly wallets: readonly WhitelistedWallet[];
  /** A further API key of the same partner, with its own nonces. */
  issueCredentials(): SandboxCredentials;
  /** Makes requests go wrong. Returns the function that takes the fault back. Throws a `TypeError` for a wrong option. */
  fail(options: FaultOptions): () => void;
  /**
   * Makes each request go wrong with this probability, above 0 to 1, by the seed. One of these strikes, each as likely as the others:
   *
   * - before the effect: 429 and 503, each with `Retry-After: 1` and without; `reset`; `timeout`; `html`;
   * - after it: `reset`; `timeout`; 503; 504; `html`; `truncate`; `garbage`; `content_type`; `slow` with 1,000 bytes per second.
   *
   * Requests that are refused anyway are struck by the former alone. Faults asked for by `fail` come first. Returns the function that takes
   * it back.
   *
   * @throws TypeError for another probability.
   */
  chaos(probability: number): () => void;
  /** Takes back all that `fail` and `chaos` asked for. Answers on their way are not changed. */
  clearFaults(): void;
  /** Moves the clock on by so many milliseconds, 0 or more: quotes expire and execute, wallets are screened, conversions move on. */
  advance(ms: number): void;
  /** The sandbox's clock: milliseconds since the epoch. */
  now(): number;
  /** Serves HTTP. Rejects when the port is taken, when it listens already, and when it is closed. */
  listen(options?: ListenOptions): Promise<{ readonly url: string; readonly port: number }>;
  /** The same service as a function like `fetch`, for instance behind MSW's `http.all`. Only path and query of the URL are read. */
  fetch(request: PlatformRequest): Promise<PlatformResponse>;
  /** Ends everything, also requests that wait for an answer. May be called again. */
  close(): Promise<void>;
  /** `close`, at the end of a block: `await using sandbox = createSandbox()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const OPTION_NAMES: readonly string[] = ['seed', 'realTime', 'journalLimit', 'latency', 'onRequest'];

/**
 * Makes a sandbox: a service in memory that answers the specified operations under all rules of the API, for examples and tests.
 *
 * @throws TypeError for an unknown or wrong option.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new LocalSandbox(options);
}

class LocalSandbox implements Sandbox {
  readonly credentials: SandboxCredentials;
  readonly fixtures: SandboxFixtures;
  readonly #service: Service;
  readonly #fetchHandler: FetchHandler;
  readonly #httpServer: HttpServer;
  #listening: Promise<number> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: SandboxOptions) {
    checkOptions(options);
    const { seed = 1, realTime = false, journalLimit = 10_000, latency, onRequest } = options;
    this.#service = new Service({ seed, realTime, journalLimit, latency, onRequest });
    this.#fetchHandler = new FetchHandler(this.#service);
    this.#httpServer = new HttpServer(this.#service);
    this.credentials = this.#service.authenticator.issue();
    this.fixtures = this.#service.fixtures;
  }

  get journal(): readonly JournalEntry[] {
    return this.#service.journal.entries;
  }

  get wallets(): readonly WhitelistedWallet[] {
    this.#service.clock.catchUp();
    return [...this.#service.state.accounts.values()].flatMap(({ wallets }) =>
      wallets.map((wallet) => ({ ...wallet })),
    );
  }

  issueCredentials(): SandboxCredentials {
    return this.#service.authenticator.issue();
  }

  fail(options: FaultOptions): () => void {
    return this.#service.faults.add(options);
  }

  chaos(probability: number): () => void {
    return this.#service.faults.chaos(probability);
  }

  clearFaults(): void {
    this.#service.faults.clear();
  }

  advance(ms: number): void {
    if (!(ms >= 0 && Number.isFinite(ms))) throw new TypeError('advance: must be 0 or more milliseconds');
    this.#service.clock.advance(ms);
  }

  now(): number {
    return this.#service.clock.now();
  }

  async listen({ port = 0, host = '127.0.0.1' }: ListenOptions = {}): Promise<{ url: string; port: number }> {
    if (this.#closed !== undefined) throw new Error('The sandbox is closed');
    if (this.#listening !== undefined) throw new Error('The sandbox listens already');
    this.#listening = this.#httpServer.listen(port, host);
    try {
      const taken = await this.#listening;
      return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, port: taken };
    } catch (error) {
      // So that another port can be tried.
      this.#listening = undefined;
      throw error;
    }
  }

  fetch(request: PlatformRequest): Promise<PlatformResponse> {
    return this.#fetchHandler.fetch(request);
  }

  close(): Promise<void> {
    this.#fetchHandler.close();
    // A server that is about to listen cannot be closed yet.
    this.#closed ??= Promise.resolve(this.#listening).then(
      () => this.#httpServer.close(),
      () => {},
    );
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function checkOptions(options: SandboxOptions): void {
  const { seed = 1, realTime = false, journalLimit = 0, latency = 0, onRequest } = options;
  const unknown = Object.keys(options).filter((name) => !OPTION_NAMES.includes(name));
  if (unknown.length > 0) throw new TypeError(`createSandbox: unknown option ${unknown.join(', ')}`);
  if (!Number.isSafeInteger(seed)) throw new TypeError('createSandbox: seed must be a whole number');
  if (typeof realTime !== 'boolean') throw new TypeError('createSandbox: realTime must be true or false');
  if (!(Number.isSafeInteger(journalLimit) && journalLimit >= 0)) {
    throw new TypeError('createSandbox: journalLimit must be a whole number, 0 or more');
  }
  if (!isLatency(latency)) {
    throw new TypeError('createSandbox: latency must be milliseconds, 0 or more, or [least, most] of them');
  }
  if (onRequest !== undefined && typeof onRequest !== 'function') {
    throw new TypeError('createSandbox: onRequest must be a function');
  }
}
