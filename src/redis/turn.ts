import type { Clock } from './clock.js';
import type { Hold } from './hold.js';
import type { KeyRecord } from './key-record.js';
import type { TurnSettings } from './options.js';
import { jittered } from './pause.js';

/**
 * How long a turn goes on with nothing to send, in milliseconds: a caller's next call often follows the last at once.
 */
const LINGER = 5;

/** What a turn is made of. */
export interface TurnDetails {
  readonly hold: Hold;
  /** Other processes wait. */
  readonly contended: boolean;
  readonly record: KeyRecord;
  readonly settings: TurnSettings;
  readonly clock: Clock;
  /** The turn is over: given back, or lost. */
  readonly onOver: () => void;
}

/**
 * One turn to send with an API key. It ends when there is nothing to send; or when its time is up and others wait, and
 * then only after what was sent has been answered or lost: nothing of it can be overtaken any more.
 */
export class Turn {
  readonly #details: TurnDetails;
  /** Nonces whose requests are not over. */
  readonly #outstanding = new Set<bigint>();
  readonly #timeUp: number;
  #contended: boolean;
  #askAt: number;
  #asking = false;
  #usedAt: number;
  /** Set once nothing more is sent in this turn: until when it waits for answers. */
  #drainEnd: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(details: TurnDetails) {
    const { contended, clock, settings } = details;
    const now = clock.steady();
    this.#details = details;
    this.#contended = contended;
    this.#timeUp = now + settings.turn;
    this.#askAt = contended ? now + settings.ttl / 3 : this.#timeUp;
    this.#usedAt = now;
    this.#plan();
  }

  /**
   * The next nonce; undefined when nothing more may be sent in this turn. A tracked one is outstanding until it is
   * done.
   */
  issue(tracked: boolean): bigint | undefined {
    const now = this.#details.clock.steady();
    if (this.#contended && now >= this.#timeUp) this.#drain();
    if (this.#over || this.#drainEnd !== undefined) return undefined;
    const nonce = this.#details.hold.issue();
    if (nonce === undefined) {
      this.#end();
      return undefined;
    }
    if (tracked) this.#outstanding.add(nonce);
    this.#usedAt = now;
    return nonce;
  }

  done(nonce: bigint): void {
    if (!this.#outstanding.delete(nonce)) return;
    this.#usedAt = this.#details.clock.steady();
    if (this.#outstanding.size > 0) return;
    if (this.#drainEnd === undefined) this.#plan();
    else void this.finish();
  }

  /** Gives the turn back. */
  finish(): Promise<void> {
    if (this.#over) return Promise.resolve();
    // Sent before the next question for a turn is.
    const released = this.#details.record.release(this.#details.hold);
    this.#end();
    return released;
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#details.onOver();
  }

  /** Sends nothing more, and gives the turn back as soon as everything sent is over. */
  #drain(): void {
    if (this.#over || this.#drainEnd !== undefined) return;
    this.#drainEnd = this.#details.clock.steady() + this.#details.settings.drainTimeout;
    if (this.#outstanding.size === 0) void this.finish();
    else this.#plan();
  }

  #plan(): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    // While Redis is asked, its answer plans anew.
    const moments = [this.#drainEnd ?? Infinity, this.#asking ? Infinity : this.#askAt];
    if (this.#contended && this.#drainEnd === undefined) moments.push(this.#timeUp);
    if (this.#outstanding.size === 0) moments.push(this.#usedAt + LINGER);
    const delay = Math.min(...moments) - this.#details.clock.steady();
    if (delay === Infinity) return;
    this.#timer = setTimeout(() => this.#act(), Math.max(0, Math.ceil(delay)));
    this.#timer.unref();
  }

  #act(): void {
    const now = this.#details.clock.steady();
    const idle = this.#outstanding.size === 0 && now >= this.#usedAt + LINGER;
    if (idle || (this.#drainEnd !== undefined && now >= this.#drainEnd)) {
      void this.finish();
      return;
    }
    if (this.#contended && now >= this.#timeUp) this.#drain();
    if (!this.#asking && now >= this.#askAt) void this.#ask();
    this.#plan();
  }

  /** Renews the hold, and learns whether others wait. */
  async #ask(): Promise<void> {
    const { record, hold, settings, clock } = this.#details;
    this.#asking = true;
    const renewed = await record.renew(hold).catch(() => 'failed' as const);
    this.#asking = false;
    if (this.#over) return;
    if (renewed === undefined || !hold.isValid()) {
      this.#end();
      return;
    }
    if (renewed !== 'failed') this.#contended = renewed.contended;
    const next = this.#contended ? settings.ttl / 3 : settings.turn;
    this.#askAt = clock.steady() + (renewed === 'failed' ? jittered(settings.ttl / 10) : next);
    this.#plan();
  }
}
