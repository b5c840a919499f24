import type { Demand, KeyRecord } from './key-record.js';
import type { Lease } from './lease.js';
import type { LeaseSettings } from './options.js';
import { type Clock, jittered } from './time.js';

/** While others wait, a holder with nothing to send waits so long: a call often follows at once. */
const LINGER_MS = 5;

/** A turn that is over waits this long for responses; later ones count as slow, not overtaken. */
const MAX_DRAIN_MS = 5_000;

/** Redis is asked if others wait after this share of the time in which none has waited. */
const QUIET_SHARE = 1 / 10;

/** For so long after another process had to wait, a holder with nothing to send gives it back. */
const SHARED_FOR_MS = 600_000;

/**
 * How a hold ended: the lease was lost, given back because nothing was to be sent, or handed on to
 * a process that waits.
 */
export type HoldEnd = 'lost' | 'idle' | 'handed on';

export interface HeldKeyDetails {
  readonly lease: Lease;
  readonly demand: Demand;
  /** True if it was taken for single calls, besides the API keys that the process holds anyway. */
  readonly isExtra: boolean;
  readonly record: KeyRecord;
  readonly settings: LeaseSettings;
  readonly clock: Clock;
  /** True if the process would still hold another API key without this one. */
  readonly isSpare: () => boolean;
  readonly onOver: (end: HoldEnd) => void;
}

/**
 * An API key that this process holds. The lease is renewed in the background. If others wait, it is
 * handed on when its turn is over and every request has its response or is lost, so that none of
 * them can be overtaken.
 */
export class HeldKey {
  readonly isExtra: boolean;
  readonly #details: HeldKeyDetails;
  /** The nonces of requests that are not done. */
  readonly #outstanding = new Set<bigint>();
  readonly #begun: number;
  /** True if others wait, as far as this process knows. */
  #contended = false;
  /** The latest time at which another process is known to have waited. */
  #wantedAt = 0;
  #renewAt = 0;
  #renewing = false;
  #usedAt: number;
  /** Set once nothing more is sent: the time until which responses are awaited. */
  #drainEnd: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(details: HeldKeyDetails) {
    this.isExtra = details.isExtra;
    this.#details = details;
    this.#begun = details.clock.steady();
    this.#usedAt = this.#begun;
    this.#learn(details.demand);
    this.#schedule();
  }

  /** True until the lease runs out, even while it is about to be handed on. */
  get isValid(): boolean {
    return !this.#over && this.#details.lease.isValid();
  }

  /** True if a request may be sent. */
  get isUsable(): boolean {
    return this.isValid && !this.#mustDrain();
  }

  /** Returns the next nonce; undefined if no more may be sent. Call `done` for a tracked one. */
  issue(isTracked: boolean): bigint | undefined {
    if (this.#over) return undefined;
    if (this.#mustDrain()) {
      this.#drain();
      return undefined;
    }
    const nonce = this.#details.lease.issue();
    if (nonce === undefined) {
      this.end('lost');
      return undefined;
    }
    if (isTracked) this.#outstanding.add(nonce);
    this.#usedAt = this.#details.clock.steady();
    return nonce;
  }

  done(nonce: bigint): void {
    if (!this.#outstanding.delete(nonce)) return;
    this.#usedAt = this.#details.clock.steady();
    if (this.#outstanding.size > 0) return;
    if (this.#drainEnd !== undefined) void this.giveBack('handed on');
    else if (this.#idleEnd() < Infinity) this.#schedule();
  }

  /** Gives the API key back at once. Never rejects. */
  giveBack(end: HoldEnd): Promise<void> {
    if (this.#over) return Promise.resolve();
    // The release is sent before `onOver` asks for the API key again.
    const released = this.#details.record.release(this.#details.lease);
    this.end(end);
    return released;
  }

  end(end: HoldEnd): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#details.onOver(end);
  }

  #mustDrain(): boolean {
    const { settings, clock } = this.#details;
    return this.#drainEnd !== undefined || (this.#contended && clock.steady() >= this.#begun + settings.turn);
  }

  /** Sends nothing more, and hands the API key on once every request is done. */
  #drain(): void {
    if (this.#drainEnd !== undefined) return;
    const now = this.#details.clock.steady();
    this.#drainEnd = now + MAX_DRAIN_MS;
    if (this.#outstanding.size > 0) this.#schedule();
    else void this.giveBack(now >= this.#usedAt + LINGER_MS ? 'idle' : 'handed on');
  }

  /** Returns the time at which the API key is given back if nothing is sent until then. */
  #idleEnd(): number {
    const { settings, clock } = this.#details;
    if (this.#outstanding.size > 0 || this.#drainEnd !== undefined) return Infinity;
    if (this.#contended || this.isExtra) return this.#usedAt + LINGER_MS;
    return clock.steady() - this.#wantedAt < SHARED_FOR_MS ? this.#usedAt + settings.turn : Infinity;
  }

  #schedule(): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    const turnEnd = this.#contended ? this.#begun + this.#details.settings.turn : Infinity;
    // A renewal under way schedules anew when Redis replies.
    const renewAt = this.#renewing ? Infinity : this.#renewAt;
    const next = Math.min(this.#drainEnd ?? turnEnd, this.#idleEnd(), renewAt);
    if (next === Infinity) return;
    this.#timer = setTimeout(() => this.#act(), Math.max(0, Math.ceil(next - this.#details.clock.steady())));
    this.#timer.unref?.();
  }

  #act(): void {
    const now = this.#details.clock.steady();
    if (now >= this.#idleEnd()) void this.giveBack('idle');
    else if (now >= (this.#drainEnd ?? Infinity)) void this.giveBack('handed on');
    else if (this.#mustDrain()) this.#drain();
    if (!this.#over && !this.#renewing && now >= this.#renewAt) void this.#renew();
    this.#schedule();
  }

  /** Renews the lease, and learns whether others wait. */
  async #renew(): Promise<void> {
    const { record, lease, settings, clock, isSpare } = this.#details;
    this.#renewing = true;
    const demand = await record.renew(lease, isSpare()).catch(() => 'failed' as const);
    this.#renewing = false;
    if (demand === undefined || !lease.isValid()) this.end('lost');
    // After a failure it is retried sooner: the lease continues meanwhile.
    else if (demand === 'failed') this.#renewAt = clock.steady() + jittered(settings.ttl / 10);
    else this.#learn(demand);
    this.#schedule();
  }

  /** Notes if others wait. The longer none has waited, the later Redis is asked again. */
  #learn({ isWaiting, quietFor }: Demand): void {
    const { ttl, turn } = this.#details.settings;
    const now = this.#details.clock.steady();
    this.#contended = isWaiting;
    this.#wantedAt = now - quietFor;
    const quiet = Math.min(quietFor, now - this.#begun);
    this.#renewAt = now + (isWaiting ? ttl / 3 : Math.min(Math.max(quiet * QUIET_SHARE, turn), ttl / 3));
  }
}
