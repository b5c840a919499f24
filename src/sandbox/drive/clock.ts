import * as z from 'zod/mini';
import { LAST_MOMENT_MS } from '../core/clock/clock.js';
import { checked, text } from '../core/input.js';
import type { State } from '../core/records/state.js';
import type { ClockEntry } from '../core/timeline/entries.js';
import type { WebhookHost } from '../webhooks/host.js';
import { type AgendaEntry, type AgendaFilter, agendaOf } from './look/agenda.js';

/** Options of a move of the clock. */
export interface AdvanceOptions {
  /**
   * `true`: goes from timer to timer, and waits at each for the answers to the deliveries of that
   * moment. So a receiver gets the retries that a longer time would have brought. Default `false`:
   * deliveries go out at the end.
   */
  readonly deliver?: boolean | undefined;
}

/** Status of the sandbox's clock. */
export interface ClockStatus {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** True if it moves with the machine's clock. */
  readonly isRunning: boolean;
  /** Milliseconds that it is ahead of the machine's clock, or below 0 behind it. */
  readonly aheadMs: number;
  /** The next planned step. Undefined, in JSON absent: none. */
  readonly next: AgendaEntry | undefined;
}

/** `sandbox.clock`: the sandbox's time. */
export interface SandboxClock {
  /**
   * Returns the sandbox's time in milliseconds since the epoch. `reset` and `restore` alone put it
   * back.
   */
  now(): number;
  /** Returns the current time, whether it moves, and what comes next. */
  status(): ClockStatus;
  /**
   * Moves the clock on by this many milliseconds, 0 or more: quotes expire and execute, wallets are
   * screened, conversions move on, webhook deliveries go out (`webhooks.idle` waits for their
   * answers).
   *
   * @throws TypeError for another number, and if the new time would be beyond the year 9998.
   */
  advance(ms: number): void;
  /**
   * With `deliver: true`, resolves when the clock is there and all deliveries on the way are
   * answered. It takes as long as their receivers do. Rejects if another state is put in place
   * meanwhile, or the sandbox is closed.
   *
   * @param ms Time in ms by which the clock moves on: 0 or more.
   * @throws TypeError as the other form, and for an unknown option.
   */
  advance(ms: number, options: AdvanceOptions): Promise<void>;
  /**
   * Moves the clock on to a moment: milliseconds since the epoch, or a time like
   * `2026-02-01T00:00:00Z`.
   *
   * @param time The moment: ms since the epoch, or ISO 8601.
   * @throws TypeError for another value, and for a moment that is over. Error if it is beyond the
   *   year 9998.
   */
  set(time: number | string): void;
  /** Moves the clock on to what comes next, and returns that. Undefined if there is nothing. */
  next(): AgendaEntry | undefined;
  /** Stops the clock at its current time. */
  stop(): void;
  /** Starts the clock: it moves with the machine's from its current time. */
  start(): void;
  /**
   * Returns what will happen, earliest first: planned steps, attempts to deliver, ends of offers
   * and of faults.
   *
   * @throws TypeError for an unknown or wrong filter.
   */
  agenda(filter?: AgendaFilter): AgendaEntry[];
}

const advanceOptions = z.strictObject({ deliver: z.optional(z.boolean()) });
const agendaFilter = z.strictObject({ account: z.optional(text), limit: z.optional(z.int().check(z.nonnegative())) });
const moment = z.union([z.number(), z.iso.datetime({ offset: true })]);

export function clockControls(host: WebhookHost): SandboxClock {
  const { state } = host;
  const { clock } = state;
  return {
    now: () => clock.now(),
    status() {
      clock.catchUp();
      const { isRunning, aheadMs } = clock;
      return { now: clock.now(), isRunning, aheadMs, next: agendaOf(state, { limit: 1 })[0] };
    },
    advance: ((ms: number, options: AdvanceOptions = {}) => {
      const { deliver = false } = checked('clock.advance', advanceOptions, options);
      return deliver ? advanceDelivering(host, ms) : advance(state, ms);
    }) as SandboxClock['advance'],
    set: (time) => setClock(state, checked('clock.set', moment, time)),
    next() {
      clock.catchUp();
      const [next] = agendaOf(state, { limit: 1 });
      if (next !== undefined) advance(state, Math.max(0, next.at - clock.now()));
      return next;
    },
    stop() {
      if (clock.isRunning) state.timeline.note<ClockEntry>({ kind: 'clock', what: 'stopped' });
      clock.stop();
    },
    start() {
      if (!clock.isRunning) state.timeline.note<ClockEntry>({ kind: 'clock', what: 'started' });
      clock.start();
    },
    agenda(filter = {}) {
      clock.catchUp();
      return agendaOf(state, checked('clock.agenda', agendaFilter, filter));
    },
  };
}

/** Moves the clock on. What has no other cause is an effect of it. */
export function advance({ clock, timeline }: State, ms: number): void {
  clock.check(ms);
  const entry = timeline.note<ClockEntry>({ kind: 'clock', what: 'advanced', ms });
  timeline.causedBy(entry?.seq, () => clock.advance(ms));
}

async function advanceDelivering({ state: { clock, timeline }, webhooks }: WebhookHost, ms: number): Promise<void> {
  clock.check(ms);
  const entry = timeline.note<ClockEntry>({ kind: 'clock', what: 'advanced', ms });
  const target = clock.now() + ms;
  const { era } = webhooks;
  for (let at: number | undefined = clock.now(); at !== undefined && at <= target; at = clock.agenda[0]?.at) {
    const moment = at;
    timeline.causedBy(entry?.seq, () => clock.advanceTo(moment));
    await webhooks.idle();
    if (webhooks.closed) throw new Error('clock.advance: the sandbox was closed');
    if (webhooks.era !== era) throw new Error('clock.advance: another state was put in place');
  }
  timeline.causedBy(entry?.seq, () => clock.advanceTo(target));
  await webhooks.idle();
}

function setClock(state: State, time: number | string): void {
  const moment = typeof time === 'number' ? time : Date.parse(time);
  const now = state.clock.now();
  if (moment > LAST_MOMENT_MS) throw new TypeError('clock.set: must not lead beyond the year 9998');
  if (!(moment >= now)) {
    const shown = Number.isFinite(moment) ? new Date(moment).toISOString() : String(moment);
    throw new TypeError(`clock.set: the clock is at ${new Date(now).toISOString()}, it cannot go back to ${shown}`);
  }
  advance(state, moment - now);
}
