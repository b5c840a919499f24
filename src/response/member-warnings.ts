import type { Observer } from '../observer.js';
import type { LikelyTypo } from '../request/likely-typos.js';

/** Further paths are not logged. All operations together have some hundreds of members. */
const MAX_PATHS = 1_000;

/** Logs each doubtful member in responses and inputs of an operation once for each client. */
export class MemberWarnings {
  readonly #logged = new Set<string>();

  /** @param paths Paths with `[]` for indices, for example `data[].rate`. */
  missing(observer: Observer, operation: string, paths: readonly string[]): void {
    for (const path of paths) {
      if (!this.#isNew('missing', operation, path)) continue;
      observer.log('warn', 'partner-sdk: an answer lacks a member that its type has', { operation, path });
    }
  }

  /** @param paths Of members that the service need not repeat, and repeats differently. */
  different(observer: Observer, operation: string, paths: readonly string[]): void {
    for (const path of paths) {
      if (this.#isNew('different', operation, path)) observer.log('warn', DIFFERENT, { operation, path });
    }
  }

  typo(observer: Observer, operation: string, { kind, path, meant }: LikelyTypo): void {
    if (!this.#isNew(kind, operation, path)) return;
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
    observer.log('warn', `partner-sdk: ${TYPOS[kind]}, it is sent as it is${hint}`, { operation, path });
  }

  #isNew(kind: string, operation: string, path: string): boolean {
    const key = `${kind} ${operation} ${path}`;
    if (this.#logged.has(key) || this.#logged.size >= MAX_PATHS) return false;
    this.#logged.add(key);
    return true;
  }
}

const DIFFERENT =
  'partner-sdk: a response repeats a member of its request with another value, so it may belong to another call';

const TYPOS: Readonly<Record<LikelyTypo['kind'], string>> = {
  name: 'a member of the input is not a documented one',
  text: 'a text of the input is not a documented one',
};
