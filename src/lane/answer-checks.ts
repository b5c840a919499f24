import { afterPolling } from '../util/platform.js';

/**
 * Holds back a write that must not be retried until all answers so far have been checked. Each call
 * checks its answer right after its attempt has ended. If the answer belongs to another call, the
 * transport closes the connection, and the write must not be on it then.
 */
export class AnswerChecks {
  readonly #onChecked: () => void;
  #state: 'unknown' | 'checking' | 'checked' = 'unknown';

  /** @param onChecked Called when all answers are checked. */
  constructor(onChecked: () => void) {
    this.#onChecked = onChecked;
  }

  /** True while an answer may be unchecked. `onChecked` is called when none is. */
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
