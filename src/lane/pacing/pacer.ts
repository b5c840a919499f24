import { Gap, Window } from './gap.js';

/** The pacer's record of a request that has started. */
export interface Start {
  /** The lane's time of the start, in ms. */
  readonly at: number;
  readonly serial: number;
  readonly withBody: boolean;
  /** False for the first request over a connection: its rejection says nothing about the gap. */
  readonly counts: boolean;
}

/** A request that is about to start. */
export interface Starting {
  readonly withBody: boolean;
  /** Nothing was sent over its connection before. */
  readonly firstUse: boolean;
  /** True for the retry of an overtaken attempt: the requests behind it are held for a moment. */
  readonly retry: boolean;
  /** Time in ms that it waited in the lane's queue. */
  readonly queued: number;
}

/** The first settings of a pacer. */
export interface PacerOptions {
  /** The gap in ms that a new lane leaves between two starts. */
  readonly startGap: number;
  /** The gap in ms after a request with a body. Absent: the same gap as after any other. */
  readonly bodyGap?: number;
  /** Time in ms for which nothing follows the first use of a connection. */
  readonly firstUseHold: number;
  /** The share of requests that may be rejected for their order, 0 to 1. */
  readonly refusals: number;
}

/** The aimed share of rejections while no request waits: a wider gap costs nothing then. */
const IDLE_AIM_SHARE = 0.001;

/** The gap aims at this part of the allowed share while requests wait: late ones come on top. */
const WAITING_AIM_FACTOR = 0.7;

/**
 * Until the first rejection, the gap shrinks this many times as fast while requests wait, as in the
 * slow start of TCP. The first 8,000 calls cost 14 % less CPU (`npm run bench -- --age young`): a
 * gap lets one request start in a turn of the event loop.
 */
const FIRST_SHRINK_FACTOR = 4;

/** Requests count as waiting when they spend more than this in the queue, in ms and in gaps. */
const WAITING_MS = 5;
const WAITING_GAPS = 2;

/** The average wait in the queue covers about this many starts. */
const WAIT_SPAN_STARTS = 50;

/** Above this share of rejections, the usual widest gap is not enough. */
const HIGH_SHARE = 0.05;

/**
 * Rejections within this time count as one. After a standstill of a machine, all that was on its
 * way arrives at once, in any order. Only a gap as long as the standstill would help.
 */
const BUNCH_MS = 10;

/** A moving average covers about this many responses. */
const SHARE_SPAN_ANSWERS = 200;

/** The gap is far too small when this many times the allowed share is rejected. */
const FAR_OFF_FACTOR = 3;

/** The widest gap. It allows 220 requests a second, since timers are a little late. */
const WIDEST_GAP_MS = 4;

const WIDEST_GAP_AT_HIGH_SHARE_MS = 25;

/** A rejection is late when it took longer than the fastest response by this, in ms and in gaps. */
const LATE_MS = 10;
const LATE_GAPS = 3;

/** The requests behind a retry are held for this, in ms and in gaps: the longer counts. */
const RETRY_HOLD_MS = 1;
const RETRY_HOLD_GAPS = 2;

/** After this time without a start, the connections are likely to be new. */
const IDLE_MS = 4_000;

/** The way is strained when the gap and the share of rejections are both above these. */
const STRAINED_GAP_MS = 1;
const STRAINED_SHARE = 0.01;

/**
 * Says when the next request of a lane may start, so that few are overtaken by later ones. It
 * learns from the responses. It has neither clock nor timers: the lane passes all times, in ms.
 */
export class Pacer {
  /** The share of requests that may be rejected for their order, 0 to 1. Clients change it. */
  refusals: number;
  readonly #firstUseHold: number;
  readonly #gap: Gap;
  /** The gap after a request with a body. */
  readonly #bodyGap: Gap;
  readonly #window = new Window();
  #serial = 0;
  /** The request that started last, until its response: a later one may overtake it. */
  #last: Start | undefined;
  #lastStartedAt = Number.NEGATIVE_INFINITY;
  /** The time at which the gap after `#last` ends. */
  #gapEnds = Number.NEGATIVE_INFINITY;
  /** The request for which all but retries are held, until its response. */
  #heldFor: Start | undefined;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #averageWait = 0;
  /** True from the first rejection that says something about the gap. */
  #wasRefused = false;
  /** The share of the last 200 or so responses that were rejections, a moving average. */
  refusedShare = 0;
  /** The same share, with the rejections of a bunch as one. */
  #bunches = 0;
  #bunchSince = Number.NEGATIVE_INFINITY;
  readonly #roundTrips = new RoundTrips();
  /**
   * The time since which the way is strained: over 1 % rejected with a gap above 1 ms, or over 5 %.
   * Undefined when it is not. `-Infinity` while the window is 1.
   */
  strainedSince: number | undefined;

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

  /** Requests that may be in flight. */
  window(now: number): number {
    return this.refusals === 0 ? 1 : this.#window.at(now);
  }

  /**
   * Time in ms until the next request may start. 0: now.
   *
   * @param isUrgent True for an attempt that starts before those queued: other retries do not hold
   *   it.
   */
  wait(now: number, isUrgent: boolean): number {
    const gapEnds = this.#last === undefined ? now : this.#gapEnds;
    const holdEnds = this.#heldFor === undefined || isUrgent ? now : this.#heldUntil;
    return Math.max(0, gapEnds - now, holdEnds - now);
  }

  start(now: number, starting: Starting): Start {
    const { withBody, firstUse, retry, queued } = starting;
    if (now - this.#lastStartedAt > IDLE_MS) {
      this.#gap.startAfresh();
      this.#bodyGap.startAfresh();
    }
    this.#lastStartedAt = now;
    this.#serial += 1;
    const start = { at: now, serial: this.#serial, withBody, counts: !firstUse };
    const gap = this.#gapAfter(start).value;
    this.#last = start;
    this.#gapEnds = now + gap;
    if (retry) this.#hold(start, Math.max(RETRY_HOLD_MS, RETRY_HOLD_GAPS * gap));
    else this.#averageWait += (queued - this.#averageWait) / WAIT_SPAN_STARTS;
    if (firstUse && this.#firstUseHold > 0) this.#hold(start, this.#firstUseHold);
    return start;
  }

  /** Notes a response that shows that the service accepted the nonce. */
  accepted(start: Start, now: number): void {
    this.#arrived(start, now);
    if (!start.counts) return;
    this.refusedShare = moved(this.refusedShare, 0);
    this.#bunches = moved(this.#bunches, 0);
    this.#window.accepted();
    const gap = this.#gapAfter(start);
    gap.shrink(this.#aim(gap), this.#requestsWait(gap) && !this.#wasRefused ? FIRST_SHRINK_FACTOR : 1);
    this.#adjust(now);
  }

  /** Notes a rejection after a later request had overtaken this one. */
  refused(start: Start, now: number): void {
    this.#arrived(start, now);
    if (!start.counts) return;
    this.#wasRefused = true;
    this.refusedShare = moved(this.refusedShare, 1);
    if (now - this.#bunchSince >= BUNCH_MS) this.#learnFrom(start, now);
    this.#adjust(now);
  }

  /**
   * Notes that no response will come, or that one has come. Ends the gap or hold that waits for
   * this request: earlier ones have arrived or are lost.
   */
  lost(start: Start): void {
    if (this.#last === start) this.#last = undefined;
    if (this.#heldFor !== start) return;
    this.#heldFor = undefined;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
  }

  #gapAfter({ withBody }: Start): Gap {
    return withBody ? this.#bodyGap : this.#gap;
  }

  #hold(start: Start, time: number): void {
    this.#heldFor = start;
    this.#heldUntil = Math.max(this.#heldUntil, start.at + time);
  }

  #arrived(start: Start, now: number): void {
    this.lost(start);
    this.#roundTrips.add(now - start.at, now);
  }

  /** Learns from the first rejection of a bunch. */
  #learnFrom(start: Start, now: number): void {
    this.#bunchSince = now;
    this.#bunches = moved(this.#bunches, 1);
    this.#window.refused(now, this.refusals);
    const gap = this.#gapAfter(start);
    if (this.#isLate(start, gap, now)) return;
    gap.widen(start.serial, this.#serial, this.#bunches > FAR_OFF_FACTOR * this.refusals);
  }

  #aim(gap: Gap): number {
    return this.#requestsWait(gap) ? WAITING_AIM_FACTOR * this.refusals : Math.min(IDLE_AIM_SHARE, this.refusals);
  }

  #requestsWait(gap: Gap): boolean {
    return this.#averageWait > Math.max(WAITING_MS, WAITING_GAPS * gap.value);
  }

  /** True when the request was held up alone: a wider gap would not have helped. */
  #isLate(start: Start, gap: Gap, now: number): boolean {
    if (this.#bunches > HIGH_SHARE) return false;
    return this.#roundTrips.excess(now - start.at) > Math.max(LATE_MS, LATE_GAPS * gap.value);
  }

  /** Counts every rejection of a bunch: a stalled connection delivers all at once. */
  #isStrained(): boolean {
    const share = this.refusedShare;
    return share > HIGH_SHARE || (share > STRAINED_SHARE && this.gap > STRAINED_GAP_MS);
  }

  #adjust(now: number): void {
    const widest = this.#bunches > HIGH_SHARE ? WIDEST_GAP_AT_HIGH_SHARE_MS : WIDEST_GAP_MS;
    this.#gap.limit(widest);
    this.#bodyGap.limit(widest);
    this.strainedSince = this.#isStrained() ? (this.strainedSince ?? now) : undefined;
    if (this.#window.at(now) === 1) this.strainedSince = Number.NEGATIVE_INFINITY;
  }
}

/** The fastest response of the last one to two spans counts, since routes change. */
const SPAN_MS = 60_000;

/** Compares the time of a response with that of the fastest. */
class RoundTrips {
  /** Shortest time in ms since `#since`, and in the span before. */
  #fastest = Number.POSITIVE_INFINITY;
  #fastestBefore = Number.POSITIVE_INFINITY;
  #since = Number.NEGATIVE_INFINITY;

  /** Notes a response that came `milliseconds` after its request. */
  add(milliseconds: number, now: number): void {
    if (now - this.#since > SPAN_MS) {
      this.#fastestBefore = this.#fastest;
      this.#fastest = Number.POSITIVE_INFINITY;
      this.#since = now;
    }
    this.#fastest = Math.min(this.#fastest, milliseconds);
  }

  /** Time in ms by which a response was slower than the fastest. */
  excess(milliseconds: number): number {
    return milliseconds - Math.min(this.#fastest, this.#fastestBefore);
  }
}

const moved = (share: number, event: 0 | 1): number => share + (event - share) / SHARE_SPAN_ANSWERS;
