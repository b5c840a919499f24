import type { Observer } from '../observer.js';
import type { LikelyTypo } from '../request/input.js';
import type { Notes } from '../schema/tolerant.js';
import { emitWarning } from '../util/run-safely.js';

/** Further paths are not logged. All operations together have some hundreds of members. */
const MAX_PATHS = 1_000;

/** Logs each doubtful member in responses and inputs of an operation once for each client. */
export class MemberWarnings {
  readonly #logged = new Set<string>();

  /** Logs what a tolerant reading accepted. */
  accepted(observer: Observer, operation: string, { missing, accepted }: Notes): void {
    for (const path of missing) {
      if (this.#isNew('missing', operation, path))
        observer.log('warn', 'partner-sdk: an answer lacks a member that its type has', { operation, path });
    }
    for (const [path, message] of accepted) {
      if (!this.#isNew('wrong', operation, path)) continue;
      const text = `partner-sdk: a member of an answer ${message}: it is handed over unchanged`;
      observer.log('warn', text, { operation, path });
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
    const message = `partner-sdk: ${TYPOS[kind]}, and it is sent unchanged${hint}`;
    if (observer.hasLogger) observer.log('warn', message, { operation, path });
    // Such a string fails no call: a webhook without its events is noticed when money is missing.
    else if (kind === 'text') emitWarning(`${message} (${path} of ${operation})`, 'PARTNER_SDK_INPUT');
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
  text: 'a string of the input is not a documented one',
};
