import { type Issue, MAX_ISSUES } from '../errors.js';
import { typeMessage } from './messages.js';
import { exactly, type Scalar } from './scalars.js';

/**
 * The treatment of a response that differs from its operation's description. `tolerant` accepts
 * missing members, and strings, numbers and booleans in each other's place; `strict` rejects both;
 * `warn` rejects nothing that can be handed over.
 */
export type ResponseValidation = 'tolerant' | 'strict' | 'warn';

/** The message about an answer whose check overflows the stack. */
export const TOO_DEEP = 'is too deep or too large to be checked';

/**
 * Reads the values of one place in an answer, and returns what is handed over. Objects and lists
 * are changed in place: a copy would double the memory. A wrong value is noted and returned as it
 * came.
 */
export interface ValueReader {
  read(value: unknown, reading: Reading): unknown;
}

/** A place in an answer that has a value: a member of an object, or the items of a list. */
export interface Place {
  /** Dotted path with `[]` for an index and `{}` for a name in a record: `data[].to.amount`. */
  readonly path: string;
  readonly reader: ValueReader;
  readonly mayBeAbsent: boolean;
  readonly mayBeNull: boolean;
  /** True when even a tolerant reading requires the value. */
  readonly isEssential: boolean;
  /** Number of the last reading that noted the place as missing: a page notes it once. */
  missingIn: number;
}

let readings = 0;

/** One reading of one answer: what is wrong with the answer, and what is missing. */
export class Reading {
  readonly mode: ResponseValidation;
  /** At most `MAX_ISSUES`: further ones are dropped. */
  readonly issues: Issue[] = [];
  /** Paths of the places that a tolerant reading found empty, each once. */
  readonly missing: string[] = [];
  /** Messages about the values of another kind that a tolerant reading accepted, by their paths. */
  readonly accepted = new Map<string, string>();
  /** Indices of the lists, and names of the records, on the way to the current value. */
  readonly position: (number | string)[] = [];
  /** True when no mode may hand the value over. */
  isRefused = false;
  readonly #number = ++readings;

  constructor(mode: ResponseValidation) {
    this.mode = mode;
  }

  /** True when the answer is refused and its error can hold no more issues. */
  get isOver(): boolean {
    return this.issues.length >= MAX_ISSUES && this.mode !== 'warn';
  }

  /** Notes an issue at the path of a place. */
  issue(path: string, message: string): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path: this.#resolve(path), message });
  }

  /** Notes an issue that every mode refuses. */
  refuse(path: string, message: string): void {
    this.isRefused = true;
    this.issue(path, message);
  }

  /** @param kind A key of `KINDS`. */
  wrongKind(path: string, kind: string, value: unknown): void {
    this.issue(path, typeMessage(kind, value));
  }

  /**
   * Returns what is handed over of a value of another kind than the expected one. A tolerant
   * reading converts a scalar if that is exact. Otherwise it accepts the scalar unchanged and notes
   * its path.
   */
  otherKind(path: string, kind: Scalar, value: unknown): unknown {
    if (this.mode !== 'tolerant' || typeof value === 'object') {
      this.wrongKind(path, kind, value);
      return value;
    }
    const read = exactly(kind, value);
    if (read === undefined) this.accepted.set(path, typeMessage(kind, value));
    return read ?? value;
  }

  /** Notes an absent value, or a wrong `null`. Returns true when the mode lets that pass. */
  lacks(place: Place, value: undefined | null): boolean {
    if (this.mode !== 'tolerant' || place.isEssential) {
      this.issue(place.path, value === null ? 'is null' : 'is missing');
      return false;
    }
    if (place.missingIn !== this.#number) {
      place.missingIn = this.#number;
      this.missing.push(place.path);
    }
    return true;
  }

  /** Returns the path with the indices of the current value, for example `data.3.to.amount`. */
  #resolve(path: string): string {
    let depth = 0;
    const resolved = path.replace(/\[\]|\.?\{\}/g, () => `.${this.position[depth++]}`);
    return resolved.startsWith('.') ? resolved.slice(1) : resolved;
  }
}
