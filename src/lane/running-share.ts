/** The share is taken over about so many events. */
const SPAN = 200;

/** The share of the last events that were of one kind, 0 to 1. */
export class RunningShare {
  #value = 0;

  get value(): number {
    return this.#value;
  }

  count(isOfTheKind: boolean): void {
    this.#value += ((isOfTheKind ? 1 : 0) - this.#value) / SPAN;
  }
}
