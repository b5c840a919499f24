import { type Clock, NS_PER_MS, type readClock } from './time.js';

/** The unused last part of a lease: requests signed before it arrive before the next holder's. */
const UNUSED_SHARE = 1 / 5;

/** The terms on which Redis granted or renewed a lease. */
export interface LeaseTerms {
  /** Read before the command was sent: the lease runs from then at the earliest. */
  readonly from: ReturnType<typeof readClock>;
  /** The highest nonce that may be issued. */
  readonly ceiling: bigint;
  /** The end on Redis's clock, in ms, as Redis wrote it. */
  readonly ends: string;
}

/**
 * A fencing lease: the right to issue nonces of one API key for a limited time. The nonces rise
 * strictly, from above the floor up to the ceiling. Everything that an earlier holder may have
 * issued is at or below the floor.
 */
export class Lease {
  readonly token: string;
  readonly floor: bigint;
  readonly #clock: Clock;
  readonly #ttl: number;
  readonly #began: number;
  /** The last nonce issued; the floor if there was none. */
  last: bigint;
  #ceiling = 0n;
  /** The end on Redis's clock, as Redis wrote it. */
  ends = '0';
  #steadyEnd = 0;
  #wallEnd = 0;

  constructor(token: string, floor: bigint, terms: LeaseTerms, ttl: number, clock: Clock) {
    this.token = token;
    this.floor = floor;
    this.#clock = clock;
    this.#ttl = ttl;
    this.#began = clock.steady();
    this.last = floor;
    this.renew(terms);
  }

  /** Returns false once the lease may have run out. The steady clock may stop during sleep. */
  isValid(): boolean {
    return this.#clock.steady() < this.#steadyEnd && this.#clock.wall() < this.#wallEnd;
  }

  /** Ends the lease early because another process holds the API key. */
  end(): void {
    this.#steadyEnd = Number.NEGATIVE_INFINITY;
  }

  /** Returns the next nonce, in ns of the time; undefined if the lease has run out. */
  issue(): bigint | undefined {
    if (!this.isValid()) return undefined;
    const time = this.#time();
    const nonce = time > this.last ? time : this.last + 1n;
    if (nonce > this.#ceiling) return undefined;
    this.last = nonce;
    return nonce;
  }

  /** Returns the highest nonce that can be issued before a renewal sent now runs out. */
  neededCeiling(): bigint {
    const time = this.#time();
    return (time > this.last ? time : this.last) + BigInt(this.#ttl * NS_PER_MS);
  }

  renew({ from, ceiling, ends }: LeaseTerms): void {
    const usable = this.#ttl * (1 - UNUSED_SHARE);
    this.#steadyEnd = from.steady + usable;
    this.#wallEnd = from.wall + usable;
    this.#ceiling = ceiling;
    this.ends = ends;
  }

  /** Returns nanoseconds that continue from the floor, even if this machine's wall clock steps. */
  #time(): bigint {
    const elapsed = this.#clock.steady() - this.#began;
    return this.floor + BigInt(Math.floor(elapsed * NS_PER_MS));
  }
}
