import type { Received, ReceivedBody, RequestHead, RequestReceiver } from '../../core/request/messages.js';
import type { World } from '../../core/world.js';
import type { Controlled } from '../control/control-call.js';
import type { ControlAnswer } from '../control/control-messages.js';

/** A service that a process serves: the sandbox's own, or that of a world. */
export interface ServedService {
  readonly seed: number;
  readonly requests: RequestReceiver;
  readonly controlled: Controlled;
  hasKey(apiKey: string): boolean;
  /** No timer, delivery or stream outlives it. */
  close(): void;
}

/** A world that nothing has used for so long by the machine's clock ends. */
const IDLE_MS = 3_600_000;

/** A world and its use: it ends by itself when it is idle. */
export class RunningWorld {
  readonly world: World;
  readonly service: ServedService;
  /** By the machine's clock: milliseconds since the epoch. */
  readonly createdAt = Date.now();
  /** When it was last used, by the machine's clock. */
  lastUse = Date.now();
  readonly #ended = new AbortController();
  readonly #onIdle: () => void;
  /** Number of requests, control calls and streams under way. */
  #open = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onIdle Called once, unless it is ended before. */
  constructor(world: World, service: ServedService, onIdle: () => void) {
    this.world = world;
    this.service = service;
    this.#onIdle = onIdle;
    this.#watch(IDLE_MS);
  }

  async receive(head: RequestHead, body: Promise<ReceivedBody>): Promise<Received> {
    const received = await this.#during(() => this.service.requests.receive(head, body));
    return { ...received, ended: this.#ended.signal };
  }

  /** Runs a call of its control plane. */
  async control(run: (controlled: Controlled) => Promise<ControlAnswer>): Promise<ControlAnswer> {
    // The observers of the sandbox do not see its worlds.
    const { call: _, ...answer } = await this.#during(() => run(this.service.controlled));
    return answer.events === undefined ? answer : { ...answer, events: this.#follow(answer.events) };
  }

  /** Ends it: answers on their way break off. */
  end(): void {
    clearTimeout(this.#timer);
    this.service.close();
    this.#ended.abort();
  }

  async #during<T>(run: () => Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      return await run();
    } finally {
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
