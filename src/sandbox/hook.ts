import { isThenable } from '../util/platform.js';

/**
 * A function of the application that observes the sandbox. If it throws or rejects, this is
 * reported once and has no other effect.
 */
export class Hook<Args extends readonly unknown[]> {
  readonly #option: string;
  readonly #run: ((...args: Args) => unknown) | undefined;
  #warned = false;

  /** `option` names it in the warning. */
  constructor(option: string, run: ((...args: Args) => unknown) | undefined) {
    this.#option = option;
    this.#run = run;
  }

  tell(...args: Args): void {
    try {
      const result = this.#run?.(...args);
      if (isThenable(result)) result.then(undefined, () => this.#warn());
    } catch {
      this.#warn();
    }
  }

  /** The warning does not show the error, which may contain anything. */
  #warn(): void {
    if (this.#warned) return;
    this.#warned = true;
    process.emitWarning(`${this.#option} given to createSandbox failed; the sandbox is not affected (reported once)`, {
      code: 'PARTNER_SDK_SANDBOX_HOOK',
    });
  }
}
