import type { KeyRecord } from './keys/key-record.js';
import type { Lease } from './keys/lease.js';
import type { TurnSettings } from './options.js';
import { type Clock, jittered } from './time.js';

/** A turn with nothing to send goes on for this long: the next call often follows at once. */
const LINGER_MS = 5;

/** A turn that is over waits this long for answers; later ones count as slow, not as overtaken. */
const MAX_DRAIN_MS = 5_000;

export interface TurnDetails {
  readonly lease: Lease;
  /** True if other processes wait. */
  readonly contended: boolean;
  readonly record: KeyRecord;
  readonly settings: TurnSettings;
  readonly clock: Clock;
  /** Called when the turn was given back or lost. */
  readonly onOver: () => void;
}

/**
 * One turn to send with an API key. It ends when there is nothing to send. If others wait, it ends
 * when its time is up and every request of it was answered or lost: nothing of it can be overtaken
 * any more.
 */
export class Turn {
  readonly #details: TurnDetails;
  /** The nonces of requests that are not done. */
  readonly #outstanding = new Set<bigint>();
  readonly #timeUp: number;
  #contended: boolean;
  #renewAt: number;
  #renewing = false;
  #usedAt: number;
  /** Set once the turn sends nothing more: the time until which it waits for answers. */
  #drainEnd: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(details: TurnDetails) {
    const { contended, clock, settings } = details;
    const now = clock.steady();
    this.#details = details;
    this.#contended = contended;
    this.#timeUp = now + settings.turn;
    this.#renewAt = contended ? now + settings.ttl / 3 : this.#timeUp;
    this.#usedAt = now;
    this.#schedule();
  }

  /** Returns the next nonce; undefined if no more may be sent. A tracked one must be done. */
  issue(tracked: boolean): bigint | undefined {
    const now = this.#details.clock.steady();
    if (this.#contended && now >= this.#timeUp) this.#drain();
    if (this.#over || this.#drainEnd !== undefined) return undefined;
    const nonce = this.#details.lease.issue();
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
    if (this.#drainEnd === undefined) this.#schedule();
    else void this.finish();
  }

  /** Gives the turn back. */
  finish(): Promise<void> {
    if (this.#over) return Promise.resolve();
    // The release is sent before `onOver` asks for the next turn.
    const released = this.#details.record.release(this.#details.lease);
    this.#end();
    return released;
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#details.onOver();
  }

  /** Sends nothing more, and gives the turn back once every request is done. */
  #drain(): void {
    if (this.#over || this.#drainEnd !== undefined) return;
    this.#drainEnd = this.#details.clock.steady() + MAX_DRAIN_MS;
    if (this.#outstanding.size === 0) void this.finish();
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    // A renewal under way schedules anew when it is answered.
    const times = [this.#drainEnd ?? Infinity, this.#renewing ? Infinity : this.#renewAt];
    if (this.#contended && this.#drainEnd === undefined) times.push(this.#timeUp);
    if (this.#outstanding.size === 0) times.push(this.#usedAt + LINGER_MS);
    const delay = Math.min(...times) - this.#details.clock.steady();
    if (delay === Infinity) return;
    this.#timer = setTimeout(() => this.#act(), Math.max(0, Math.ceil(delay)));
    this.#timer.unref();
  }

  #act(): void {
    const now = this.#details.clock.steady();
    const idle = this.#outstanding.size === 0 && now >= this.#usedAt + LINGER_MS;
    if (idle || (this.#drainEnd !== undefined && now >= this.#drainEnd)) {
      void this.finish();
      return;
    }
    if (this.#contended && now >= this.#timeUp) this.#drain();
    if (!this.#renewing && now >= this.#renewAt) void this.#renew();
    this.#schedule();
  }

  /** Renews the lease, and learns if others wait. */
  async #renew(): Promise<void> {
    const { record, lease, settings, clock } = this.#details;
    this.#renewing = true;
    const renewed = await record.renew(lease).catch(() => 'failed' as const);
    this.#renewing = false;
    if (this.#over) return;
    if (renewed === undefined || !lease.isValid()) {
      this.#end();
      return;
    }
    if (renewed !== 'failed') this.#contended = renewed.contended;
    const next = this.#contended ? settings.ttl / 3 : settings.turn;
    this.#renewAt = clock.steady() + (renewed === 'failed' ? jittered(settings.ttl / 10) : next);
    this.#schedule();
  }
}
