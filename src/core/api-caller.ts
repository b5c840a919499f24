import { ApiPromise, type ResponseInfo } from './api-promise.js';
import type { Route } from './attempt.js';
import { RetryBudget } from './budget.js';
import type { CallOptions, ListOptions } from './call-options.js';
import type { Caller } from './caller.js';
import { isRecord } from './checks.js';
import { readAnswer, unreadable } from './envelope.js';
import { ConfigurationError, type Issue, type PartnerError, RequestValidationError } from './errors.js';
import { errorOf, factsOf, secretsOf } from './failure.js';
import type { LaneStats } from './lane.js';
import { LaneSet } from './lanes.js';
import { Lifetime } from './lifetime.js';
import { type PagedList, pagedList } from './list.js';
import { Observer } from './observe.js';
import type { Operation, OperationInput, PageBody } from './operation.js';
import type { ClientSettings } from './options.js';
import type { Signal } from './platform.js';
import { type PreparedCall, prepare } from './prepare.js';
import { redactDeep } from './redact.js';
import { type FinalResult, isReplayed, repeat } from './repeat.js';
import { operationOf, type RequestOptions, readStandard, type StandardSchema } from './request.js';

/** What `client.stats()` shows. */
export interface ClientStats {
  /** Calls that are running now. */
  readonly running: number;
  /** Calls that ended well. */
  readonly succeeded: number;
  /** Calls that failed. */
  readonly failed: number;
  /** Attempts beyond the first of each call. */
  readonly repeats: number;
  /** Answers that the service replayed to an idempotency key. */
  readonly replays: number;
  /** The retry budget: tokens left, of how many. */
  readonly retryBudget: { readonly available: number; readonly capacity: number };
  /** One lane per API key. */
  readonly lanes: readonly LaneStats[];
}

/** A client that was never closed still leaves its lanes when nothing refers to it any more. */
const abandonedClients = new FinalizationRegistry<LaneSet>((lanes) => void lanes.release());

/** The way of one call: prepare → repeat (lane → nonce → sign → send → read → classify) → envelope. */
export class ApiCaller implements Caller {
  readonly #settings: ClientSettings;
  readonly #lanes: LaneSet;
  readonly #budget = new RetryBudget();
  readonly #observer: Observer;
  readonly #counts = { succeeded: 0, failed: 0, repeats: 0, replays: 0 };
  #running = 0;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#lanes = new LaneSet(settings.transport, settings.origin, settings.credentials, settings.nonceOrder);
    this.#observer = new Observer(settings.hooks, settings.logger);
    abandonedClients.register(this, this.#lanes, this);
  }

  call<T>(operation: Operation<T>, input: OperationInput, options?: CallOptions): ApiPromise<T> {
    return ApiPromise.start((keep) => this.#execute(operation, input, options, { keep }));
  }

  list<T, Meta>(
    operation: Operation<PageBody<T, Meta>>,
    input: OperationInput,
    options: ListOptions = {},
  ): PagedList<T, Meta> {
    // What the caller does to its objects later must not change the pages to come.
    const query = snapshot(input.query ?? {});
    const fetchPage = (token: string | undefined, pageOptions: ListOptions, abandon: Signal | undefined) => {
      const paged = { ...input, query: isRecord(query) ? { ...query, page_token: token } : query };
      const refuse = (page: PageBody<T, Meta>) => repeatedToken(token, page.token);
      return ApiPromise.start((keep) => this.#execute(operation, paged, pageOptions, { keep, abandon, refuse }));
    };
    const firstToken = isRecord(query) ? (query['page_token'] as string | undefined) : undefined;
    return pagedList(fetchPage, firstToken, snapshot(options));
  }

  request<T>(request: RequestOptions<T>): ApiPromise<T> {
    return ApiPromise.start(async (keep) => {
      if (!isRecord(request)) throw new RequestValidationError([{ path: 'request', message: 'must be an object' }]);
      const { method, path, query, body, schema, idempotent, unwrap, ...options } = request;
      const { operation, input } = operationOf({ method, path, query, body, schema, idempotent, unwrap });
      return this.#execute(operation as Operation<T>, input, options, { keep, schema });
    });
  }

  stats(): ClientStats {
    return {
      running: this.#running,
      ...this.#counts,
      retryBudget: { available: this.#budget.available(), capacity: this.#budget.capacity },
      lanes: this.#lanes.stats(),
    };
  }

  /** Refuses new calls, lets the running ones end, then leaves the lanes. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    abandonedClients.unregister(this);
    await this.#lanes.release();
  }

  async #execute<T>(
    operation: Operation<T>,
    input: OperationInput,
    options: ListOptions | CallOptions | undefined,
    extras: Extras<T>,
  ): Promise<T> {
    const begun = performance.now();
    this.#running++;
    try {
      if (this.#closing !== undefined) throw new ConfigurationError('this client has been closed: make a new one');
      const call = prepare(this.#settings, operation, input, options);
      const value = await this.#send(call, operation, extras);
      this.#counts.succeeded++;
      return value;
    } catch (error) {
      this.#counts.failed++;
      this.#tellError(operation, error as PartnerError, performance.now() - begun);
      throw error;
    } finally {
      if (--this.#running === 0) this.#onIdle?.();
    }
  }

  async #send<T>(call: PreparedCall, operation: Operation<T>, extras: Extras<T>): Promise<T> {
    const signals = extras.abandon === undefined ? call.signals : [...call.signals, extras.abandon];
    const lifetime = new Lifetime(call.timeout, signals);
    const place = this.#lanes.choose(call.callersKey ? call.idempotencyKey : undefined);
    place.lane.calls++;
    const route: Route = { settings: this.#settings, ...place, lifetime, secrets: new Set() };
    try {
      const final = await repeat(call, route, { budget: this.#budget, observer: this.#observer });
      this.#counts.repeats += final.attempts - 1;
      if (!final.done) throw errorOf(call, route, final);
      if (isReplayed(final.result)) this.#counts.replays++;
      extras.keep(() => responseOf(call, route, final));
      return await this.#read(call, route, final, operation, extras);
    } finally {
      place.lane.calls--;
      lifetime.close();
    }
  }

  async #read<T>(
    call: PreparedCall,
    route: Route,
    final: FinalResult,
    operation: Operation<T>,
    { refuse, schema }: Extras<T>,
  ): Promise<T> {
    const { result } = final;
    const rules = {
      lenient: this.#settings.responseValidation === 'warn',
      report: (issues: readonly Issue[]) =>
        this.#observer.log('warn', ODD_ANSWER, { operation: call.operation, issues }),
      secrets: secretsOf(call, route),
      facts: factsOf(call, {
        ...final,
        failures: [...final.failures, { reason: 'unreadable', status: result.status }],
      }),
    };
    const value = readAnswer(operation, result, rules);
    const refused = refuse?.(value) ?? [];
    if (refused.length > 0) throw unreadable(refused, undefined, result, rules);
    if (schema === undefined) return value;
    const read = await readStandard(schema, value, rules.facts);
    if ('value' in read) return read.value;
    if (!rules.lenient) throw unreadable(read.issues, undefined, result, rules);
    rules.report(read.issues);
    return value;
  }

  #tellError(operation: Operation, error: PartnerError, durationMs: number): void {
    const { idempotencyKey, outcome, attempts } = error;
    const path = operation.path.split('?', 1)[0] ?? '';
    const facts = { operation: operation.name, method: operation.method, path, idempotencyKey };
    this.#observer.tell('onError', { ...facts, error, outcome, attempts: attempts.count, durationMs });
  }
}

const ODD_ANSWER = 'partner-sdk: an answer does not have the promised shape';

/** What some calls need besides operation, input and options. */
interface Extras<T> {
  /** Takes what is known about the answer, for `withResponse()`. */
  readonly keep: (describe: () => ResponseInfo) => void;
  /** Ends the call when nobody wants its page any more. */
  readonly abandon?: Signal | undefined;
  /** Issues of a value that must not be handed over, whatever `responseValidation` says. */
  readonly refuse?: (value: T) => readonly Issue[];
  /** The caller's own schema. */
  readonly schema?: StandardSchema<T> | undefined;
}

/** A page that ends where it began would be asked for again for ever. */
function repeatedToken(asked: string | undefined, got: string | undefined): Issue[] {
  if (asked === undefined || asked !== got) return [];
  return [
    { path: 'next_page_token', message: 'repeats the token that this page was asked with: the list would never end' },
  ];
}

function responseOf(call: PreparedCall, route: Route, { result, attempts }: FinalResult): ResponseInfo {
  const { idempotencyKey } = call;
  const { status = 0 } = result;
  // A service may echo what it was sent in a success, too.
  const headers = redactDeep(result.headers, route.secrets) as Record<string, string>;
  return { status, headers, attempts, idempotencyKey, replayed: isReplayed(result) };
}

/** A copy of an object with its arrays and plain objects copied as well (filters, extra headers); anything else as it is. */
function snapshot<T>(value: T): T {
  if (!isRecord(value)) return value;
  const copied = Object.entries(value).map(([name, member]) => [name, copyMember(member)]);
  return Object.fromEntries(copied) as T;
}

function copyMember(member: unknown): unknown {
  if (Array.isArray(member)) return [...member];
  return isRecord(member) && Object.getPrototypeOf(member) === Object.prototype ? { ...member } : member;
}
