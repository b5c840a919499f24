import { type Dispatcher, Pool } from 'undici';
import type { CreateClient } from '../client.js';
import { bareClient } from '../envelope.js';

/** The least that undici can do: a handler of one's own in place of a body stream. */
export const create: CreateClient = (origin) => {
  const pool = new Pool(origin, { connections: 64 });
  return bareClient(
    (request) => new Promise((resolve, reject) => pool.dispatch(request, new Collector(resolve, reject))),
  );
};

class Collector implements Dispatcher.DispatchHandler {
  readonly #resolve: (body: unknown) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #status = 0;

  constructor(resolve: (body: unknown) => void, reject: (reason: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  // undici tells the two kinds of handlers apart by this method.
  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    if (this.#status === 200) this.#resolve(JSON.parse(bytes.toString()));
    else this.#reject(new Error(`status ${this.#status}`));
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#reject(error);
  }
}
