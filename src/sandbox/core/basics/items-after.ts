import { excerpt } from './excerpt.js';

/**
 * Returns the items that follow the one with an id: all of them without an id.
 *
 * @param method Start of the error's message.
 * @throws Error if no item has the id.
 */
export function itemsAfter<Name extends string, Item extends Readonly<Record<Name, string>>>(
  method: string,
  items: readonly Item[],
  idName: Name,
  after: string | undefined,
): readonly Item[] {
  if (after === undefined) return items;
  const place = items.findIndex((item) => item[idName] === after);
  if (place < 0) throw new Error(`${method}: after: there is none with the ${idName} ${excerpt(after)}`);
  return items.slice(place + 1);
}
