import type { FaultKind } from '../faults/fault-options.js';
import { Hook } from '../hook.js';
import type { Cause } from '../refusal.js';

/** One request as the sandbox saw it. */
export interface JournalEntry {
  /** Name of the operation, for instance `accounts.quotes.get`; undefined for an unknown path. */
  readonly operation: string | undefined;
  readonly method: string;
  /** Path and query as received, their first 4,096 characters. */
  readonly path: string;
  /** `API-Nonce` as received, its first 256 characters. */
  readonly nonce: string | undefined;
  /** `Idempotency-Key` as received, its first 256 characters. */
  readonly key: string | undefined;
  /**
   * What became of it. `accepted`; `replayed` (remembered under its key); the reason of a 401: `missing_header`, `unknown_key`,
   * `malformed_nonce`, `bad_signature`, `nonce_not_rising`, `missing_otp`, `wrong_otp`; `key_reused` (same key, another request); the code of any
   * other error, for instance `bad_request`, `forbidden`, `not_found`; `fault_before`, `fault_after` (see `Sandbox.fail`);
   * `broken_body` (the sender went away before its body was complete).
   */
  readonly verdict: string;
  /** Which rules a refused request breaks, the first 100, each text cut at 200 characters; empty for every other. */
  readonly causes: readonly Cause[];
  /** What struck it, with the verdicts `fault_before` and `fault_after`. */
  readonly fault: FaultKind | undefined;
  /** Status of the answer; undefined when none was given. */
  readonly status: number | undefined;
  /** When it was judged, by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /**
   * Real milliseconds from the arrival of its head to the beginning of its answer, latency included; when none is given, to where it
   * would have begun.
   */
  readonly ms: number;
}

/** Number of requests that the journal keeps; beyond it the oldest go. */
const DEFAULT_LIMIT = 10_000;

/** The newest requests, oldest first. `onEntry` hears of each. */
export class Journal {
  readonly #limit: number;
  readonly #hook: Hook<[JournalEntry]>;
  readonly #entries: JournalEntry[] = [];

  constructor(limit: number = DEFAULT_LIMIT, onEntry?: (entry: JournalEntry) => unknown) {
    this.#limit = limit;
    this.#hook = new Hook('onRequest', onEntry);
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  add(entry: JournalEntry): void {
    this.#entries.push(Object.freeze(entry));
    if (this.#entries.length > this.#limit) this.#entries.shift();
    this.#hook.tell(entry);
  }
}
