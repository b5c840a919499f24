import type { NonceOrder } from '../stats.js';
import type { Way } from '../transport/connections.js';
import type { Clock, Timer } from './clock.js';
import { Pacer, type PacerOptions } from './pacing/pacer.js';
import type { AttemptEnd, InFlight } from './queued-attempt.js';

/** Requests of one API key in flight at once. Further ones wait in the lane. */
export const MAX_IN_FLIGHT = 64;

/** The first settings of the pacer of each way. */
const PACING: Readonly<Record<Way, Omit<PacerOptions, 'refusals'>>> = {
  // One TCP connection keeps the order of its streams. Proxies start a request with a body late.
  http2: { startGap: 0.1, bodyGap: 1, firstUseHold: 0 },
  http1: { startGap: 1, firstUseHold: 0 },
  // The request may wait here until its connection is open: the next one must not follow too soon.
  fetch: { startGap: 1, firstUseHold: 10 },
  dispatcher: { startGap: 1, firstUseHold: 10 },
  memory: { startGap: 0, firstUseHold: 0 },
};

/** The lane stops using HTTP/2 when its pacer has been strained for longer. */
const MAX_STRAIN_MS = 1_000;

/** The lane avoids HTTP/2 for this time at first. It doubles each time, up to the limit. */
const FIRST_AVOIDANCE_MS = 60_000;
const MAX_AVOIDANCE_MS = 3_600_000;

/** The settings of one client for a lane that it shares with others. */
export interface LaneMember {
  readonly nonceOrder: NonceOrder;
  readonly nonceRefusals: number;
  readonly keyIsShared: boolean;
}

/** The clients of a lane. The strictest of them decides. */
export class LaneMembers {
  readonly #members = new Set<LaneMember>();
  /** The strictest order among the clients. */
  order: NonceOrder = 'adaptive';
  /** The smallest share of rejections that a client allows, 0 to 1. */
  refusals = 0;
  /** True when a client says that other processes use the API key. */
  keyIsShared = false;

  join(member: LaneMember): void {
    this.#members.add(member);
    this.#decide();
  }

  /** True when the client was the last: the lane should then be closed. */
  leave(member: LaneMember): boolean {
    this.#members.delete(member);
    if (this.#members.size === 0) return true;
    this.#decide();
    return false;
  }

  #decide(): void {
    const members = [...this.#members];
    const wants = (order: NonceOrder) => members.some(({ nonceOrder }) => nonceOrder === order);
    this.order = wants('strict') ? 'strict' : wants('adaptive') ? 'adaptive' : 'unordered';
    this.refusals = Math.min(...members.map(({ nonceRefusals }) => nonceRefusals));
    this.keyIsShared = members.some(({ keyIsShared }) => keyIsShared);
  }
}

/** The pace of a lane: gap and window of its pacer, within the settings of its clients. */
export class Pace {
  readonly #clock: Clock;
  readonly #members: LaneMembers;
  readonly #onTime: () => void;
  #way: Way = 'http1';
  pacer: Pacer;
  #avoidanceMs = FIRST_AVOIDANCE_MS;
  #timer: Timer | undefined;
  #timerDue = 0;

  /** @param onTime Called when a request that had to wait may start. */
  constructor(clock: Clock, members: LaneMembers, onTime: () => void) {
    this.#clock = clock;
    this.#members = members;
    this.#onTime = onTime;
    this.pacer = new Pacer({ ...PACING.http1, refusals: members.refusals });
  }

  /** Time in ms between two starts. */
  get gap(): number {
    return this.keepsOrder ? this.pacer.gap : 0;
  }

  /** False where no request can be overtaken, or where it does not matter. */
  get keepsOrder(): boolean {
    // Without a gap in memory, timers that a test has replaced hold up no call.
    return this.#members.order !== 'unordered' && this.#way !== 'memory';
  }

  /** Requests that may be in flight. */
  get window(): number {
    const { order, refusals } = this.#members;
    if (order === 'strict' || (refusals === 0 && order === 'adaptive')) return 1;
    return this.keepsOrder ? Math.min(MAX_IN_FLIGHT, this.pacer.window(this.#clock.now())) : MAX_IN_FLIGHT;
  }

  /** Creates a new pacer when the way changes: what one has learned is not true for another. */
  follow(way: Way | undefined): void {
    const { refusals } = this.#members;
    if (way !== undefined && way !== this.#way) {
      this.#way = way;
      this.pacer = new Pacer({ ...PACING[way], refusals });
    }
    this.pacer.refusals = refusals;
  }

  /**
   * True while nothing may start. `onTime` is called when it may.
   *
   * @param pause Time in ms for which nothing starts anyway.
   */
  mustWait(isUrgent: boolean, pause: number): boolean {
    const wait = Math.max(pause, this.keepsOrder ? this.pacer.wait(this.#clock.now(), isUrgent) : 0);
    if (wait > 0) this.#setTimer(wait);
    return wait > 0;
  }

  /** Reports to the pacer how an attempt has ended. */
  learn({ slot, pacer, start }: InFlight, end: AttemptEnd): void {
    if (start === undefined) {
      slot.release();
      return;
    }
    const now = this.#clock.now();
    if (end === 'accepted') pacer.accepted(start, now);
    else if (end === 'race') pacer.refused(start, now);
    else pacer.lost(start);
  }

  /**
   * Time in ms to avoid HTTP/2 from now on. Undefined: HTTP/2 keeps the order or is not used. Some
   * proxies hand the streams of a session to several workers, which shuffle them. A pool of
   * connections may then be faster.
   */
  avoidHttp2For(): number | undefined {
    if (this.#way !== 'http2' || !this.keepsOrder) return undefined;
    const { strainedSince } = this.pacer;
    if (strainedSince === undefined || this.#clock.now() - strainedSince < MAX_STRAIN_MS) return undefined;
    const milliseconds = this.#avoidanceMs;
    this.#avoidanceMs = Math.min(MAX_AVOIDANCE_MS, milliseconds * 2);
    return milliseconds;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #setTimer(milliseconds: number): void {
    const due = this.#clock.now() + milliseconds;
    if (this.#timer !== undefined && this.#timerDue <= due) return;
    this.#timer?.cancel();
    this.#timerDue = due;
    this.#timer = this.#clock.after(milliseconds, () => {
      this.#timer = undefined;
      this.#onTime();
    });
  }
}
