/** An item of a list. It is in one list at a time. */
export class Linked<Self> {
  list: object | undefined = undefined;
  before: Self | undefined = undefined;
  after: Self | undefined = undefined;
}

/**
 * Items in the order in which they were added; each may leave from the middle. A `Set` would keep
 * removed calls in its old tables until the next full garbage collection: 9 % more CPU a call
 * (`npm run bench -- --cells quote:64`).
 */
export class LinkedList<Item extends Linked<Item>> {
  first: Item | undefined;
  size = 0;
  #last: Item | undefined;

  add(item: Item): void {
    item.list = this;
    item.before = this.#last;
    if (this.#last === undefined) this.first = item;
    else this.#last.after = item;
    this.#last = item;
    this.size++;
  }

  /** Before all others. */
  addFirst(item: Item): void {
    item.list = this;
    item.after = this.first;
    if (this.first === undefined) this.#last = item;
    else this.first.before = item;
    this.first = item;
    this.size++;
  }

  /** False when it is not in the list. */
  remove(item: Item): boolean {
    if (item.list !== this) return false;
    const { before, after } = item;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    this.size--;
    // Otherwise an item in the old generation would keep all items after it.
    item.list = item.before = item.after = undefined;
    return true;
  }

  *[Symbol.iterator](): Generator<Item, void, undefined> {
    for (let item = this.first; item !== undefined; item = item.after) yield item;
  }
}
