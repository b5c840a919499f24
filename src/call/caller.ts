import { ConfigurationError, type Issue } from '../errors.js';
import type { ClientEvent } from '../events.js';
import { LaneSet } from '../lane/lanes.js';
import { Observer } from '../observer.js';
import type { ClientSettings } from '../options.js';
import { type CustomList, type CustomRequest, listOf, operationOf } from '../request/custom-request.js';
import type { ListOptions, RequestOptions, UnkeyedRequestOptions } from '../request/options.js';
import { beforeSending, type CallRequest, callRequest } from '../request/prepare.js';
import { asPartnerError } from '../response/to-error.js';
import { inputOf, type Operation, type OperationInput, type PageBody } from '../schema/operation.js';
import { HmacSigner } from '../signing/signer.js';
import type { ClientStats } from '../stats.js';
import { ApiPromise } from './api-promise.js';
import { type CallContext, CallCounts, MemberWarnings } from './call.js';
import { type CallResult, execute } from './execute.js';
import { type CallPage, cursorOf, PagedList } from './list.js';
import { RetryBudget } from './retry.js';
import { UnknownWrites } from './unknown-writes.js';
import { type ItemPolling, ItemSearch, type Poll, type Polling, waitUntil } from './wait/poll.js';
import type { AnyWaitOptions } from './wait/poll-options.js';

export type { ApiPromise, ListOptions, PagedList, RequestOptions, UnkeyedRequestOptions };

/** False in workerd with a compatibility date before May 2025, which has no `WeakRef` either. */
const HAS_WEAK_REFERENCES = typeof FinalizationRegistry !== 'undefined';

/** A client that was never closed leaves its lanes when it is garbage-collected. */
const abandonedClients = HAS_WEAK_REFERENCES
  ? new FinalizationRegistry<LaneSet>((lanes) => {
      // No call is left that could report a failure to close.
      lanes.release().catch(() => {});
    })
  : undefined;

/** Does not hold the client, because one that is never closed could then not be collected. */
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
  readonly #client: CallContext;
  #closing: Promise<void> | undefined;

  constructor(settings: ClientSettings) {
    const lanes = new LaneSet(settings);
    this.#client = {
      settings,
      lanes,
      budget: new RetryBudget(),
      observer: new Observer(settings.hooks, settings.logger),
      counts: new CallCounts(),
      warnings: new MemberWarnings(),
      unknownWrites: new UnknownWrites(),
      assertOpen: () => this.assertOpen(),
    };
    abandonedClients?.register(this, lanes, this);
    if (HAS_WEAK_REFERENCES) this.#client.observer.clientMade(statsOf(new WeakRef(this)));
  }

  /** @param given The arguments of the method without the options, as for `inputOf`. */
  call<T>(operation: Operation<T>, given: readonly unknown[], options?: RequestOptions): ApiPromise<T> {
    return ApiPromise.of(execute(this.#client, callRequest(operation, options), inputOf(operation, given)));
  }

  list<T, Meta>(
    operation: Operation<PageBody<T, Meta>>,
    given: readonly unknown[],
    options: ListOptions = {},
  ): PagedList<T, Meta> {
    return this.#list(operation, inputOf(operation, given), options);
  }

  listCustom<T>(given: CustomList<T>): PagedList<T> {
    const { operation, schema, input, options, issues } = listOf(given);
    return this.#list(operation, input, options, { schema, issues });
  }

  #list<T, Meta>(
    operation: Operation<PageBody<T, Meta>>,
    input: OperationInput,
    options: ListOptions,
    more?: Pick<CallRequest<PageBody<T, Meta>>, 'schema' | 'issues'>,
  ): PagedList<T, Meta> {
    const callPage: CallPage<T, Meta> = (pageInput, pageOptions, limits) =>
      execute(this.#client, callRequest(operation, pageOptions, { ...limits, ...more }), pageInput);
    return new PagedList(operation, input, options, callPage);
  }

  /** Each poll is a call: `close()` waits for it, but not for the delays between polls. */
  waitFor<T>(polling: Polling<T>, given: readonly unknown[], options?: AnyWaitOptions<T>): ApiPromise<T> {
    const input = inputOf(polling.operation, given);
    const poll: Poll<T> = (optionsNow) => this.#poll(polling.operation, input, optionsNow());
    return ApiPromise.of(waitUntil(polling, poll, this.#client.settings, options));
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
    const poll: Poll<T> = (optionsNow) => search.poll((token) => this.#poll(operation, inputAt(token), optionsNow()));
    return ApiPromise.of(waitUntil(polling, poll, this.#client.settings, options, issues));
  }

  #poll<T>(operation: Operation<T>, input: OperationInput, options: RequestOptions): Promise<CallResult<T>> {
    return execute(this.#client, callRequest(operation, options, { isPoll: true }), input);
  }

  request<T>(given: CustomRequest<T>): ApiPromise<T> {
    let described: ReturnType<typeof operationOf<T>>;
    try {
      described = operationOf(given);
    } catch (error) {
      // Reading one of its members threw an error.
      return ApiPromise.of<T>(Promise.reject(asPartnerError(error, beforeSending('client.request'))));
    }
    return ApiPromise.of(execute(this.#client, described.request, described.input));
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** @throws ConfigurationError after the client has been closed. */
  assertOpen(): void {
    if (this.isClosed) throw new ConfigurationError('this client has been closed: make a new one');
  }

  /** What either client has warned of is not reported by the other. */
  shareWarnings(other: ApiCaller): void {
    this.#client.warnings = other.#client.warnings;
    this.#client.unknownWrites = other.#client.unknownWrites;
  }

  stats(): ClientStats {
    const { budget, counts, lanes } = this.#client;
    const retryBudget = { available: budget.available(), capacity: budget.capacity };
    const { running, succeeded, failed, retries, replays } = counts;
    return { running, succeeded, failed, retries, replays, retryBudget, lanes: lanes.stats() };
  }

  /** Rejects new calls, lets the running ones finish, then leaves the lanes. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { counts, lanes, settings } = this.#client;
    await counts.idle();
    abandonedClients?.unregister(this);
    // The program may hold on to a closed client, but not to its secrets.
    if (settings.signer instanceof HmacSigner) settings.signer.forget();
    for (const one of settings.credentials) one.apiSecret = undefined;
    await lanes.release();
  }
}
