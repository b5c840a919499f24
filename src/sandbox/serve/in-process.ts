import type { ConnectOptions, Exchange, ExchangeListener, TransportRequest } from '../../transport/connections.js';
import { DelegatedConnections } from '../../transport/delegated.js';
import { createTransport, type Transport } from '../../transport/transport.js';
import { soon } from '../../util/platform.js';
import {
  BODILESS,
  type ConnectionAction,
  MAX_BODY_BYTES,
  type ReceivedBody,
  type RequestHead,
  type RequestReceiver,
} from '../core/request/messages.js';
import { firstHalf, OwnedTimers, Trickle } from './pacing.js';

/**
 * Passes on requests of clients in this process, without a port. Except for latencies and slow
 * answers, a call waits only for promises, which fake timers do not replace.
 */
export class InProcess {
  readonly service: RequestReceiver;
  readonly timers = new OwnedTimers();
  readonly running = new Set<InProcessExchange>();
  closed = false;
  #transport: Transport | undefined;

  constructor(service: RequestReceiver) {
    this.service = service;
  }

  /** Returns the same transport each time, so its clients keep an API key's nonces in order. */
  transport(): Transport {
    this.#transport ??= createTransport('sandbox', (...given) => new InProcessConnections(this, ...given));
    return this.#transport;
  }

  /** Ends all requests that wait for a response. Later ones fail. */
  close(): void {
    this.closed = true;
    this.timers.close();
    for (const exchange of this.running) exchange.lose();
  }
}

class InProcessConnections extends DelegatedConnections {
  readonly way = 'memory';
  readonly #owner: InProcess;
  readonly #origin: string;

  constructor(owner: InProcess, origin: string, options: ConnectOptions) {
    super(options);
    this.#owner = owner;
    this.#origin = origin;
  }

  protected override start(request: TransportRequest, listener: ExchangeListener): Exchange {
    const exchange = new InProcessExchange(this.#owner, this, listener);
    if (this.#owner.closed) exchange.refuse();
    else void exchange.follow(request, this.#origin);
    return exchange;
  }
}

class InProcessExchange implements Exchange {
  readonly #owner: InProcess;
  readonly #connections: DelegatedConnections;
  readonly #listener: ExchangeListener;
  #cancelTimer = (): void => {};
  #over = false;

  constructor(owner: InProcess, connections: DelegatedConnections, listener: ExchangeListener) {
    this.#owner = owner;
    this.#connections = connections;
    this.#listener = listener;
    owner.running.add(this);
  }

  refuse(): void {
    this.#fail('the sandbox is closed', 'not_sent');
  }

  async follow(request: TransportRequest, origin: string): Promise<void> {
    this.#listener.onSent();
    const head = headOf(request, origin);
    const { action, delayMs } = await this.#owner.service.receive(head, Promise.resolve(bodyOf(request)));
    this.#after(delayMs, () => this.#act(action));
  }

  lose(): void {
    this.#fail('the connection was lost', 'lost');
  }

  abandon(): void {
    this.#fail('the answer is not wanted any more', 'lost');
  }

  #act(action: ConnectionAction): void {
    if (action.kind === 'silence') return;
    if (action.kind === 'reset') {
      this.lose();
      return;
    }
    const { status, headers, body } = action.answer;
    this.#listener.onHead(status, headers);
    if (action.kind === 'slow') {
      this.#trickle(new Trickle(body, action.bytesPerSecond));
      return;
    }
    const bytes = action.kind === 'cut' ? firstHalf(body) : Buffer.from(body);
    if (bytes.length > 0 && !BODILESS.includes(status)) this.#give(bytes);
    if (action.kind === 'cut') this.lose();
    else this.#end();
  }

  #trickle(body: Trickle): void {
    if (body.done) {
      this.#end();
      return;
    }
    this.#after(body.wait(), () => {
      this.#give(body.take());
      this.#trickle(body);
    });
  }

  #after(ms: number, run: () => void): void {
    if (!this.#over) this.#cancelTimer = this.#owner.timers.after(ms, () => this.#over || run());
  }

  #give(bytes: Uint8Array): void {
    if (!this.#over) this.#listener.onData(bytes);
  }

  #end(): void {
    if (!this.#leave()) return;
    this.#connections.onExchangeEnded();
    this.#listener.onEnd();
    this.#connections.onUnclaimed();
  }

  #fail(reason: string, loss: 'lost' | 'not_sent'): void {
    if (!this.#leave()) return;
    // Called later, since the listener may be within a call of its own.
    soon(() => {
      this.#connections.onExchangeEnded();
      this.#listener.onError(new Error(reason), loss);
      this.#connections.onUnclaimed();
    });
  }

  /** Returns false if the exchange has ended already. */
  #leave(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#cancelTimer();
    return this.#owner.running.delete(this);
  }
}

function headOf({ method, path, headers }: TransportRequest, origin: string): RequestHead {
  return {
    method,
    target: path,
    origin,
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    headers: () => Object.entries(headers).flat(),
  };
}

function bodyOf({ body = new Uint8Array() }: TransportRequest): ReceivedBody {
  return body.length > MAX_BODY_BYTES ? { kind: 'too_large' } : { kind: 'complete', bytes: body };
}
