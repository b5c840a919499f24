import { VERSION } from '../../../version.js';
import type { DrivenService } from '../service/driven.js';
import type { GapEntry, TimelineEntry } from '../timeline/entries.js';
import { type EventsOptions, eventsOf } from '../timeline/events.js';

/** Status of a running sandbox. */
export interface SandboxHealth {
  /** Version of this package. */
  readonly version: string;
  readonly seed: number;
  /** Time by the sandbox's clock: milliseconds since the epoch. */
  readonly now: number;
  /** Real milliseconds since the sandbox was created. */
  readonly uptime_ms: number;
  /** True if the sandbox has the option `inspect`, so `events` reports what happens. */
  readonly inspect: boolean;
  /** Maximum number of past entries that `events` can start with; 0 without `inspect`. */
  readonly timeline_limit: number;
}

/** Members that report what happens. */
export interface SandboxWatching {
  /** Returns the status of the sandbox. `HEAD /_sandbox/health` answers 200, too. */
  health(): SandboxHealth;
  /**
   * Reports what happens as it happens: requests, changes of states, postings, timers, deliveries,
   * calls of the control plane. Over HTTP it is `GET /_sandbox/events`, a stream of server-sent
   * events. It ends when the sandbox closes. A reader that is too slow gets an entry of the kind
   * `gap` instead of the entries that it has missed.
   *
   * @throws Error if the sandbox was created without `inspect`. TypeError for an unknown or wrong
   * option.
   */
  events(options?: EventsOptions): AsyncIterableIterator<TimelineEntry | GapEntry>;
}

export function watchingControls({ seed, state }: DrivenService): SandboxWatching {
  const began = performance.now();
  return {
    health: () => ({
      version: VERSION,
      seed,
      now: state.clock.now(),
      uptime_ms: Math.round(performance.now() - began),
      inspect: state.timeline.isKept,
      timeline_limit: state.timeline.limit,
    }),
    events: (options = {}) => eventsOf(state.timeline, options),
  };
}
