import { type Clock, NANOSECONDS_PER_MILLISECOND } from './clock.js';

/**
 * The part of a hold that is not used: what was issued before it arrives at the service before another holder begins.
 */
const MARGIN = 1 / 5;

/** A moment on both clocks. */
export interface Moment {
  readonly steady: number;
  readonly wall: number;
}

export function momentOf(clock: Clock): Moment {
  return { steady: clock.steady(), wall: clock.wall() };
}

/** What Redis said when it gave or renewed a hold. */
export interface Term {
  /** Before the command was sent: the hold runs from then at the earliest. */
  readonly from: Moment;
  /** Nothing above may be issued. */
  readonly ceiling: bigint;
  /** Milliseconds of Redis's clock, as it wrote them. */
  readonly ends: string;
}

/**
 * The right to issue nonces of one API key until it runs out: strictly rising, from above the floor up to the ceiling.
 */
export class Hold {
  readonly token: string;
  readonly floor: bigint;
  readonly #clock: Clock;
  readonly #ttl: number;
  readonly #began: number;
  #last: bigint;
  #ceiling = 0n;
  #ends = '0';
  #steadyEnd = 0;
  #wallEnd = 0;

  constructor(token: string, floor: bigint, term: Term, ttl: number, clock: Clock) {
    this.token = token;
    this.floor = floor;
    this.#clock = clock;
    this.#ttl = ttl;
    this.#began = clock.steady();
    this.#last = floor;
    this.renew(term);
  }

  /** The last nonce issued; the floor when there was none. */
  get last(): bigint {
    return this.#last;
  }

  /** Until when Redis keeps it, as Redis wrote it. */
  get ends(): string {
    return this.#ends;
  }

  /**
   * False once it may have run out. Both clocks are asked: the steady one may have stood still while the machine slept.
   */
  isValid(): boolean {
    return this.#clock.steady() < this.#steadyEnd && this.#clock.wall() < this.#wallEnd;
  }

  /** It has turned out to be over before its time. */
  end(): void {
    this.#steadyEnd = Number.NEGATIVE_INFINITY;
  }

  /**
   * The next nonce; undefined when the hold has run out. Follows the time, so that nonces of other origin are left
   * behind again.
   */
  issue(): bigint | undefined {
    if (!this.isValid()) return undefined;
    const time = this.#time();
    const nonce = time > this.#last ? time : this.#last + 1n;
    if (nonce > this.#ceiling) return undefined;
    this.#last = nonce;
    return nonce;
  }

  /** The highest nonce that may be issued before a renewal that is sent now runs out. */
  reach(): bigint {
    const time = this.#time();
    return (time > this.#last ? time : this.#last) + BigInt(this.#ttl * NANOSECONDS_PER_MILLISECOND);
  }

  renew({ from, ceiling, ends }: Term): void {
    const usable = this.#ttl * (1 - MARGIN);
    this.#steadyEnd = from.steady + usable;
    this.#wallEnd = from.wall + usable;
    this.#ceiling = ceiling;
    this.#ends = ends;
  }

  /** Nanoseconds that go on from the floor, whatever this machine's clock does. */
  #time(): bigint {
    const elapsed = this.#clock.steady() - this.#began;
    return this.floor + BigInt(Math.floor(elapsed * NANOSECONDS_PER_MILLISECOND));
  }
}
