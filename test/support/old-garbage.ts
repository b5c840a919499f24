import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { collectGarbage } from './collect-garbage.js';

// In one process of ten V8 finds that most objects of a place survive, and makes those old at once from then on. That
// is not what is looked for here.
setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * What outlives the collections of young garbage, once a full one has moved all that lives to the old objects: V8 keeps whatever an old
 * object refers to, also when that object is garbage, until the next full collection.
 */
export class OldGarbage {
  #begun = 0;

  begin(): void {
    collectGarbage();
    this.#begun = oldBytes();
  }

  /** In bytes, since `begin`. */
  grown(): number {
    return oldBytes() - this.#begun;
  }
}

function oldBytes(): number {
  const old = getHeapSpaceStatistics().find((space) => space.space_name === 'old_space');
  return old?.space_used_size ?? Number.NaN;
}
