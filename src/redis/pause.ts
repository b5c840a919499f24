/** One wait at a time, which can be cut short. Its timer does not keep the process alive. */
export class Pause {
  #end: (() => void) | undefined;

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), milliseconds);
      timer.unref();
      this.#end = () => {
        clearTimeout(timer);
        this.#end = undefined;
        resolve();
      };
    });
  }

  end(): void {
    this.#end?.();
  }
}

/** Somewhat more or less, so that processes do not ask all at the same moment. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.75 + Math.random() / 2);
}
