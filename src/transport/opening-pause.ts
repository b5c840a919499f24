/** The first pause after a connection could not be opened. It doubles with each further failure. */
const FIRST_PAUSE_MS = 100;

const MAX_PAUSE_MS = 1_000;

/** After this time without a failure the next pause is the first again. */
const FORGOTTEN_AFTER_MS = 10_000;

/** The pause before a lane opens more connections, after one could not be opened. */
export class OpeningPause {
  readonly #onOver: () => void;
  #failures = 0;
  #failedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  get running(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    if (this.running) return;
    const now = performance.now();
    if (now - this.#failedAt > FORGOTTEN_AFTER_MS) this.#failures = 0;
    this.#failedAt = now;
    const milliseconds = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#onOver();
    }, milliseconds);
    this.#timer.unref?.();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
