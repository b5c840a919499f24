import type * as z from 'zod/mini';
import type { Cause } from '../../core/request/refusal.js';

type ObjectDef = Pick<z.core.$ZodObjectDef, 'shape' | 'catchall'>;

/** For example `assets[0][symbol]`. */
const ITEM_MEMBER = /^[^[\]]+\[(0|[1-9][0-9]{0,8})\]\[([^[\]]+)\]$/;

/** Lists of objects in a query. Each member is a parameter of its own, in any order. */
export class ObjectLists {
  readonly #lists = new Map<string, Map<number, Map<string, unknown>>>();
  readonly #causes: Cause[];

  constructor(causes: Cause[]) {
    this.#causes = causes;
  }

  /**
   * Adds one parameter of a list.
   *
   * @param item Rules of an object in the list.
   * @param read Reads a text by the rule of its member.
   */
  take(
    list: string,
    { shape, catchall }: ObjectDef,
    [name, texts]: readonly [string, readonly string[]],
    read: (text: string, rule: z.core.$ZodType) => unknown,
  ): void {
    const [, index, member = ''] = ITEM_MEMBER.exec(name) ?? [];
    const rule = Object.hasOwn(shape, member) ? shape[member] : catchall;
    if (index === undefined) {
      this.#causes.push({ field: name, message: `must be written ${list}[0][${Object.keys(shape)[0] ?? 'member'}]=…` });
    } else if (rule === undefined) {
      const message = `is not a known query parameter: ${list}[${index}] has ${Object.keys(shape).join(', ')}`;
      this.#causes.push({ field: name, message });
    } else if (texts.length > 1) {
      this.#causes.push({ field: name, message: 'must be given at most once' });
    } else {
      this.#itemOf(list, Number(index)).set(member, read(texts[0] ?? '', rule));
    }
  }

  /** Returns the lists. A missing index is a cause. */
  read(): Map<string, object[]> {
    const read = new Map<string, object[]>();
    for (const [list, items] of this.#lists) {
      const indices = [...items.keys()].sort((a, b) => a - b);
      const gap = indices.findIndex((index, place) => index !== place);
      if (gap >= 0) {
        const message = `is missing: ${list}[${indices[gap]}] is there, and the indices begin at 0 without a gap`;
        this.#causes.push({ field: `${list}[${gap}]`, message });
      }
      read.set(
        list,
        indices.map((index) => Object.fromEntries(items.get(index) ?? [])),
      );
    }
    return read;
  }

  #itemOf(list: string, index: number): Map<string, unknown> {
    const items = this.#lists.get(list) ?? new Map<number, Map<string, unknown>>();
    const item = items.get(index) ?? new Map<string, unknown>();
    this.#lists.set(list, items.set(index, item));
    return item;
  }
}
