import * as z from 'zod/mini';
import { LAST_MOMENT_MS } from '../core/clock/clock.js';
import type { GroupOf } from '../core/kind/group.js';
import type { State } from '../core/records/state.js';
import type { ClockEntry } from '../core/timeline/entries.js';
import type { WebhookHost } from '../webhooks/dispatcher.js';
import { type AgendaEntry, type AgendaFilter, agendaFilter, agendaOf } from './look/agenda.js';

/** Options of `clock.advance`. */
export interface AdvanceOptions {
  /**
   * If `true`, advances from timer to timer, and waits at each for the responses to its deliveries,
   * so a receiver gets the retries that it would get over that time. Default `false`: deliveries
   * are sent at the end.
   */
  readonly deliver?: boolean | undefined;
}

/** Status of the sandbox's clock. */
export interface ClockStatus {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** True if the clock moves with the machine's clock. */
  readonly isRunning: boolean;
  /** Milliseconds by which the clock is ahead of the machine's clock, negative if it is behind. */
  readonly aheadMs: number;
  /** The next scheduled step. Undefined if there is none; absent in JSON. */
  readonly next: AgendaEntry | undefined;
  /** Number of scheduled steps, as `agenda` returns them. */
  readonly planned: number;
}

/** `sandbox.clock`: the sandbox's time. */
export interface SandboxClock {
  /** Returns the sandbox's time: ms since the epoch. Only `reset` and `restore` move it back. */
  now(): number;
  /** Returns the current time, whether the clock runs, and the next step. */
  status(): ClockStatus;
  /**
   * Advances the clock by this many milliseconds, 0 or more: quotes expire and execute, wallets are
   * screened, conversions proceed, and webhook deliveries are sent (`webhooks.idle` waits for the
   * responses).
   *
   * @throws Error if the new time would be beyond the year 9998.
   */
  advance(ms: number): void;
  /**
   * With `deliver: true`, resolves when the clock has reached the time and no delivery is in
   * progress. A receiver has 5 s to respond; once it has failed to respond, it has 0.1 s for each
   * of its retries. Rejects if the state is replaced in the meantime, or the sandbox is closed.
   *
   * @param ms Time in ms by which the clock advances: 0 or more.
   */
  advance(ms: number, options: AdvanceOptions): Promise<void>;
  /**
   * Advances the clock to a time: milliseconds since the epoch, or a string like
   * `2026-02-01T00:00:00Z`.
   *
   * @param time The new time: ms since the epoch, or ISO 8601.
   * @throws Error for a time in the past or beyond the year 9998.
   */
  set(time: number | string): void;
  /** Advances the clock to the next step, and returns it. Undefined if there is none. */
  next(): AgendaEntry | undefined;
  /** Stops the clock at its current time. */
  stop(): void;
  /** Starts the clock: it moves with the machine's clock from its current time. */
  start(): void;
  /** Returns scheduled steps, delivery attempts, ends of offers and of troubles, earliest first. */
  agenda(filter?: AgendaFilter): AgendaEntry[];
}

const advanceOptions = z.strictObject({ deliver: z.optional(z.boolean()) });
const duration = z.number().check(z.nonnegative());
const moment = z.union([duration, z.iso.datetime({ offset: true })], {
  error: 'must be milliseconds since the epoch, or text like 2026-02-01T00:00:00Z',
});

export const clock: GroupOf<WebhookHost, SandboxClock> = {
  name: 'clock',
  methods: {
    now: { get: 'now', run: ({ state }) => state.clock.now() },
    status: {
      get: '',
      run({ state }) {
        state.clock.catchUp();
        const { isRunning, aheadMs } = state.clock;
        const agenda = agendaOf(state, { limit: Number.MAX_SAFE_INTEGER });
        return { now: state.clock.now(), isRunning, aheadMs, next: agenda[0], planned: agenda.length };
      },
    },
    advance: {
      takes: { ms: duration, options: z.optional(advanceOptions) },
      // The overload without options returns no promise.
      isAsync: false,
      run: (host, ms: number, { deliver = false }: AdvanceOptions = {}): Promise<void> =>
        deliver ? host.webhooks.hurry(() => advanceDelivering(host, ms)) : (advance(host.state, ms) as never),
    },
    set: { takes: { time: moment }, run: ({ state }, time) => setClock(state, time) },
    next: {
      run({ state }) {
        state.clock.catchUp();
        const [next] = agendaOf(state, { limit: 1 });
        if (next !== undefined) advance(state, Math.max(0, next.at - state.clock.now()));
        return next;
      },
    },
    stop: {
      run({ state }) {
        if (state.clock.isRunning) state.timeline.note<ClockEntry>({ kind: 'clock', what: 'stopped' });
        state.clock.stop();
      },
    },
    start: {
      run({ state }) {
        if (!state.clock.isRunning) state.timeline.note<ClockEntry>({ kind: 'clock', what: 'started' });
        state.clock.start();
      },
    },
    agenda: {
      get: 'agenda',
      takes: { filter: z.optional(agendaFilter) },
      run({ state }, filter = {}) {
        state.clock.catchUp();
        return agendaOf(state, filter);
      },
    },
  },
};

/** Advances the clock. Entries without another cause become its effects. */
function advance({ clock, timeline }: State, ms: number): void {
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
  if (moment > LAST_MOMENT_MS) throw new Error('clock.set: must not lead beyond the year 9998');
  if (moment < now) {
    const [present, wanted] = [now, moment].map((at) => new Date(at).toISOString());
    throw new Error(`clock.set: the clock is at ${present}, it cannot go back to ${wanted}`);
  }
  advance(state, moment - now);
}
