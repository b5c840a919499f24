/** What stands in a list: in one at a time, with the notes that the list makes in it. */
export class Linked<Self> {
  list: object | undefined = undefined;
  before: Self | undefined = undefined;
  after: Self | undefined = undefined;
}

/**
 * Items in the order in which they were added; each may leave from the middle. For what calls pass through, in place of a `Set`: V8 gives
 * a Set that changes a new table again and again, and every old one refers to what stood in it and to the next table. Once one has grown
 * old all that come after it are kept, and with them every call, until the next full collection of garbage.
 */
export class LinkedList<Item extends Linked<Item>> {
  #first: Item | undefined;
  #last: Item | undefined;
  #size = 0;

  get first(): Item | undefined {
    return this.#first;
  }

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    item.list = this;
    item.before = this.#last;
    if (this.#last === undefined) this.#first = item;
    else this.#last.after = item;
    this.#last = item;
    this.#size++;
  }

  /** Before all others. */
  addFirst(item: Item): void {
    item.list = this;
    item.after = this.#first;
    if (this.#first === undefined) this.#last = item;
    else this.#first.before = item;
    this.#first = item;
    this.#size++;
  }

  /** False when it is not in the list. */
  remove(item: Item): boolean {
    if (item.list !== this) return false;
    const { before, after } = item;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    this.#size--;
    // Else one that has grown old would keep all that came after it.
    item.list = item.before = item.after = undefined;
    return true;
  }

  *[Symbol.iterator](): Generator<Item, void, undefined> {
    for (let item = this.#first; item !== undefined; item = item.after) yield item;
  }
}
