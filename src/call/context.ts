import type { Observer } from '../events.js';
import type { LaneSet } from '../lane/lanes.js';
import type { ClientSettings } from '../options.js';
import type { RetryBudget } from './retry-budget.js';

/** What the calls of one client share. */
export interface CallContext {
  readonly settings: ClientSettings;
  readonly lanes: LaneSet;
  readonly budget: RetryBudget;
  readonly observer: Observer;
  readonly counts: CallCounts;
  /** Clients that come from one another share it. */
  missing: MissingMembers;
  /** @throws ConfigurationError after the client has been closed. */
  readonly refuseClosed: () => void;
}

/** Counts the calls of one client, and tells when none is running. */
export class CallCounts {
  running = 0;
  succeeded = 0;
  failed = 0;
  retries = 0;
  replays = 0;
  #onIdle: (() => void) | undefined;

  begin(): void {
    this.running++;
  }

  end(): void {
    if (--this.running === 0) this.#onIdle?.();
  }

  /** Resolves when no call is running. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.running === 0) resolve();
    });
  }
}

/** The most paths that are remembered. Above it the logger is told of no other path. */
const MAX_PATHS = 1_000;

/** Tells a client's logger once of each member that answers of an operation lack. */
export class MissingMembers {
  readonly #told = new Set<string>();

  tell(observer: Observer, operation: string, paths: readonly string[]): void {
    for (const path of paths) {
      const key = `${operation} ${path}`;
      if (this.#told.has(key) || this.#told.size >= MAX_PATHS) continue;
      this.#told.add(key);
      observer.log('warn', 'partner-sdk: an answer lacks a member that its type has', { operation, path });
    }
  }
}
