import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Linked, LinkedList } from '../../src/util/linked-list.js';
import { OldGarbage } from '../support/old-garbage.js';

class Item extends Linked<Item> {
  constructor(readonly value: unknown) {
    super();
  }
}

describe('LinkedList', () => {
  it('is an array to which is added at the end, and from which anything is removed', () => {
    // `nth` removes one of those added so far, whether it still is in the list or not.
    const step = fc.oneof(
      fc.constant('add' as const),
      fc.nat({ max: 30 }).map((nth) => ({ nth })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const list = new LinkedList<Item>();
        const items = [new Item('never added')];
        let model: Item[] = [];
        for (const [count, taken] of steps.entries()) {
          if (taken === 'add') {
            const item = new Item(count);
            items.push(item);
            list.add(item);
            model.push(item);
          } else {
            const item = items[taken.nth % items.length] as Item;
            expect(list.remove(item)).toBe(model.includes(item));
            model = model.filter((kept) => kept !== item);
          }
          expect([...list].map(({ value }) => value)).toEqual(model.map(({ value }) => value));
          expect(list.size).toBe(model.length);
          expect(list.first).toBe(model[0]);
        }
      }),
    );
  });

  it('removes nothing that is in another list', () => {
    const [one, other] = [new LinkedList<Item>(), new LinkedList<Item>()];
    const item = new Item('a');
    one.add(item);
    other.add(new Item('b'));
    expect(other.remove(item)).toBe(false);
    expect([one.size, other.size]).toEqual([1, 1]);
  });

  it('keeps nothing of what has passed through, also where only young objects are collected', () => {
    const garbage = new OldGarbage();
    const list = new LinkedList<Item>();
    for (let count = 0; count <= 50_000; count++) {
      if (count === 100) garbage.begin();
      list.add(new Item(new Array<number>(25).fill(count)));
      if (list.first !== undefined && list.size > 64) list.remove(list.first);
    }
    expect(garbage.grown() / 50_000).toBeLessThan(20);
  });
});
