/** The least that the rest of a pipeline waits, in milliseconds: a new connection takes a part of that to open. */
const LEAST = 100;

/** An answer that takes so many times as long as usual holds up the rest. */
const FACTOR = 4;

/** How far one answer moves what is usual. */
const STEP = 1.1;

/** The patience of a lane that has seen no answer yet, in milliseconds: the service may be one that takes its time. */
const UNKNOWN = 2_000;

/** A connection that has answered nothing yet gets so many times as long: what was sent over it may still be on its way. */
const UNPROVEN = 2.5;

/** Setting a connection aside was worth it when it was held up for so many times as long in the end. */
const WORTH = 2;

/** How many times longer a lane waits at most that was wrong again and again: with `LEAST`, over a minute and a half. */
const MAX_CAUTION = 1_024;

/**
 * How long the first answer of a pipeline may hold up the rest before a lane lets later calls go over another connection: several
 * times what an answer usually takes. It learns from what became of the connections that were set aside.
 */
export class Patience {
  /** A running median of the times that answers take: unlike a mean it is not moved by how slow the slow ones are. */
  #usual: number | undefined;
  #caution = 1;

  /** @param proven The connection has answered before. */
  milliseconds(proven: boolean): number {
    if (this.#usual === undefined) return UNKNOWN;
    return Math.max(LEAST, FACTOR * this.#usual) * this.#caution * (proven ? 1 : UNPROVEN);
  }

  /** An answer came after so many milliseconds. */
  observe(milliseconds: number): void {
    this.#usual ??= milliseconds;
    this.#usual *= milliseconds > this.#usual ? STEP : 1 / STEP;
  }

  /** A connection was set aside: rashly, when it went on soon after. */
  learn(rash: boolean): void {
    this.#caution = rash ? Math.min(MAX_CAUTION, this.#caution * 2) : Math.max(1, this.#caution / 2);
  }
}

/** True when it was right to set a connection aside after `waited` milliseconds that was held up for `total`. */
export function wasWorthIt(waited: number, total: number): boolean {
  return total >= WORTH * waited;
}
