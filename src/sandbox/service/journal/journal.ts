import { clipped } from '../../../util/printable.js';
import { Hook } from '../../core/basics/hook.js';
import type { Cause } from '../../core/request/refusal.js';
import type { KeyConflict } from '../../core/request/refusal-details.js';
import type { EntryHead } from '../../core/timeline/entries.js';
import { DEFAULT_LIMIT_ENTRIES } from '../../core/timeline/timeline.js';
import type { FaultKind } from '../../trouble/trouble.js';
import type { IdempotencyScope } from '../idempotency/idempotency.js';
import { Calls } from './calls.js';
import { Exchanges } from './exchanges.js';

/** One request, as the sandbox processed it. */
export interface JournalEntry extends EntryHead {
  /** Kind of the entry in the timeline. */
  readonly kind: 'request';
  /** The `instance` of its error response, `req_…`. */
  readonly instance: string | undefined;
  /** `API-Key` as received, its first 256 characters. */
  readonly apiKey: string | undefined;
  /** Id of the account in the path, its first 256 characters. */
  readonly account: string | undefined;
  /** Name of the operation, for instance `accounts.quotes.get`; undefined for an unknown path. */
  readonly operation: string | undefined;
  /** What it is about, for example `0.0021 BTC → cold`; undefined for an unknown path. */
  readonly subject: string | undefined;
  /**
   * `call_` and the `seq` of its call's first request. Requests with one idempotency key are one
   * call. Without a key, a request continues the call of an equal one of its API key that got 429,
   * 5xx, a nonce race or no response within the 30 s before.
   */
  readonly callId: string;
  readonly method: string;
  /** Path and query as received, their first 4,096 characters. */
  readonly path: string;
  /** `API-Nonce` as received, its first 256 characters. */
  readonly nonce: string | undefined;
  /** `Idempotency-Key` as received, its first 256 characters. */
  readonly key: string | undefined;
  /**
   * The result:
   *
   * - `accepted`, or `replayed` (stored under its idempotency key);
   * - the reason of a 401: `missing_header`, `unknown_key`, `malformed_nonce`, `bad_signature`,
   *   `nonce_not_rising`, `missing_otp`, `wrong_otp`, `revoked_key`;
   * - `missing_scope`: the API key may not do this; `over_quota`: it has made too many requests;
   * - `key_reused`: another request had the idempotency key;
   * - the code of any other error, for example `bad_request`, `forbidden`, `not_found`;
   * - `fault_before`, `fault_after` (see `Sandbox.fail`);
   * - `broken_body`: the client closed the connection before it had sent the whole body.
   */
  readonly verdict: string;
  /** True if its response, lost or not, was that of an earlier request: it had no effect itself. */
  readonly isReplay?: boolean | undefined;
  /** Why it failed, for example `amount is more than is available`. Undefined for a success. */
  readonly reason: string | undefined;
  /** Broken rules of a rejected request: the first 100, with strings cut at 200 characters. */
  readonly causes: readonly Cause[];
  /** Up to 100 probable mistakes: unknown members of an open operation, unknown event kinds. */
  readonly warnings?: readonly Cause[] | undefined;
  /** One sentence about the mistake behind a 401: `you signed the path without its query`. */
  readonly likely?: string | undefined;
  /** For `key_reused`: the difference from the first request with the idempotency key. */
  readonly conflict?: KeyConflict | undefined;
  /** The fault that applied to it, for `fault_before` and `fault_after`. */
  readonly fault: FaultKind | undefined;
  /** Id of that fault, for example `trouble_1`. */
  readonly faultId: string | undefined;
  /** Status of the response. Undefined if there was none. */
  readonly status: number | undefined;
  /**
   * Real milliseconds from the arrival of its head to the start of its response, latency included.
   * Without a response, until the time at which it would have started.
   */
  readonly ms: number;
  /** The part of `ms` for which the sandbox delayed the response on purpose. */
  readonly latency: number;
  /** True if the sandbox itself sent it: `requests.send`, `requests.replay`. */
  readonly isOwn?: boolean | undefined;
}

/** Maximum length of a path and of a header in characters; a longer one is cut. */
export const MAX_PATH_LENGTH = 4_096;
export const MAX_HEADER_LENGTH = 256;

/** Returns why a request failed, in at most 120 characters, without what a colon adds to it. */
export function reasonOf(outcome: Pick<JournalEntry, 'status' | 'verdict' | 'causes' | 'likely' | 'fault'>) {
  const { status, verdict, causes, likely, fault } = outcome;
  if (fault !== undefined) return `${fault} was asked for by a fault`;
  if (status !== undefined && status < 400) return undefined;
  const said = likely ?? (causes[0] ? `${causes[0].field} ${causes[0].message}` : verdict.replaceAll('_', ' '));
  return clipped(said.replace(/: .*/s, ''), 120);
}

interface JournalParts {
  /** Maximum number of requests kept; the oldest are dropped first. Default 10,000. */
  readonly limit?: number | undefined;
  /** Default `partner`. */
  readonly idempotencyKeys?: IdempotencyScope | undefined;
  /** True if requests and responses are kept, too. */
  readonly inspect?: boolean | undefined;
  /** Called with each new entry. */
  readonly onEntry?: ((entry: JournalEntry) => unknown) | undefined;
}

/** Called with each new entry, and with undefined when the journal closes. */
type JournalListener = (entry: JournalEntry | undefined) => void;

/** The newest requests, oldest first. */
export class Journal {
  /** Undefined unless the sandbox was made with `inspect`. */
  readonly exchanges: Exchanges | undefined;
  calls: Calls;
  readonly #limit: number;
  readonly #hook: Hook<[JournalEntry]>;
  readonly #entries: JournalEntry[] = [];
  readonly #listeners = new Set<JournalListener>();
  #isClosed = false;

  constructor({ limit = DEFAULT_LIMIT_ENTRIES, inspect = false, idempotencyKeys, onEntry }: JournalParts) {
    this.calls = new Calls(idempotencyKeys);
    this.#limit = limit;
    this.exchanges = inspect ? new Exchanges() : undefined;
    this.#hook = new Hook('onRequest', onEntry);
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  clear(): void {
    this.#entries.length = 0;
    this.exchanges?.clear();
    this.calls = new Calls(this.calls.scope);
  }

  add(entry: JournalEntry): void {
    this.#entries.push(Object.freeze(entry));
    if (this.#entries.length > this.#limit) this.#entries.shift();
    for (const listener of this.#listeners) listener(entry);
    this.#hook.emit(entry);
  }

  /** Returns a function that stops listening. */
  listen(listener: JournalListener): () => void {
    if (this.#isClosed) listener(undefined);
    else this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#isClosed = true;
    for (const listener of this.#listeners) listener(undefined);
  }
}
