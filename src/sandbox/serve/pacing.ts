import { MAX_TIMER_MS } from '../../util/options.js';

/** Timers that their owner ends together: none fires after `close`. */
export class OwnedTimers {
  readonly #running = new Set<ReturnType<typeof setTimeout>>();
  #closed = false;

  /** Calls `run` after `ms`: at once for 0, never after `close`. Call the result to cancel it. */
  after(ms: number, run: () => void): () => void {
    if (this.#closed) return nothing;
    if (ms <= 0) {
      run();
      return nothing;
    }
    const ring = (): void => {
      this.#running.delete(timer);
      run();
    };
    const timer = setTimeout(ring, Math.min(ms, MAX_TIMER_MS));
    this.#running.add(timer);
    return () => {
      clearTimeout(timer);
      this.#running.delete(timer);
    };
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}

const nothing = (): void => {};

/** A body whose bytes become available one by one at a steady rate, from its creation on. */
export class Trickle {
  readonly #bytes: Uint8Array;
  readonly #msPerByte: number;
  readonly #begun = performance.now();
  #taken = 0;

  constructor(body: string, bytesPerSecond: number) {
    this.#bytes = Buffer.from(body);
    this.#msPerByte = 1000 / bytesPerSecond;
  }

  get done(): boolean {
    return this.#taken >= this.#bytes.length;
  }

  /** Returns milliseconds until the next byte; 0 or less if it is available. */
  wait(): number {
    return (this.#taken + 1) * this.#msPerByte - this.#elapsed();
  }

  /** Returns all available bytes, at least one, so that a late timer does not lower the rate. */
  take(): Uint8Array {
    const available = Math.max(this.#taken + 1, Math.floor(this.#elapsed() / this.#msPerByte));
    const bytes = this.#bytes.subarray(this.#taken, available);
    this.#taken = available;
    return bytes;
  }

  #elapsed(): number {
    return performance.now() - this.#begun;
  }
}

/** Returns the half of a body that arrives before its connection breaks. */
export function firstHalf(body: string): Uint8Array {
  const bytes = Buffer.from(body);
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}
