import type { LaneSet } from '../lane/lanes.js';
import type { Observer } from '../observer.js';
import type { ClientSettings } from '../options.js';
import type { MemberWarnings } from '../response/member-warnings.js';
import type { RetryBudget } from './retry.js';

/** The parts of a client that its calls share. */
export interface CallContext {
  readonly settings: ClientSettings;
  readonly lanes: LaneSet;
  readonly budget: RetryBudget;
  readonly observer: Observer;
  readonly counts: CallCounts;
  /** Shared by a client and those that `withOptions()` made from it. */
  warnings: MemberWarnings;
  /** @throws ConfigurationError after the client has been closed. */
  readonly assertOpen: () => void;
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
