import { AbortedError, ConfigurationError, PartnerError, RequestValidationError } from '../../errors.js';
import { REQUEST_RULES, type RequestOptions } from '../../request/options.js';
import { checkOptions, MILLISECONDS, type Rules } from '../../util/options.js';
import type { Signal } from '../../util/platform.js';
import { Deadline } from '../deadline.js';
import { SettledWrite } from '../settling.js';
import { retryAfterOf } from './poll.js';

/** Options of `client.settle()`. */
export interface SettleOptions {
  /** Time limit in ms over all calls and delays. Default 60,000. The first retry may use it all. */
  readonly timeout?: number | undefined;
  /**
   * Ends the retries with an `AbortedError` whose `outcome` is `unknown`. Default: none.
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

/** The options of each retry. Pass them to the method unchanged. */
export type SettlingOptions = RequestOptions & { readonly idempotencyKey: string };

/** The delay before the second retry. */
const FIRST_DELAY_MS = 1_000;

/** Each delay grows by this factor. */
const DELAY_GROWTH = 1.5;

/** The longest delay, which spares a service that is in trouble. */
const MAX_DELAY_MS = 15_000;

/**
 * No further retry begins with less time than this, or than one attempt may take if that is less:
 * it would time out, and its error would hide the previous one.
 */
const MIN_CALL_MS = 1_000;

/** A timer may fire this much late, and the last retry still begins. */
const SPARE_MS = 50;

/**
 * Retries a call of unknown outcome until it succeeds or the time is over. A rejection of a retry
 * does not end it, because the first attempt may have been applied all the same. It ends when a
 * retry is aborted, and when the service asks for a longer wait than there is time.
 *
 * @param attemptTimeout The client's, in ms.
 */
export async function settle<T>(
  error: unknown,
  call: (options: SettlingOptions) => PromiseLike<T>,
  given: SettleOptions = {},
  attemptTimeout: number,
): Promise<T> {
  const { timeout, signal } = checkOptions('settle', given, SETTLE_RULES, ConfigurationError);
  if (typeof call !== 'function') {
    throw new RequestValidationError([{ path: 'call', message: 'must be a function that makes the same call again' }]);
  }
  if (!(error instanceof PartnerError) || error.outcome !== 'unknown') throw error;
  const { idempotencyKey } = error;
  if (idempotencyKey === undefined) throw unsettled(error, UNKEYED);
  const deadline = new Deadline(timeout, signal);
  const write = new SettledWrite(error.operation, idempotencyKey);
  const least = Math.min(attemptTimeout, MIN_CALL_MS);
  /** Waits before a retry. The last one begins while there is still time for it. */
  const pause = async (delay: number, failure: PartnerError): Promise<void> => {
    const asked = retryAfterOf(failure);
    const latest = deadline.remaining() - least - SPARE_MS;
    if (asked > Math.max(latest, 0)) {
      const seconds = Math.ceil(asked / 1_000);
      throw unsettled(error, `the service asks to wait ${seconds} s, longer than timeout`, failure);
    }
    if (latest > 0) await deadline.sleep(Math.min(latest, Math.max(delay, asked)));
    throwIfAborted(deadline, error);
    if (latest <= 0 || deadline.remaining() < least)
      throw unsettled(error, `the last retry failed: ${failure.message}`, failure);
  };
  try {
    throwIfAborted(deadline, error);
    if (retryAfterOf(error) > 0) await pause(0, error);
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * DELAY_GROWTH, MAX_DELAY_MS)) {
      let value: T;
      try {
        const options = { idempotencyKey, timeout: Math.max(1, Math.ceil(deadline.remaining())), signal };
        value = await write.run(() => call(options));
      } catch (failure) {
        throwIfAborted(deadline, error);
        if (!(failure instanceof PartnerError)) throw failure;
        if (failure instanceof AbortedError) throw aborted(error, 'the retry was aborted', failure.cause);
        if (isProgramError(failure)) throw unsettled(error, `the retry was not sent: ${failure.message}`, failure);
        // The upper half of the delay, so that programs that were hit together drift apart.
        await pause(delay * (0.5 + Math.random() / 2), failure);
        continue;
      }
      if (!write.hasSucceeded) throw unsettled(error, IGNORED);
      return value;
    }
  } finally {
    write.close();
    deadline.close();
  }
}

const IGNORED =
  'no call with the idempotency key of the options had succeeded when your function ended. It must return the promise of a call with these options, otherwise there may be two writes, or none: look them up';

const UNKEYED =
  'it had no Idempotency-Key: look up whether it was applied, or, if it was quotes.trade, call it again with the same reference';

const isProgramError = (failure: PartnerError): boolean =>
  failure instanceof RequestValidationError || failure instanceof ConfigurationError;

function unsettled(error: PartnerError, reason: string, cause: PartnerError = error): PartnerError {
  return new PartnerError(`the outcome of ${error.operation} stays unknown: ${reason}`, error, { cause });
}

function throwIfAborted({ reason }: Deadline, error: PartnerError): void {
  if (reason?.kind === 'aborted') throw aborted(error, 'settle() was aborted by its signal', reason.error);
}

function aborted(error: PartnerError, what: string, cause: unknown): AbortedError {
  const message = `${what}, the outcome of ${error.operation} stays unknown; see cause`;
  return new AbortedError(message, error, { cause });
}
