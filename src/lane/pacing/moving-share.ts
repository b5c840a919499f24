/** The average covers about this many events. */
const SPAN_EVENTS = 200;

/** An exponential moving average: the share of events that were of one kind, 0 to 1. */
export class MovingShare {
  #value = 0;

  get value(): number {
    return this.#value;
  }

  count(isOfTheKind: boolean): void {
    this.#value += ((isOfTheKind ? 1 : 0) - this.#value) / SPAN_EVENTS;
  }
}
