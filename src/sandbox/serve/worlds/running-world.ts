import type { Received, ReceivedBody, RequestHead, RequestReceiver } from '../../core/request/messages.js';
import type { World } from '../../core/world.js';
import type { Controlled } from '../control/control-call.js';
import { type ControlAnswer, refused } from '../control/control-messages.js';

/** A service that a process serves: the sandbox's own, or a world's. */
export interface ServedService {
  readonly seed: number;
  readonly requests: RequestReceiver;
  readonly controlled: Controlled;
  hasKey(apiKey: string): boolean;
  /** Ends all timers, deliveries and streams. */
  close(): void;
}

/** Time in ms by the machine's clock after which an unused world ends. */
const IDLE_MS = 3_600_000;

const LOST: Received = { action: { kind: 'reset' }, delayMs: 0 };
const OVER: ControlAnswer = refused(404, 'the world has ended');

/** A world and its use. It ends by itself when it is idle. */
export class RunningWorld {
  readonly world: World;
  readonly service: ServedService;
  /** Creation time by the machine's clock: milliseconds since the epoch. */
  readonly createdAt = Date.now();
  /** Time of the last use, by the machine's clock. */
  lastUse = Date.now();
  readonly #ended = new AbortController();
  readonly #onIdle: () => void;
  /** Number of requests, control calls and streams under way. */
  #open = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onIdle Called once when the world becomes idle, unless it has ended before. */
  constructor(world: World, service: ServedService, onIdle: () => void) {
    this.world = world;
    this.service = service;
    this.#onIdle = onIdle;
    this.#watch(IDLE_MS);
  }

  async receive(head: RequestHead, body: Promise<ReceivedBody>): Promise<Received> {
    const received = await this.#during<Received>(() => this.service.requests.receive(head, body), LOST);
    return { ...received, ended: this.#ended.signal };
  }

  /** Runs a call of its control plane. */
  async control(run: (controlled: Controlled) => Promise<ControlAnswer>): Promise<ControlAnswer> {
    // The sandbox's hooks are not called for its worlds.
    const { call: _, ...answer } = await this.#during(() => run(this.service.controlled), OVER);
    return answer.events === undefined ? answer : { ...answer, events: this.#follow(answer.events) };
  }

  /** Ends the world, and breaks off its answers under way. */
  end(): void {
    clearTimeout(this.#timer);
    this.service.close();
    this.#ended.abort();
  }

  /** Returns `atEnd` if the world ends first, because its service sends no more answers then. */
  async #during<T>(run: () => Promise<T>, atEnd: T): Promise<T> {
    const { signal } = this.#ended;
    let end = (): void => {};
    this.#open += 1;
    try {
      return await new Promise<T>((resolve, reject) => {
        end = () => resolve(atEnd);
        signal.addEventListener('abort', end);
        run().then(resolve, reject);
      });
    } finally {
      signal.removeEventListener('abort', end);
      this.#leave();
    }
  }

  async *#follow(events: AsyncIterable<string>): AsyncGenerator<string> {
    this.#open += 1;
    try {
      yield* events;
    } finally {
      this.#leave();
    }
  }

  #leave(): void {
    this.#open -= 1;
    this.lastUse = Date.now();
  }

  #watch(ms: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#open > 0 ? IDLE_MS : this.lastUse + IDLE_MS - Date.now();
      if (left > 0) this.#watch(left);
      else this.#onIdle();
    }, ms);
    this.#timer.unref();
  }
}
