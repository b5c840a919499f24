import { afterPolling } from '../util/platform.js';

/**
 * Holds a request that must not be repeated until all answers that have come are checked. An answer is checked right after its attempt has
 * departed. If it is not its call's own, its connection is closed, and such a request must not be on it by then.
 */
export class AnswerChecks {
  readonly #onChecked: () => void;
  #state: 'unknown' | 'checking' | 'checked' = 'unknown';

  /** @param onChecked Called in the moment in which all answers are checked. */
  constructor(onChecked: () => void) {
    this.#onChecked = onChecked;
  }

  /** True when answers may be unchecked: `onChecked` is called when they are not. */
  mustWait(): boolean {
    if (this.#state === 'checked') return false;
    if (this.#state === 'unknown') {
      this.#state = 'checking';
      afterPolling(() => {
        this.#state = 'checked';
        this.#onChecked();
        this.#state = 'unknown';
      });
    }
    return true;
  }
}
