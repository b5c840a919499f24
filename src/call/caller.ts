import { ConfigurationError, type Issue } from '../errors.js';
import type { ClientEvent } from '../events.js';
import { LaneSet } from '../lane/lanes.js';
import { Observer } from '../observer.js';
import type { ClientSettings } from '../options.js';
import { type CustomList, listOf } from '../request/custom-list.js';
import { type CustomRequest, operationOf } from '../request/custom-request.js';
import type { ListOptions, RequestOptions, UnkeyedRequestOptions } from '../request/options.js';
import { callRequest } from '../request/prepare.js';
import { MemberWarnings } from '../response/member-warnings.js';
import { inputOf, type Operation, type OperationInput, type PageBody, type PageMeta } from '../schema/operation.js';
import { HmacSigner } from '../signing/signer.js';
import type { ClientStats } from '../stats.js';
import { ownMember } from '../util/members.js';
import { ApiPromise } from './api-promise.js';
import { type CallContext, CallCounts } from './call.js';
import { type CallResult, execute, rejectUnreadable } from './execute.js';
import { type CallPage, cursorOf, PagedList } from './list.js';
import { RetryBudget } from './retry.js';
import { type ItemPolling, ItemSearch, type Poll, type Polling, type PollLimits, waitUntil } from './wait/poll.js';
import type { AnyWaitOptions } from './wait/poll-options.js';

export type { ApiPromise, ListOptions, PagedList, RequestOptions, UnkeyedRequestOptions };

/** False in workerd with a compatibility date before May 2025, which has no `WeakRef` either. */
const HAS_WEAK_REFERENCES = typeof FinalizationRegistry !== 'undefined';

/** A client that was never closed leaves its lanes when it is collected as garbage. */
const abandonedClients = HAS_WEAK_REFERENCES
  ? new FinalizationRegistry<LaneSet>((lanes) => {
      // No call is left that could report a failure to close.
      lanes.release().catch(() => {});
    })
  : undefined;

/** The program may keep a closed client, but not its secrets. */
function forgetSecrets({ credentials, signer }: ClientSettings): void {
  if (signer instanceof HmacSigner) signer.forget();
  for (const one of credentials) one.apiSecret = undefined;
}

/** Does not keep the client: one that is never closed could not be collected. */
function statsOf(client: WeakRef<ApiCaller>): ClientEvent {
  return {
    stats: () => {
      const caller = client.deref();
      return caller?.isClosed === false ? caller.stats() : undefined;
    },
  };
}

/** The methods that resource classes use. */
export type Caller = Pick<ApiCaller, 'call' | 'list' | 'waitFor' | 'waitForItem'>;

/** Makes the calls of one client, counts them, and ends them. */
export class ApiCaller {
  readonly #context: CallContext;
  #closing: Promise<void> | undefined;

  constructor(settings: ClientSettings) {
    const lanes = new LaneSet(settings);
    this.#context = {
      settings,
      lanes,
      budget: new RetryBudget(),
      observer: new Observer(settings.hooks, settings.logger),
      counts: new CallCounts(),
      warnings: new MemberWarnings(),
      assertOpen: () => this.assertOpen(),
    };
    abandonedClients?.register(this, lanes, this);
    if (HAS_WEAK_REFERENCES) this.#context.observer.clientMade(statsOf(new WeakRef(this)));
  }

  /** @param given The arguments of the method without the options, as for `inputOf`. */
  call<T>(operation: Operation<T>, given: readonly unknown[], options?: RequestOptions): ApiPromise<T> {
    return ApiPromise.of(execute(this.#context, callRequest(operation, options), inputOf(operation, given)));
  }

  list<T, Meta>(
    operation: Operation<PageBody<T, Meta>>,
    given: readonly unknown[],
    options: ListOptions = {},
  ): PagedList<T, Meta> {
    const callPage: CallPage<T, Meta> = (pageInput, pageOptions, limits) =>
      execute(this.#context, callRequest(operation, pageOptions, limits), pageInput);
    return new PagedList(operation, inputOf(operation, given), options, callPage);
  }

  listCustom<T>(given: CustomList<T>): PagedList<T> {
    const { operation, schema, input, options, issues } = listOf(given);
    const callPage: CallPage<T, PageMeta> = (pageInput, pageOptions, limits) =>
      execute(this.#context, callRequest(operation, pageOptions, { ...limits, schema, issues }), pageInput);
    return new PagedList(operation, input, options, callPage);
  }

  /** Each poll is a call: `close()` waits for it, but not for the delays between polls. */
  waitFor<T>(polling: Polling<T>, given: readonly unknown[], options?: AnyWaitOptions<T>): ApiPromise<T> {
    const input = inputOf(polling.operation, given);
    const poll: Poll<T> = (limits, shared) => this.#poll(polling.operation, input, limits(), shared);
    return ApiPromise.of(waitUntil(polling, poll, options));
  }

  /**
   * Waits for one item of a list.
   *
   * @param issues Issues of the arguments that the list does not ask for.
   */
  waitForItem<T, Body>(
    polling: ItemPolling<T, Body>,
    given: readonly unknown[],
    options: AnyWaitOptions<T> | undefined,
    issues: readonly Issue[],
  ): ApiPromise<T> {
    const { operation } = polling;
    const { params, query } = inputOf(operation, given);
    const inputAt = (token: string | undefined) =>
      token === undefined
        ? { params, query }
        : { params, query: { ...(query as object), [cursorOf(operation)]: token } };
    const search = new ItemSearch(polling);
    const poll: Poll<T> = (limits, shared) =>
      search.poll((token) => this.#poll(operation, inputAt(token), limits(), shared));
    return ApiPromise.of(waitUntil(polling, poll, options, issues));
  }

  #poll<T>(
    operation: Operation<T>,
    input: OperationInput,
    limits: PollLimits,
    shared: RequestOptions,
  ): Promise<CallResult<T>> {
    const { settings } = this.#context;
    const timeout = Math.min(limits.timeout, settings.timeout);
    const attemptTimeout = Math.min(
      limits.attemptTimeout,
      ownMember(shared, 'attemptTimeout') ?? settings.attemptTimeout,
    );
    return execute(
      this.#context,
      callRequest(operation, { ...shared, timeout, attemptTimeout }, { isPoll: true }),
      input,
    );
  }

  request<T>(given: CustomRequest<T>): ApiPromise<T> {
    let described: ReturnType<typeof operationOf<T>>;
    try {
      described = operationOf(given);
    } catch (error) {
      return ApiPromise.of<T>(rejectUnreadable(this.#context, error));
    }
    return ApiPromise.of(execute(this.#context, described.request, described.input));
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** @throws ConfigurationError after the client has been closed. */
  assertOpen(): void {
    if (this.isClosed) throw new ConfigurationError('this client has been closed: make a new one');
  }

  /** A doubtful member that one of the two has logged is not logged by the other. */
  shareWarnings(other: ApiCaller): void {
    this.#context.warnings = other.#context.warnings;
  }

  stats(): ClientStats {
    const { budget, counts, lanes } = this.#context;
    const retryBudget = { available: budget.available(), capacity: budget.capacity };
    const { running, succeeded, failed, retries, replays } = counts;
    return { running, succeeded, failed, retries, replays, retryBudget, lanes: lanes.stats() };
  }

  /** Refuses new calls, lets the running ones end, then leaves the lanes. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { counts, lanes, settings } = this.#context;
    await counts.idle();
    abandonedClients?.unregister(this);
    forgetSecrets(settings);
    await lanes.release();
  }
}
