import { processWide } from '../util/platform.js';
import { VERSION } from '../version.js';
import type { Clock } from './clock.js';

/** Retries of one call after a 401, those after races included. The last 401 is the result. */
const MAX_RETRIES = 5;

/** Probes of the process before its first success. If all are rejected, the key itself is wrong. */
const MAX_PROBES = 5;

/** An OTP provider may ask a person, who should not be asked more often for one call. */
const MAX_OTP_REQUESTS = 3;

/**
 * Limit of the first wait, and its growth. Five waits take 1.6 to 3.2 s together: by then the
 * processes have drifted apart, and a clock that is 200 ms behind has caught up.
 */
const FIRST_WAIT_MS = 50;
const WAIT_GROWTH = 2.5;

/** Random, so that processes do not meet again, and at least half of its limit. */
function waitBefore(retry: number): number {
  return FIRST_WAIT_MS * WAIT_GROWTH ** (retry - 1) * (0.5 + Math.random() / 2);
}

/** The history of one API key at one origin in this process. It outlives clients and lanes. */
export interface KeyRecord {
  /** The service has responded to a request with 2xx: the secret is right. */
  hasSucceeded: boolean;
  probesLeft: number;
}

export const newKeyRecord = (): KeyRecord => ({ hasSucceeded: false, probesLeft: MAX_PROBES });

const records = processWide(`key-records@${VERSION}`, () => new Map<string, KeyRecord>());

/** @param id Origin and API key. */
export function keyRecordOf(id: string): KeyRecord {
  const record = records.get(id) ?? newKeyRecord();
  records.set(id, record);
  return record;
}

/**
 * The rules for an API key that other processes use without coordination (`keyIsShared`). The
 * service does not say if a 401 is about the nonce, the API key or the one-time password. So a call
 * whose retry does no harm is sent again with a new nonce:
 *
 * - Before the first success of the process, all calls of the lane wait while one, the probe, is
 *   sent. If five probes of the process are rejected, the calls that wait get that 401.
 * - Afterwards each call is sent again up to five times, after a wait of its own. While the circuit
 *   of the API key is open, calls wait for the probe as before.
 */
export class SharedKey {
  readonly #record: KeyRecord;
  readonly #clock: Clock;
  /** Rejected probes since the last acceptance or verdict. */
  #refusedProbes = 0;
  /** The lane's time until which nothing starts. Undefined: no pause between probes. */
  #pausedUntil: number | undefined;
  /** True from the verdict that the API key is rejected to the next probe of a new call. */
  #isRefused = false;
  /** The start of the latest request that the service accepted, in the lane's time. */
  #lastAccepted = Number.NEGATIVE_INFINITY;

  constructor(record: KeyRecord, clock: Clock) {
    this.#record = record;
    this.#clock = clock;
  }

  /** False before the first success of the process with the API key: it may be a wrong one. */
  get isProven(): boolean {
    return this.#record.hasSucceeded;
  }

  /** Time in ms until the next probe may start. */
  get pause(): number {
    return this.#pausedUntil === undefined ? 0 : Math.max(0, this.#pausedUntil - this.#clock.now());
  }

  /**
   * True when the service has accepted a request that this process started after `startedAt`. Only
   * then has the process overtaken itself; otherwise another process came first.
   */
  hasAcceptedSince(startedAt: number): boolean {
    return this.#lastAccepted > startedAt;
  }

  /**
   * Notes a response other than 401.
   *
   * @param startedAt The lane's time of the request's start.
   */
  accepted(status = 0, startedAt = Number.NEGATIVE_INFINITY): void {
    this.#lastAccepted = Math.max(this.#lastAccepted, startedAt);
    if (status >= 200 && status < 300) this.#record.hasSucceeded = true;
    this.#reset();
  }

  /** Notes a 401 to a request that was not a probe. */
  refused(): void {
    if (!this.isProven && this.#record.probesLeft > 0) this.#pausedUntil ??= this.#pauseBefore(1);
  }

  /**
   * Notes a 401 to a probe. True when all waiting calls end with this 401.
   *
   * @param retries Retries that the probe's call has had after a 401.
   */
  probeRefused(retries: number): boolean {
    if (this.#isRefused && retries > 0) return true;
    this.#refusedProbes++;
    if (!this.isProven) this.#record.probesLeft = Math.max(0, this.#record.probesLeft - 1);
    const isVerdict = this.isProven
      ? Math.max(retries, this.#refusedProbes - 1) >= MAX_RETRIES
      : this.#record.probesLeft === 0;
    if (isVerdict) this.#reset();
    else this.#pausedUntil = this.#pauseBefore(this.#refusedProbes + 1);
    this.#isRefused = isVerdict;
    return isVerdict;
  }

  /**
   * Time in ms until a rejected call is queued again; undefined when its 401 is the result. With 0,
   * it waits in the lane: for the probe, or for its turn.
   *
   * @param refusals Its attempts that got a 401, of all its `attempts`.
   * @param otp Its one-time password, or the function that returns one.
   * @param remaining Time in ms until its deadline.
   */
  waitOf(refusals: number, attempts: number, otp: unknown, remaining: number): number | undefined {
    if (refusals > MAX_RETRIES || this.#isRefused) return undefined;
    if (!this.isProven && this.#record.probesLeft === 0) return undefined;
    // A password in a string may be used up or wrong: another attempt could lock the account.
    if (typeof otp === 'string' || (otp !== undefined && attempts >= MAX_OTP_REQUESTS)) return undefined;
    const isProbing = this.#pausedUntil !== undefined;
    const wait = isProbing ? this.pause : waitBefore(refusals);
    if (wait >= remaining) return undefined;
    return isProbing ? 0 : wait;
  }

  #pauseBefore(probe: number): number {
    return this.#clock.now() + waitBefore(probe);
  }

  #reset(): void {
    this.#isRefused = false;
    this.#refusedProbes = 0;
    this.#pausedUntil = undefined;
  }
}
