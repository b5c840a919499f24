import {
  AbortedError,
  type CallFacts,
  ConfigurationError,
  PartnerError,
  RequestValidationError,
} from '../../errors.js';
import { REQUEST_RULES, type RequestOptions } from '../../request/options.js';
import { checkOptions, MILLISECONDS, type Rules } from '../../util/options.js';
import type { Signal } from '../../util/platform.js';
import { Deadline } from '../deadline.js';
import { retryAfterOf } from './retry-after.js';

/** Options of `client.settle()`. */
export interface SettleOptions {
  /** Time limit in ms, over all calls and delays. Default 60,000. */
  readonly timeout?: number | undefined;
  /**
   * Ends it with an `AbortedError` whose `outcome` is `unknown`. Default: none.
   *
   * @example
   * const { withdrawalAddresses } = client.funds;
   * const rename = (options?: RequestOptions) =>
   *   withdrawalAddresses.update(accountId, addressKey, { new_key: 'vault' }, options);
   * const { signal } = request;
   * await rename().catch((error: unknown) => client.settle(error, rename, { signal }));
   */
  readonly signal?: Signal | undefined;
}

const SETTLE_RULES = {
  timeout: { ...MILLISECONDS, default: 60_000 },
  signal: REQUEST_RULES.signal,
} satisfies Rules<SettleOptions>;

/** The options of each repeated call. Give them to the method unchanged. */
export type SettlingOptions = RequestOptions & { readonly idempotencyKey: string };

/** The delay before the second call. */
const FIRST_DELAY_MS = 1_000;

/** Each delay grows by this factor. */
const DELAY_GROWTH = 1.5;

/** The longest delay. It spares a service that is in trouble. */
const MAX_DELAY_MS = 15_000;

/**
 * Makes a call of unknown outcome again, until it succeeds or the time is over. A refusal of a
 * repeat does not end it: the first attempt may have been applied all the same. A `Retry-After` is
 * waited for. If it is longer than the time that is left, it ends at once.
 */
export async function settle<T>(
  error: unknown,
  call: (options: SettlingOptions) => PromiseLike<T>,
  given: SettleOptions = {},
): Promise<T> {
  const { timeout, signal } = checkOptions('settle', given, SETTLE_RULES, ConfigurationError);
  if (typeof call !== 'function') {
    throw new RequestValidationError([{ path: 'call', message: 'must be a function that makes the same call again' }]);
  }
  if (!(error instanceof PartnerError) || error.outcome !== 'unknown') throw error;
  const { idempotencyKey } = error;
  if (idempotencyKey === undefined) throw unsettled(error, 'it had no Idempotency-Key: look up whether it was applied');
  const deadline = new Deadline(timeout, signal === undefined ? [] : [signal]);
  let last: PartnerError | undefined;
  const waitAtLeast = async (delay: number, failure: PartnerError): Promise<void> => {
    const asked = retryAfterOf(failure);
    if (asked > deadline.remaining())
      throw unsettled(error, `the service asks to wait ${Math.ceil(asked / 1_000)} s, longer than timeout`, failure);
    if (delay + asked > 0) await deadline.sleep(Math.max(delay, asked));
  };
  try {
    await waitAtLeast(0, error);
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * DELAY_GROWTH, MAX_DELAY_MS)) {
      throwIfAborted(deadline, error);
      const left = Math.ceil(deadline.remaining());
      if (left <= 0)
        throw last === undefined ? error : unsettled(error, `the last repeat failed: ${last.message}`, last);
      try {
        return await call({ idempotencyKey, timeout: left, signal });
      } catch (failure) {
        throwIfAborted(deadline, error);
        if (!(failure instanceof PartnerError)) throw failure;
        if (isProgramError(failure)) throw unsettled(error, 'the repeated call was not sent; see cause', failure);
        last = failure;
        // The upper half of the delay: programs that were hit together drift apart.
        await waitAtLeast(delay * (0.5 + Math.random() / 2), failure);
      }
    }
  } finally {
    deadline.close();
  }
}

const isProgramError = (failure: PartnerError): boolean =>
  failure instanceof RequestValidationError || failure instanceof ConfigurationError;

function unsettled(error: PartnerError, reason: string, cause: PartnerError = error): PartnerError {
  return new PartnerError(`the outcome of ${error.operation} stays unknown: ${reason}`, factsOf(error), { cause });
}

function throwIfAborted({ reason }: Deadline, error: PartnerError): void {
  if (reason?.kind !== 'aborted') return;
  const message = `settle() was aborted by its signal, the outcome of ${error.operation} stays unknown; see cause`;
  throw new AbortedError(message, factsOf(error), { cause: reason.error });
}

const factsOf = ({ outcome, operation, attempts, idempotencyKey }: PartnerError): CallFacts => ({
  outcome,
  operation,
  attempts,
  idempotencyKey,
});
