import { ConfigurationError } from '../errors.js';
import { Observer } from '../events.js';
import type { LaneStats } from '../lane/lane.js';
import { LaneSet } from '../lane/lanes.js';
import type { ClientSettings } from '../options.js';
import { type CallRequest, callRequest } from '../request/call-request.js';
import { type CustomRequest, operationOf } from '../request/custom-request.js';
import type { ListOptions, RequestOptions } from '../request/options.js';
import type { Operation, OperationInput, PageBody } from '../schema/operation.js';
import { HmacSigner } from '../signing/signer.js';
import { ApiPromise } from './api-promise.js';
import { CallCounts } from './call-counts.js';
import type { Caller } from './caller-interface.js';
import { type CallContext, execute } from './execute.js';
import { listOf, type PagedList, type PageRequest } from './list.js';
import { MissingMembers } from './missing-members.js';
import { type Polling, waitUntil } from './poll.js';
import type { WaitOptions } from './poll-options.js';
import { RetryBudget } from './retry-budget.js';

/** What `client.stats()` shows. */
export interface ClientStats {
  /** Calls that are running now. */
  readonly running: number;
  /** Calls that ended well. */
  readonly succeeded: number;
  /** Calls that failed. */
  readonly failed: number;
  /** Attempts beyond the first of each call. */
  readonly retries: number;
  /** Answers that the service replayed to an idempotency key. */
  readonly replays: number;
  /** The retry budget: tokens left, of how many. */
  readonly retryBudget: { readonly available: number; readonly capacity: number };
  /** One lane per API key. */
  readonly lanes: readonly LaneStats[];
}

/** A client that was never closed still leaves its lanes when nothing refers to it any more. */
const abandonedClients = new FinalizationRegistry<LaneSet>((lanes) => {
  // Nobody is left to hear of a transport that cannot close.
  lanes.release().catch(() => {});
});

/** The program may keep a closed client: its secrets go all the same. */
function forgetSecrets({ credentials, signer }: ClientSettings): void {
  for (const one of credentials) one.apiSecret = undefined;
  if (signer instanceof HmacSigner) signer.forget();
}

/** What hooks and errors show of a `request()` that could not even be described. */
const UNDESCRIBED: Operation = {
  name: 'request',
  title: 'Request',
  stability: 'partial',
  method: 'GET',
  path: '',
  retrySafety: 'always',
  answer: { kind: 'any', unwrap: true },
};

/** A call with what is handed to its operation, which is not kept while it waits. */
interface Described<T> {
  readonly request: CallRequest<T>;
  readonly input: OperationInput;
}

/** Makes the calls of one client, counts them, and ends them. */
export class ApiCaller implements Caller {
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
      missing: new MissingMembers(),
      refuseClosed: () => this.refuseClosed(),
    };
    abandonedClients.register(this, lanes, this);
  }

  call<T>(operation: Operation<T>, input: OperationInput, options?: RequestOptions): ApiPromise<T> {
    return this.#start(callRequest(operation, options), input);
  }

  list<T, Meta>(
    operation: Operation<PageBody<T, Meta>>,
    input: OperationInput,
    options: ListOptions = {},
  ): PagedList<T, Meta> {
    const callPage = (describe: () => PageRequest<T, Meta>) =>
      this.#describe(operation, () => {
        const { input: asked, options: own, abandon, refuse } = describe();
        return { request: callRequest(operation, own, { abandon, refuse }), input: asked };
      });
    return listOf(callPage, operation, input, options);
  }

  /** Each poll is a call of its own, which `close()` waits for; the wait is none. */
  waitFor<T>(polling: Polling<T>, input: OperationInput, options?: WaitOptions<T>): ApiPromise<T> {
    const { operation } = polling;
    const { timeout } = this.#context.settings;
    let last: CallRequest<T> | undefined;
    const poll = (left: number, shared: RequestOptions) => {
      last = callRequest(operation, { ...shared, timeout: Math.min(left, timeout) });
      return execute(this.#context, last, input);
    };
    const call = {
      get answered() {
        return last?.answered;
      },
    };
    return ApiPromise.of(waitUntil(polling, poll, options), call);
  }

  request<T>(request: CustomRequest<T>): ApiPromise<T> {
    return this.#describe(UNDESCRIBED as Operation<T>, () => operationOf(request));
  }

  /** @throws ConfigurationError once the client has been closed. */
  refuseClosed(): void {
    if (this.#closing !== undefined) throw new ConfigurationError('this client has been closed: make a new one');
  }

  /** From now on, what one of the two has told its logger to be missing, the other does not tell again. */
  shareMissing(other: ApiCaller): void {
    this.#context.missing = other.#context.missing;
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
    abandonedClients.unregister(this);
    forgetSecrets(settings);
    await lanes.release();
  }

  /** A description that fails (it reads a member of the caller's that throws) rejects like any other failure. */
  #describe<T>(operation: Operation<T>, describe: () => Described<T>): ApiPromise<T> {
    let described: Described<T>;
    try {
      described = describe();
    } catch (error) {
      described = { request: callRequest(operation, undefined, { undescribed: { error } }), input: {} };
    }
    return this.#start(described.request, described.input);
  }

  #start<T>(request: CallRequest<T>, input: OperationInput): ApiPromise<T> {
    return ApiPromise.of(execute(this.#context, request, input), request);
  }
}
