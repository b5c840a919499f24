/** Counts the calls of one client, and knows when none is running. */
export class CallCounts {
  running = 0;
  succeeded = 0;
  failed = 0;
  retries = 0;
  replays = 0;
  #onIdle: (() => void) | undefined;

  begin(): void {
    this.running++;
  }

  end(): void {
    if (--this.running === 0) this.#onIdle?.();
  }

  /** Resolves when no call is running. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.running === 0) resolve();
    });
  }
}
