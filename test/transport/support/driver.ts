import type {
  Connections,
  ConnectOptions,
  Exchange,
  ExchangeListener,
  Loss,
  Slot,
  TransportRequest,
} from '../../../src/transport/connections.js';
import { connectionsOf, type Transport } from '../../../src/transport/transport.js';

/** A request that is sent more often shows that something goes round in circles. */
const MAX_SENDS = 100;

/** Such a request goes to the head of the queue at once. */
const REPEATED: readonly End['end'][] = ['not_started', 'unprocessed', 'disowned'];

export interface End {
  /** Every status that was told: one, if there was an answer. */
  readonly statuses: readonly number[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `answered`, or how it was lost. */
  readonly end: 'answered' | Loss;
  readonly error: unknown;
  /** The bytes had been about to leave. */
  readonly sent: boolean;
  readonly firstUse: boolean;
  /** What was told after the end: there must be nothing. */
  readonly after: string[];
}

export class Started implements ExchangeListener {
  readonly ended: Promise<End>;
  readonly firstUse: boolean;
  exchange: Exchange | undefined;
  sent = false;
  onEnded: (end: End) => void = () => {};
  #resolve: (end: End) => void = () => {};
  readonly #statuses: number[] = [];
  #headers: Readonly<Record<string, string>> = {};
  #body: Buffer[] = [];
  #end: End | undefined;

  constructor(firstUse: boolean) {
    this.firstUse = firstUse;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get end(): End | undefined {
    return this.#end;
  }

  onSent(): void {
    if (this.#late('sent')) return;
    this.sent = true;
  }

  onHead(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.#late('head')) return;
    this.#statuses.push(status);
    this.#headers = headers;
  }

  onData(chunk: Uint8Array): void {
    if (this.#late('data')) return;
    this.#body.push(Buffer.from(chunk));
  }

  onEnd(): void {
    if (!this.#late('end')) this.#over('answered', undefined);
  }

  onError(error: unknown, loss: Loss): void {
    if (!this.#late(`error ${loss}`)) this.#over(loss, error);
  }

  #late(what: string): boolean {
    this.#end?.after.push(what);
    return this.#end !== undefined;
  }

  #over(end: End['end'], error: unknown): void {
    const body = Buffer.concat(this.#body).toString();
    const { sent, firstUse } = this;
    this.#end = { statuses: this.#statuses, headers: this.#headers, body, end, error, sent, firstUse, after: [] };
    this.onEnded(this.#end);
    this.#resolve(this.#end);
  }
}

export interface Options {
  readonly body?: string;
  readonly notRetryable?: boolean;
  readonly headers?: Record<string, string>;
}

function requestOf(path: string, { body, headers = {} }: Options): TransportRequest {
  const method = body === undefined ? 'GET' : 'POST';
  return { method, path, headers, body: body === undefined ? undefined : Buffer.from(body) };
}

interface Waiting {
  readonly request: TransportRequest;
  readonly notRetryable: boolean;
  start(started: Started): void;
  fail(error: unknown): void;
}

/**
 * Sends requests over the connections of one transport in the order in which they are asked for, as soon as there is a
 * place.
 */
export class Driver {
  readonly connections: Connections;
  /** Bytes that arrived unasked. */
  unsolicited = 0;
  /** Why no connection could be opened, each time. */
  readonly unreachable: unknown[] = [];
  /** Paths in the order in which they were given to `send`. */
  readonly sends: string[] = [];
  readonly #waiting: Waiting[] = [];
  #pumping = false;

  constructor(transport: Transport, origin: string, options: Partial<ConnectOptions> = {}) {
    this.connections = connectionsOf(transport, origin, {
      width: 64,
      onReady: () => this.#pump(),
      onUnreachable: (error) => {
        this.unreachable.push(error);
        for (const { fail } of this.#waiting.splice(0)) fail(error);
      },
      onUnsolicited: () => {
        this.unsolicited++;
      },
      ...options,
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the request has been started; rejects if no connection can be opened. */
  start(path: string, options: Options = {}): Promise<Started> {
    const request = requestOf(path, options);
    const { notRetryable = false } = options;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, notRetryable, start: resolve, fail: reject });
      this.#pump();
    });
  }

  /**
   * Sends a request and waits for its end. What did not start, or was not processed, is repeated.
   */
  call(path: string, options: Options = {}): Promise<End> {
    return new Promise((resolve, reject) => {
      let left = MAX_SENDS;
      const waiting: Waiting = {
        request: requestOf(path, options),
        notRetryable: options.notRetryable ?? false,
        fail: reject,
        start: (started) => {
          started.onEnded = (end) => {
            if (!REPEATED.includes(end.end)) resolve(end);
            else if (--left === 0) reject(new Error(`${path} was sent ${MAX_SENDS} times`));
            else this.#waiting.unshift(waiting);
            this.#pump();
          };
        },
      };
      this.#waiting.push(waiting);
      this.#pump();
    });
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const slot = this.connections.reserve(this.#waiting.length, next.notRetryable);
      if (slot === undefined) break;
      this.#waiting.shift();
      next.start(this.#send(slot, next.request));
    }
    this.#pumping = false;
  }

  #send(slot: Slot, request: TransportRequest): Started {
    const started = new Started(slot.firstUse);
    started.onEnded = () => this.#pump();
    this.sends.push(request.path);
    started.exchange = slot.send(request, started);
    return started;
  }
}
