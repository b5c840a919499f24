import { type FailureWarning, runSafely } from '../../../util/run-safely.js';

const WARNING: FailureWarning = {
  code: 'PARTNER_SDK_SANDBOX_HOOK',
  sentence: 'given to createSandbox failed; the sandbox is not affected (reported once)',
  showsError: false,
};

/** A callback of the application. The first error that it throws becomes a process warning. */
export class Hook<Args extends readonly unknown[]> {
  readonly #option: string;
  readonly #run: ((...args: Args) => unknown) | undefined;

  /** `option` is the name of the callback in the warning. */
  constructor(option: string, run: ((...args: Args) => unknown) | undefined) {
    this.#option = option;
    this.#run = run;
  }

  emit(...args: Args): void {
    const run = this.#run;
    if (run !== undefined) runSafely(() => run(...args), this.#option, this, this.#option, WARNING);
  }
}
