import type { Connection } from '../transport/transport.js';
import { wasWorthIt } from './patience.js';

/** One connection of a lane. Set aside, it gets no more attempts and is closed after its last. */
export class Pipe {
  readonly connection: Connection;
  /** It has answered. */
  proven = false;
  setAside = false;
  #inFlight = 0;
  #unrepeated = 0;
  #overtaken = false;
  #outrun = false;
  #leftBehind = false;
  #shortHold = false;
  /** Since when it is held up, and how long it was when it was set aside. */
  #hold: { readonly since: number; readonly waited: number } | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  begin(unrepeated: boolean): void {
    this.#inFlight++;
    if (unrepeated) this.#unrepeated++;
  }

  end(unrepeated: boolean): void {
    this.#inFlight--;
    if (unrepeated) this.#unrepeated--;
  }

  /** Whether later requests may go over another connection while this one waits: those on it may be refused then, and are repeated. */
  mayBeOvertaken(): boolean {
    return this.connection.pipelined && this.#unrepeated === 0;
  }

  /** Since when its first answer holds up the rest; undefined when it does not, or nothing is known of it. */
  heldUpSince(): number | undefined {
    return this.connection.waitingSince?.();
  }

  putAside(): void {
    const now = performance.now();
    const since = this.heldUpSince() ?? now;
    this.setAside = true;
    this.#hold = { since, waited: now - since };
  }

  /** Something is sent over another connection while this one is set aside. */
  overtake(): void {
    this.#overtaken = true;
  }

  /** Something sent over another connection has been answered meanwhile. */
  outrun(): void {
    this.#outrun = true;
  }

  /** One of its requests was refused, since the service had not read it when later ones came. True for the first of a pipe set aside. */
  markLeftBehind(): boolean {
    const first = this.setAside && !this.#leftBehind;
    if (first) this.#leftBehind = true;
    return first;
  }

  /** The first attempt ends after it was set aside: whether it was held up for long, others not. Undefined otherwise. */
  endHold(): 'long' | 'short' | undefined {
    if (this.#hold === undefined) return undefined;
    const { since, waited } = this.#hold;
    this.#hold = undefined;
    // Where all answers take that long now, another connection is no faster.
    const inVain = this.#overtaken && !this.#outrun;
    this.#shortHold = inVain || !wasWorthIt(waited, performance.now() - since);
    return this.#shortHold ? 'short' : 'long';
  }

  /** Whether it was rash to set it aside, since it soon went on; undefined when nothing came of it. */
  wasRash(): boolean | undefined {
    return this.#shortHold || (this.#overtaken ? false : undefined);
  }
}
