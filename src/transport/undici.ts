import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import * as undici from 'undici';
import { checkOptions, rule, rulesOf } from '../core/checks.js';
import { ConfigurationError } from '../core/errors.js';
import { Bare, hasMethod } from '../core/own.js';
import { clientOptions, isUnsolicited } from './connector.js';
import { joinValues } from './join-values.js';
import { secureContextOf, TLS_RULE, type TlsOptions } from './tls.js';
import type {
  Connection,
  ConnectOptions,
  Exchange,
  ExchangeListener,
  Loss,
  Transport,
  TransportRequest,
} from './transport.js';

/** The part of an undici dispatcher (`Agent`, `ProxyAgent`, `MockAgent`, …) that is used. */
export interface UndiciDispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** Options of `undiciTransport`. */
export interface UndiciTransportOptions {
  /**
   * A dispatcher of your own, for a proxy or a mock: of undici 7, the version this package depends on. It is never
   * closed by the SDK. Its connections are not ours to order: calls of one API key then rely on width and race recovery alone.
   * Default: one ordered, pipelined HTTP/1.1 connection per lane.
   */
  readonly dispatcher?: UndiciDispatcher | undefined;
  /**
   * Certificates of a private authority, and of the client (mutual TLS). Not with `dispatcher`, which opens its connections itself.
   * Default: the authorities that Node trusts, no certificate of the client.
   */
  readonly tls?: TlsOptions | undefined;
}

/**
 * Milliseconds beyond `stallTimeout` that a too slow answer holds a connection which others share: with a second in hand, answers up
 * to twice as late as allowed, and the way back, cost nobody else a repeat.
 */
const SLOW_GRACE = 1_000;

/** Milliseconds that answers are drained which nobody waits for any more: longer, they would only keep others from the connection. */
const DESERTED_DRAIN = 1_000;

/**
 * Taken once: tests replace it. Not from the module `node:process`, which would open the process's standard streams; and other runtimes
 * import this file, too.
 */
const afterThisTurn = typeof process === 'undefined' ? queueMicrotask : process.nextTick;

const RULES = rulesOf({
  dispatcher: rule((value) => hasMethod(value, 'dispatch'), 'must be an undici dispatcher'),
  tls: TLS_RULE,
});

/** True where undici works: Node and Deno. Bun ships a module of that name whose classes cannot dispatch. */
export function undiciWorks(): boolean {
  return typeof undici.Client === 'function' && 'dispatch' in undici.Client.prototype;
}

/**
 * The default transport: undici's dispatcher.
 *
 * @throws ConfigurationError for an unknown or wrong option.
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  const read = checkOptions<UndiciTransportOptions>('undiciTransport', options, RULES, ConfigurationError);
  const { dispatcher } = read;
  if (dispatcher !== undefined && read.tls !== undefined) {
    throw new ConfigurationError('undiciTransport: give tls or dispatcher: a dispatcher has its own certificates');
  }
  const tls = read.tls && secureContextOf(read.tls);
  return {
    name: 'undici',
    connect(origin: string, { ordered, width, onUnsolicited = () => {} }: ConnectOptions): Connection {
      if (dispatcher !== undefined) return new SharedConnection(origin, dispatcher, async () => {});
      if (ordered) return new PipelinedConnection(origin, width, tls, onUnsolicited);
      const pool = new undici.Pool(
        origin,
        clientOptions(tls, { connections: width, pipelining: 1 }, { onUnsolicited }),
      );
      pool.on('disconnect', (_origin, _targets, error) => {
        if (isUnsolicited(error)) onUnsolicited();
      });
      return new SharedConnection(origin, pool, () => pool.destroy());
    },
  };
}

/** What undici is asked to send. It inherits nothing, since undici reads more names than these. */
class Dispatch extends Bare {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;

  constructor({ method, path, headers, body }: TransportRequest) {
    super();
    this.method = method;
    this.path = path;
    this.headers = headers;
    this.body = body;
  }
}

class PipelinedDispatch extends Dispatch {
  readonly blocking = false;
  readonly idempotent = true;
}

class SharedDispatch extends Dispatch {
  readonly headersTimeout = 0;
  readonly bodyTimeout = 0;

  constructor(
    readonly origin: string,
    request: TransportRequest,
  ) {
    super(request);
  }
}

/** One ordered HTTP/1.1 connection that carries many exchanges at once. */
class PipelinedConnection implements Connection {
  readonly pipelined = true;
  readonly #client: undici.Client;
  #socket: Socket | undefined;
  /** In the order sent; the first is the one whose answer comes next. */
  readonly #inFlight: PipelinedExchange[] = [];
  #lastProgress = 0;
  /** When the first in flight became the first. */
  #headSince = 0;
  #stallTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(origin: string, pipelining: number, tls: SecureContext | undefined, onUnsolicited: () => void) {
    const onSocket = (socket: Socket) => {
      this.#socket = socket;
    };
    this.#client = new undici.Client(origin, clientOptions(tls, { pipelining }, { onSocket, onUnsolicited }));
    this.#client.on('disconnect', (_origin, _targets, error) => {
      if (isUnsolicited(error)) onUnsolicited();
      this.#broken(error);
    });
  }

  send(request: TransportRequest, listener: ExchangeListener): Exchange {
    const exchange = new PipelinedExchange(this, listener, request.stallTimeout);
    this.#inFlight.push(exchange);
    // Without `blocking: false` and `idempotent: true` undici sends one at a time; whether a write may share the pipeline is the
    // lane's decision, made before this.
    dispatch(this.#client, new PipelinedDispatch(request), exchange);
    return exchange;
  }

  /** What is sent in one turn of the loop leaves with one system call: a write for each request would cost more than to sign it. */
  gatherWrites(): void {
    const socket = this.#socket;
    if (socket === undefined || this.#inFlight.length < 2 || socket.writableCorked > 0) return;
    socket.cork();
    afterThisTurn(() => socket.uncork());
  }

  get socket(): Socket | undefined {
    return this.#socket;
  }

  /** An answer that came over this socket was not for its exchange, and so may be the next ones. */
  distrust(socket: Socket | undefined): void {
    if (socket === undefined || socket !== this.#socket || socket.destroyed) return;
    this.#broken(new Error('the connection was closed: an answer on it was not for its request'));
    socket.destroy();
  }

  waitingSince(): number | undefined {
    return this.#inFlight.at(-1)?.sent ? Math.max(this.#lastProgress, this.#headSince) : undefined;
  }

  async close(): Promise<void> {
    clearTimeout(this.#stallTimer);
    await this.#client.destroy();
  }

  progress(exchange: PipelinedExchange): void {
    if (exchange === this.#inFlight[0]) this.#lastProgress = performance.now();
  }

  over(exchange: PipelinedExchange): void {
    const place = this.#inFlight.indexOf(exchange);
    if (place >= 0) this.#inFlight.splice(place, 1);
    if (place !== 0) return;
    this.#lastProgress = performance.now();
    this.#headSince = this.#lastProgress;
    const head = this.#inFlight[0];
    if (head?.sent) head.takeTurn();
    this.watchHead();
  }

  isHead(exchange: PipelinedExchange): boolean {
    return exchange === this.#inFlight[0];
  }

  /** Nobody waits for anything on this connection. */
  deserted(): boolean {
    return this.#inFlight.every(({ abandoned }) => abandoned);
  }

  /**
   * Closes the connection when an abandoned exchange at its head makes no progress for `stallTimeout`, or drains for longer: it
   * blocks the rest. One that was too slow has used that time up and gets some more: its answer may still come, and closing would
   * make all those behind it be sent again.
   */
  watchHead(): void {
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    const head = this.#inFlight[0];
    if (head === undefined || !head.abandoned || !head.sent) return;
    const since = Math.max(this.#headSince, head.abandonedAt);
    const begun = head.tooSlow ? since + SLOW_GRACE : Math.min(since, this.#lastProgress);
    const allowed = this.deserted() ? Math.min(head.stallTimeout, DESERTED_DRAIN) : head.stallTimeout;
    const left = begun + allowed - performance.now();
    if (left <= 0) head.destroy();
    else this.#stallTimer = setTimeout(() => this.watchHead(), Math.ceil(left));
  }

  /**
   * The socket is gone. undici has failed the head and would send the others again by itself, with their old nonces: settle them
   * here; `onRequestStart` refuses their second start. What was not yet sent goes out on the next connection, in order.
   */
  #broken(error: Error): void {
    for (const exchange of [...this.#inFlight]) if (exchange.sent) exchange.fail(error, 'bystander');
  }
}

/** Follows one exchange as undici's handler; knows whether its bytes have left. */
class UndiciExchange implements Exchange {
  sent = false;
  abandoned = false;
  protected controller: Controller | undefined;
  protected readonly listener: ExchangeListener;
  #finished = false;

  constructor(listener: ExchangeListener) {
    this.listener = listener;
  }

  abandon(_tooSlow: boolean): void {
    this.abandoned = true;
    // On a connection of its own: ending it harms no other, and a dispatcher that ignores it must not hold the lane.
    this.destroy();
    this.fail(new Error('abandoned'));
  }

  destroy(): void {
    this.controller?.abort(new Error('the answer is not wanted any more'));
  }

  fail(error: unknown, loss: Loss = this.sent ? 'lost' : 'not_sent'): void {
    if (this.#finished) return;
    this.#finished = true;
    this.over();
    // undici counts its queue after it has failed what is in it: nothing may be sent before it is done.
    queueMicrotask(() => this.listener.onError(error, loss));
  }

  protected progress(): void {}
  protected over(): void {}

  // ---- undici's handler ----

  onRequestStart(controller: Controller): void {
    // Throwing keeps the bytes from being written and leaves the connection alone; aborting would close it.
    if (this.sent) throw new Error('undici tried to send a request again with its old nonce');
    if (this.abandoned) throw new Error('abandoned before it was sent');
    this.controller = controller;
    this.sent = true;
    this.progress();
    this.listener.onSent();
  }

  onResponseStart(
    _controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.progress();
    if (status >= 200 && !this.#finished) this.listener.onHead(status, joinValues(headers));
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    this.progress();
    if (!this.#finished) this.listener.onData(chunk);
  }

  onResponseEnd(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.over();
    this.listener.onEnd();
  }

  onResponseError(_controller: Controller | undefined, error: Error): void {
    this.fail(error);
  }
}

/** An exchange whose connection others share: abandoning it must not break theirs. */
class PipelinedExchange extends UndiciExchange {
  readonly stallTimeout: number;
  abandonedAt = 0;
  tooSlow = false;
  readonly #connection: PipelinedConnection;
  #socket: Socket | undefined;

  constructor(connection: PipelinedConnection, listener: ExchangeListener, stallTimeout: number) {
    super(listener);
    this.#connection = connection;
    this.stallTimeout = stallTimeout;
  }

  override abandon(tooSlow: boolean): void {
    this.abandoned = true;
    this.tooSlow = tooSlow;
    this.abandonedAt = performance.now();
    // Its bytes will never be written: `onRequestStart` refuses them.
    if (!this.sent) {
      this.fail(new Error('abandoned before it was sent'));
      return;
    }
    // A too slow answer that nobody shares the connection with would only hold up the next attempt.
    if (tooSlow && this.#connection.isHead(this) && this.#connection.deserted()) this.destroy();
    else this.#connection.watchHead();
  }

  closeConnection(): void {
    this.#connection.distrust(this.#socket);
  }

  takeTurn(): void {
    this.listener.onTurn();
  }

  override onRequestStart(controller: Controller): void {
    super.onRequestStart(controller);
    this.#socket = this.#connection.socket;
    this.#connection.gatherWrites();
    if (this.#connection.isHead(this)) this.takeTurn();
  }

  protected override progress(): void {
    this.#connection.progress(this);
  }

  protected override over(): void {
    this.#connection.over(this);
  }
}

/** A pool or a dispatcher of the user's: every exchange has a connection to itself while it lasts. */
class SharedConnection implements Connection {
  readonly pipelined = false;
  readonly #origin: string;
  readonly #dispatcher: UndiciDispatcher;
  readonly #close: () => Promise<void>;

  constructor(origin: string, dispatcher: UndiciDispatcher, close: () => Promise<void>) {
    this.#origin = origin;
    this.#dispatcher = dispatcher;
    this.#close = close;
  }

  send(request: TransportRequest, listener: ExchangeListener): Exchange {
    const exchange = new UndiciExchange(listener);
    dispatch(this.#dispatcher, new SharedDispatch(this.#origin, request), exchange);
    return exchange;
  }

  close(): Promise<void> {
    return this.#close();
  }
}

interface Controller {
  abort(reason: Error): void;
}

function dispatch(dispatcher: UndiciDispatcher, options: object, exchange: UndiciExchange): void {
  try {
    dispatcher.dispatch(options, exchange);
  } catch (error) {
    exchange.fail(error);
  }
}
