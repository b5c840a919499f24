import { MAX_TIMER_MS } from '../../util/options.js';

/** Timers that end with their owner: none outlives `close`. */
export class Timers {
  readonly #running = new Set<ReturnType<typeof setTimeout>>();
  #closed = false;

  /** Runs `run` after so many milliseconds, at once for 0, never when closed before. Returns the function that cancels it. */
  after(ms: number, run: () => void): () => void {
    if (this.#closed) return nothing;
    if (ms <= 0) {
      run();
      return nothing;
    }
    const timer = setTimeout(
      () => {
        this.#running.delete(timer);
        run();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
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
