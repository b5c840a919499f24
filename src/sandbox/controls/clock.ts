import type { State } from '../state/state.js';

/** `sandbox.clock`: the sandbox's time. */
export interface SandboxClock {
  /** Returns the sandbox's time in milliseconds since the epoch. It never goes back. */
  now(): number;
  /**
   * Moves the clock on by this many milliseconds, 0 or more: quotes expire and execute, wallets are
   * screened, conversions move on, webhook deliveries go out (`webhooks.idle` waits for their
   * answers).
   *
   * @throws TypeError for another number, and if the new time would be beyond the year 9998.
   */
  advance(ms: number): void;
}

export function clockControls({ clock }: State): SandboxClock {
  return {
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
  };
}
