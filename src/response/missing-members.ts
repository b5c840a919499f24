import type { Observer } from '../observer.js';

/** Further paths are not logged. All operations together have some hundreds of members. */
const MAX_PATHS = 1_000;

/** Tells a client's logger once of each member that the answers of an operation lack. */
export class MissingMembers {
  readonly #logged = new Set<string>();

  /** @param paths Paths with `[]` for indices, for example `data[].rate`. */
  log(observer: Observer, operation: string, paths: readonly string[]): void {
    for (const path of paths) {
      const key = `${operation} ${path}`;
      if (this.#logged.has(key) || this.#logged.size >= MAX_PATHS) continue;
      this.#logged.add(key);
      observer.log('warn', 'partner-sdk: an answer lacks a member that its type has', { operation, path });
    }
  }
}
