import type { Issue } from '../errors.js';
import { kindOf } from './issues.js';

/**
 * How an answer is read that is not as its operation describes it. `tolerant`: what is missing passes, what is of a wrong type is
 * refused. `strict`: both are refused. `warn`: neither is.
 */
export type ResponseValidation = 'tolerant' | 'strict' | 'warn';

/** Checking stops after this many issues: a refusal needs no more, and each of them costs memory. */
export const MAX_ISSUES = 100;

/** What is said of an answer whose check overflowed the stack. */
export const TOO_DEEP = 'is too deep or too large to be checked';

/** A place in an answer where a value is expected: a member of an object, or the items of a list. */
export interface Slot {
  /** Dotted path with `[]` for the index of an item and `{}` for the name of an entry, for instance `data[].to.amount`. */
  readonly path: string;
  /** True when not even a tolerant reading does without it. */
  readonly isEssential: boolean;
  /** The last reading that noted the slot as missing: a page notes it once, not once an item. */
  notedIn: number;
}

let readings = 0;

/** One reading of one answer: what is wrong with it, and what is missing. */
export class Reading {
  readonly mode: ResponseValidation;
  /** What is wrong, at most `MAX_ISSUES`. */
  readonly issues: Issue[] = [];
  /** Paths of the slots that a tolerant reading found empty, each once. */
  readonly missing: string[] = [];
  /** Indices of the lists, and names of the records, on the way to the value at hand. */
  readonly position: (number | string)[] = [];
  /** The value must not be handed over, whatever the mode says. */
  isRefused = false;
  readonly #serial = ++readings;

  constructor(mode: ResponseValidation) {
    this.mode = mode;
  }

  /** True when the answer is refused and nothing more has to be known about it. */
  get isOver(): boolean {
    return this.issues.length >= MAX_ISSUES && this.mode !== 'warn';
  }

  /** Notes an issue at a path of a slot. */
  issue(path: string, message: string): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path: this.#resolve(path), message });
  }

  /** Notes an issue with which the value is handed over in no mode. */
  refuse(path: string, message: string): void {
    this.isRefused = true;
    this.issue(path, message);
  }

  wrongKind(path: string, expected: string, value: unknown): void {
    this.issue(path, `must be ${expected}, not ${kindOf(value)}`);
  }

  /** Notes that nothing, or `null`, is where a value should be. True when that passes. */
  lacks(slot: Slot, value: undefined | null): boolean {
    if (this.mode !== 'tolerant' || slot.isEssential) {
      this.issue(slot.path, value === null ? 'is null' : 'is missing');
      return false;
    }
    if (slot.notedIn !== this.#serial) {
      slot.notedIn = this.#serial;
      this.missing.push(slot.path);
    }
    return true;
  }

  /** The path with the indices of the value at hand: `data.3.to.amount`. */
  #resolve(path: string): string {
    let depth = 0;
    const resolved = path.replace(/\[\]|\.?\{\}/g, () => `.${this.position[depth++]}`);
    return resolved.startsWith('.') ? resolved.slice(1) : resolved;
  }
}
