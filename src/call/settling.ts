import { RequestValidationError } from '../errors.js';
import { beforeSending, type PreparedCall } from '../request/prepare.js';

/** The writes that `client.settle()` is retrying. */
const retried = new Set<SettledWrite>();

/** The write whose function is running, until that function awaits something. */
let running: SettledWrite | undefined;

/**
 * A write that `client.settle()` retries by calling a function of the program. A function that does
 * not pass on its options would make a second write, because the client would generate a new
 * idempotency key.
 */
export class SettledWrite {
  readonly #operation: string | undefined;
  readonly #idempotencyKey: string;
  /** True if the service has accepted a call with the idempotency key. */
  hasSucceeded = false;

  constructor(operation: string | undefined, idempotencyKey: string) {
    this.#operation = operation;
    this.#idempotencyKey = idempotencyKey;
    retried.add(this);
  }

  run<T>(retry: () => T): T {
    const outer = running;
    running = this;
    try {
      return retry();
    } finally {
      running = outer;
    }
  }

  /**
   * Called for each call that the function prepares before it awaits something.
   *
   * @throws RequestValidationError if the function makes the write with another idempotency key.
   */
  observe({ operation, idempotencyKey }: PreparedCall): void {
    if (operation.name === this.#operation && idempotencyKey !== this.#idempotencyKey)
      throw new RequestValidationError(
        [{ path: 'options.idempotencyKey', message: OTHER }],
        beforeSending(operation.name),
      );
  }

  applied(idempotencyKey: string | undefined): void {
    if (idempotencyKey === this.#idempotencyKey) this.hasSucceeded = true;
  }

  close(): void {
    retried.delete(this);
  }
}

const OTHER =
  'is not that of the write that client.settle() retries, so the write would be made a second time: pass on the options that settle() passes to your function';

/** Tells the write whose function is running about a call that is going to be made. */
export const observeCall = (call: PreparedCall): void => running?.observe(call);

/** Tells the writes that are being settled about a call that the service has accepted. */
export function observeApplied({ idempotencyKey }: PreparedCall): void {
  for (const write of retried) write.applied(idempotencyKey);
}
