import type { BoundedMap } from '../../../util/bounded-map.js';

/** Returns the entry that setting this key would drop because of the limit, if any. */
export function overflowOf<Key, Value>(map: BoundedMap<Key, Value>, key: Key): (readonly [Key, Value])[] {
  if (map.size < map.limit || map.has(key)) return [];
  const [oldest] = map.entries();
  return oldest === undefined ? [] : [oldest];
}

/**
 * Returns a function that undoes the next `set` or `delete` of this key. Later changes must be
 * undone before it is called.
 */
export function mementoOf<Key, Value>(map: BoundedMap<Key, Value>, key: Key): () => void {
  const newest = map.newest();
  const isNew = !map.has(key);
  // A new key needs no copy of all entries: `set` moves none of them, and drops at most the oldest.
  const before = isNew ? overflowOf(map, key) : [...map.entries()];
  return () => {
    map.delete(key);
    map.restore(isNew ? [...before, ...map.entries()] : before, newest);
  };
}
