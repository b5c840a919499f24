import type { Observer } from '../events.js';

/** Beyond so many paths the logger hears of no other: the operations of the API have some hundreds of members. */
const MAX_PATHS = 1_000;

/** Tells a client's logger which members its answers lack: each path of an operation once, however many answers lack it. */
export class MissingMembers {
  readonly #told = new Set<string>();

  tell(observer: Observer, operation: string, paths: readonly string[]): void {
    for (const path of paths) {
      const key = `${operation} ${path}`;
      if (this.#told.has(key) || this.#told.size >= MAX_PATHS) continue;
      this.#told.add(key);
      observer.log('warn', 'partner-sdk: an answer lacks a member that its type has', { operation, path });
    }
  }
}
