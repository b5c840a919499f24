import type { Way } from '../transport/connections.js';
import type { Clock, Timer } from './clock.js';
import { Http2Choice } from './http2-choice.js';
import type { LaneMembers } from './lane-members.js';
import { Pacer, type PacerOptions } from './pacer.js';
import type { AttemptEnd, Flight } from './queued-attempt.js';

/** The most requests of one API key that are in flight at once. */
export const MAX_IN_FLIGHT = 64;

/** Where the pacer of each way begins. */
const PACING: Readonly<Record<Way, Omit<PacerOptions, 'refusals'>>> = {
  // Streams share one TCP connection, which keeps their order. Edges start a request with a body late.
  http2: { startGap: 0.1, bodyGap: 1, firstUseHold: 0 },
  http1: { startGap: 1, firstUseHold: 0 },
  // A request may have to wait until its connection is open: nothing must follow too soon.
  fetch: { startGap: 1, firstUseHold: 10 },
  dispatcher: { startGap: 1, firstUseHold: 10 },
};

/** How soon the requests of a lane may follow one another, and how many at once: the pacer of its way, as its clients want it. */
export class Pace {
  readonly #clock: Clock;
  readonly #members: LaneMembers;
  readonly #onTime: () => void;
  #way: Way = 'http1';
  #pacer: Pacer;
  readonly #http2 = new Http2Choice();
  #timer: Timer | undefined;
  #timerDue = 0;

  /** @param onTime Called when a request may start that had to wait. */
  constructor(clock: Clock, members: LaneMembers, onTime: () => void) {
    this.#clock = clock;
    this.#members = members;
    this.#onTime = onTime;
    this.#pacer = new Pacer({ ...PACING.http1, refusals: members.refusals });
  }

  get pacer(): Pacer {
    return this.#pacer;
  }

  /** Time in ms between two starts. */
  get gap(): number {
    return this.#isPaced() ? this.#pacer.gap : 0;
  }

  /** How many requests may be in flight. */
  get window(): number {
    const { order, refusals } = this.#members;
    if (order === 'strict' || (refusals === 0 && order === 'adaptive')) return 1;
    return this.#isPaced() ? Math.min(MAX_IN_FLIGHT, this.#pacer.depth(this.#clock.now())) : MAX_IN_FLIGHT;
  }

  /** Each way has a pacer of its own: what was learned of one says nothing about another. */
  follow(way: Way | undefined): void {
    const { refusals } = this.#members;
    if (way !== undefined && way !== this.#way) {
      this.#way = way;
      this.#pacer = new Pacer({ ...PACING[way], refusals });
    }
    this.#pacer.refusals = refusals;
  }

  /** True when nothing may start yet: `onTime` is called when it may. */
  mustWait(repeat: boolean): boolean {
    const wait = this.#isPaced() ? this.#pacer.wait(this.#clock.now(), repeat) : 0;
    if (wait > 0) this.#setTimer(wait);
    return wait > 0;
  }

  /** An attempt is over. */
  learn({ slot, pacer, start }: Flight, end: AttemptEnd): void {
    if (start === undefined) {
      slot.release();
      return;
    }
    const now = this.#clock.now();
    if (end === 'accepted') pacer.accepted(start, now);
    else if (end === 'race') pacer.refused(start, now);
    else pacer.lost(start, now);
  }

  /** Time in ms for which HTTP/2 should be avoided from now on; undefined: it keeps the order well enough, or is not used. */
  avoidHttp2For(): number | undefined {
    if (this.#way !== 'http2' || !this.#isPaced()) return undefined;
    return this.#http2.avoidFor(this.#pacer.strainedSince, this.#clock.now());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #isPaced(): boolean {
    return this.#members.order !== 'unordered';
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
