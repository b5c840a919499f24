import { Changes } from '../../core/basics/changes.js';
import { Holdings } from '../../core/money/ledger.js';
import type { AccountState, State } from '../../core/records/state.js';
import { Timeline } from '../../core/timeline/timeline.js';

/**
 * Fraction of the lag within which writes share one copy of the state, which limits the copies to
 * nine.
 */
const SHARED = 1 / 8;

/** The state before a group of writes. Reads see it until the lag of the last write has passed. */
interface View {
  readonly before: State;
  /** Time of the first write. */
  readonly began: number;
  until: number;
}

/**
 * Hides each write from reads for a time of the sandbox's clock: reads see users and accounts as
 * they were before it. Webhooks, assets and prices have no lag.
 */
export class ReadLag {
  readonly #state: State;
  readonly #base: number;
  #ms: number;
  #views: View[] = [];

  constructor(state: State, base: number) {
    this.#state = state;
    this.#base = base;
    this.#ms = base;
  }

  get ms(): number {
    return this.#ms;
  }

  /**
   * Sets the lag of later writes, by default that of `createSandbox`. With 0 reads see all writes
   * at once.
   */
  set(ms: number = this.#base): void {
    this.#ms = ms;
    this.#state.changes.announce('readLag');
    if (ms === 0) this.#views = [];
  }

  /** Returns the state that a read sees. */
  view(): State {
    const now = this.#state.clock.now();
    this.#views = this.#views.filter(({ until }) => until > now);
    return this.#views[0]?.before ?? this.#state;
  }

  /** Lets reads see all writes. */
  clear(): void {
    this.#views = [];
  }

  /** Runs a write. If it throws, nothing is hidden. */
  write<T>(run: (state: State) => T): T {
    if (this.#ms === 0) return run(this.#state);
    const now = this.#state.clock.now();
    const newest = this.#views.at(-1);
    const shared = newest !== undefined && now - newest.began <= this.#ms * SHARED;
    const view = shared ? newest : { before: copyOf(this.#state), began: now, until: now };
    const result = run(this.#state);
    view.until = now + this.#ms;
    if (!shared) this.#views.push(view);
    return result;
  }
}

function copyOf(state: State): State {
  return {
    ...state,
    accounts: new Map(Array.from(state.accounts, ([id, account]) => [id, copyOfAccount(account)])),
    records: state.records.copy(),
    // Changes that a read makes in a copy, for example an expiry, are not noted.
    timeline: new Timeline(state.clock, false),
    changes: new Changes(),
  };
}

function copyOfAccount(account: AccountState): AccountState {
  return {
    ...account,
    holdings: new Holdings(account.id, account.holdings.list()),
    records: account.records.copy(),
  };
}
