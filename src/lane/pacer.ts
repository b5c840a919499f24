import { Depth } from './depth.js';
import { Gap } from './gap.js';
import { RoundTrips } from './round-trips.js';
import { RunningShare } from './running-share.js';

/** What a pacer notes of a request that has started. */
export interface Start {
  /** When, in ms on the lane's clock. */
  readonly at: number;
  /** Rises with each start. */
  readonly serial: number;
  readonly withBody: boolean;
  /** False for the first request over a connection: whether it is refused says nothing about the gap. */
  readonly counts: boolean;
}

/** A request that is about to start. */
export interface Starting {
  readonly withBody: boolean;
  /** Nothing was sent over its connection before. */
  readonly firstUse: boolean;
  /** It repeats one that was overtaken: those behind it are held for a moment. */
  readonly repeat: boolean;
  /** Time in ms that it waited in the lane's queue. */
  readonly queued: number;
}

/** Where a pacer begins. */
export interface PacerOptions {
  /** The gap in ms that a new lane leaves between two starts. */
  readonly startGap: number;
  /** The gap in ms after a request with a body, where it has one of its own. Absent: the same gap as after any other. */
  readonly bodyGap?: number;
  /** Time in ms in which nothing follows the first use of a connection. 0: none. */
  readonly firstUseHold: number;
  /** The share of requests that may be refused for their order, 0 to 1. */
  readonly refusals: number;
}

/** The share of refusals while nobody waits: a wider gap costs nothing then. */
const IDLE_AIM = 0.001;

/** The part of the allowed share that the gap aims at while somebody waits: what comes late is refused besides. */
const WAITING_AIM = 0.7;

/** Somebody waits when requests spend more than so many ms in the queue, or more than so many gaps. */
const WAITING_MS = 5;
const WAITING_GAPS = 2;

/** The wait in the queue is averaged over about so many starts. */
const WAIT_SPAN = 50;

/** A larger share than this means that the widest of usual gaps does not do. */
const HIGH_SHARE = 0.05;

/**
 * Refusals within so many ms count as one: when a machine stands still for a moment, all that is on its way arrives at once, in any order.
 * Only a gap as long as the standstill would help against that.
 */
const BUNCH_MS = 10;

/** The gap is far too small when more than so many times the share is refused that may be. */
const FAR_OFF = 3;

/** The widest gap in ms. Timers are a little late, so that 220 requests a second are possible with it. */
const WIDEST_GAP_MS = 4;

/** The widest gap in ms while the share of refusals is high. */
const WIDEST_GAP_AT_HIGH_SHARE_MS = 25;

/** A refusal is late when it took longer than the fastest answer by so many ms, or by so many gaps. */
const LATE_MS = 10;
const LATE_GAPS = 3;

/** After a repeat the others are held for so many ms, or for so many gaps. */
const REPEAT_HOLD_MS = 1;
const REPEAT_HOLD_GAPS = 2;

/** Time in ms without a start after which the connections are likely to be new ones. */
const IDLE_MS = 4_000;

/** The way is strained when the gap is above so many ms and a larger share than this is refused. */
const STRAINED_GAP_MS = 1;
const STRAINED_SHARE = 0.01;

/**
 * Says when the next request of a lane may start, so that few are overtaken by later ones. It learns from the answers; it has neither
 * clock nor timers: all times are given to it, in ms.
 */
export class Pacer {
  /** The share of requests that may be refused for their order, 0 to 1. It changes when clients join or leave. */
  refusals: number;
  readonly #firstUseHold: number;
  readonly #gap: Gap;
  /** After a request with a body. */
  readonly #bodyGap: Gap;
  readonly #depth = new Depth();
  #serial = 0;
  /** The request that started last, while there is no answer to it: a later one may overtake it. */
  #last: Start | undefined;
  #lastStartedAt = Number.NEGATIVE_INFINITY;
  /** When the gap after it is over. */
  #gapEnds = Number.NEGATIVE_INFINITY;
  /** The request for which all but repeats are held, while there is no answer to it. */
  #heldFor: Start | undefined;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #averageWait = 0;
  readonly #refused = new RunningShare();
  /** The same, with refusals in a bunch as one. */
  readonly #bunches = new RunningShare();
  #bunchSince = Number.NEGATIVE_INFINITY;
  readonly #roundTrips = new RoundTrips();
  #strainedSince: number | undefined;

  constructor({ startGap, bodyGap, firstUseHold, refusals }: PacerOptions) {
    this.refusals = refusals;
    this.#firstUseHold = firstUseHold;
    this.#gap = new Gap(startGap);
    this.#bodyGap = bodyGap === undefined ? this.#gap : new Gap(bodyGap);
  }

  /** The gap in ms after a request without a body. */
  get gap(): number {
    return this.#gap.value;
  }

  /** The share of the last 200 or so answers that were refusals. */
  get refusedShare(): number {
    return this.#refused.value;
  }

  /**
   * Since when more than 1 % has been refused with a gap above 1 ms, or more than 5 %; undefined when that is not so. For ever
   * (`-Infinity`), when so many were refused that one at a time is sent.
   */
  get strainedSince(): number | undefined {
    return this.#strainedSince;
  }

  /** How many requests may be in flight. */
  depth(now: number): number {
    return this.refusals === 0 ? 1 : this.#depth.at(now);
  }

  /**
   * Time in ms until the next request may start; 0: now.
   *
   * @param repeat It repeats one that was overtaken: it is not held for other repeats.
   */
  wait(now: number, repeat: boolean): number {
    const gapEnds = this.#last === undefined ? now : this.#gapEnds;
    const holdEnds = this.#heldFor === undefined || repeat ? now : this.#heldUntil;
    return Math.max(0, gapEnds - now, holdEnds - now);
  }

  start(now: number, starting: Starting): Start {
    const { withBody, firstUse, repeat, queued } = starting;
    if (now - this.#lastStartedAt > IDLE_MS) this.#startAfresh();
    this.#lastStartedAt = now;
    this.#serial += 1;
    const start = { at: now, serial: this.#serial, withBody, counts: !firstUse };
    const gap = this.#gapAfter(start).value;
    this.#last = start;
    this.#gapEnds = now + gap;
    if (repeat) this.#hold(start, Math.max(REPEAT_HOLD_MS, REPEAT_HOLD_GAPS * gap));
    else this.#averageWait += (queued - this.#averageWait) / WAIT_SPAN;
    if (firstUse && this.#firstUseHold > 0) this.#hold(start, this.#firstUseHold);
    return start;
  }

  /** It was answered, and not because a later one had overtaken it: the service took its nonce. */
  accepted(start: Start, now: number): void {
    this.#arrived(start, now);
    if (!start.counts) return;
    this.#refused.count(false);
    this.#bunches.count(false);
    this.#depth.accepted();
    const gap = this.#gapAfter(start);
    gap.shrink(this.#aim(gap));
    this.#adjust(now);
  }

  /** It was refused because a later one had overtaken it. */
  refused(start: Start, now: number): void {
    this.#arrived(start, now);
    if (!start.counts) return;
    this.#refused.count(true);
    if (now - this.#bunchSince >= BUNCH_MS) this.#learnFrom(start, now);
    this.#adjust(now);
  }

  /** There will be no answer to it. */
  lost(start: Start, _now: number): void {
    this.#forget(start);
  }

  #startAfresh(): void {
    this.#gap.startAfresh();
    this.#bodyGap.startAfresh();
  }

  #gapAfter({ withBody }: Start): Gap {
    return withBody ? this.#bodyGap : this.#gap;
  }

  #hold(start: Start, time: number): void {
    this.#heldFor = start;
    this.#heldUntil = Math.max(this.#heldUntil, start.at + time);
  }

  #arrived(start: Start, now: number): void {
    this.#forget(start);
    this.#roundTrips.add(now - start.at, now);
  }

  /** Nothing that a later request could overtake is on its way: those before it have arrived, or were overtaken by it. */
  #forget(start: Start): void {
    if (this.#last === start) this.#last = undefined;
    if (this.#heldFor !== start) return;
    this.#heldFor = undefined;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
  }

  /** Learns from the first refusal of a bunch. */
  #learnFrom(start: Start, now: number): void {
    this.#bunchSince = now;
    this.#bunches.count(true);
    this.#depth.refused(now, this.refusals);
    const gap = this.#gapAfter(start);
    if (this.#isLate(start, gap, now)) return;
    gap.widen(start.serial, this.#serial, this.#bunches.value > FAR_OFF * this.refusals);
  }

  #aim(gap: Gap): number {
    const somebodyWaits = this.#averageWait > Math.max(WAITING_MS, WAITING_GAPS * gap.value);
    return somebodyWaits ? WAITING_AIM * this.refusals : Math.min(IDLE_AIM, this.refusals);
  }

  /** The request was held up alone: a wider gap would not have helped. When many are refused they were not held up alone. */
  #isLate(start: Start, gap: Gap, now: number): boolean {
    if (this.#bunches.value > HIGH_SHARE) return false;
    return this.#roundTrips.excess(now - start.at) > Math.max(LATE_MS, LATE_GAPS * gap.value);
  }

  /** Also by refusals that come together: a connection that is held up again and again brings all at once, and workers shuffle it. */
  #isStrained(): boolean {
    const share = this.#refused.value;
    return share > HIGH_SHARE || (share > STRAINED_SHARE && this.gap > STRAINED_GAP_MS);
  }

  #adjust(now: number): void {
    const widest = this.#bunches.value > HIGH_SHARE ? WIDEST_GAP_AT_HIGH_SHARE_MS : WIDEST_GAP_MS;
    this.#gap.limit(widest);
    this.#bodyGap.limit(widest);
    this.#strainedSince = this.#isStrained() ? (this.#strainedSince ?? now) : undefined;
    if (this.#depth.at(now) === 1) this.#strainedSince = Number.NEGATIVE_INFINITY;
  }
}
