import { isRecord } from '../util/options.js';
import { kindNamed } from './issues.js';
import { decimalOf, NOT_AMOUNT } from './parse-decimal.js';
import type { Reading, Slot } from './reading.js';

/**
 * Reads the values of one place in an answer. A reader gives what is handed over: the value itself, objects and lists changed in place
 * (nobody else has them, and a copy of a large answer would cost its memory twice), an amount as a `Decimal`. What it finds wrong it notes,
 * and gives as it came.
 */
export interface ValueReader {
  read(value: unknown, reading: Reading): unknown;
}

/** A slot with the reader of its values. */
export interface ReadSlot extends Slot {
  readonly reader: ValueReader;
  readonly mayBeAbsent: boolean;
  readonly mayBeNull: boolean;
}

/** A member of an object. */
export interface Member extends ReadSlot {
  readonly name: string;
  /** Any text fits. Most members are such, or amounts: an object sees to them without a call (a page of 25 conversions: 17 → 12 µs). */
  readonly isText: boolean;
  readonly isAmount: boolean;
}

/** Takes every value. */
export const anything: ValueReader = { read: (value) => value };

/** Values of which `typeof` says all, but for the length of a text. */
export class PlainReader implements ValueReader {
  readonly type: 'string' | 'number' | 'boolean';
  readonly maxLength: number;
  readonly #path: string;

  constructor(path: string, type: 'string' | 'number' | 'boolean', maxLength: number = Infinity) {
    this.#path = path;
    this.type = type;
    this.maxLength = maxLength;
  }

  read(value: unknown, reading: Reading): unknown {
    if (typeof value !== this.type) reading.wrongKind(this.#path, kindNamed(this.type), value);
    else if (typeof value === 'string' && value.length > this.maxLength) {
      reading.issue(this.#path, `must have at most ${this.maxLength} characters`);
    }
    // JSON has no infinite number, but 1e999 is read as one.
    else if (value === Infinity || value === -Infinity) reading.issue(this.#path, 'is too large for a number');
    return value;
  }
}

/** Amounts: text that becomes a `Decimal`. */
export class AmountReader implements ValueReader {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(value: unknown, reading: Reading): unknown {
    const amount = typeof value === 'string' ? decimalOf(value) : undefined;
    if (amount !== undefined) return amount;
    if (typeof value === 'string') reading.issue(this.#path, NOT_AMOUNT);
    else reading.wrongKind(this.#path, 'a decimal as text', value);
    return value;
  }
}

/** Values with a rule of their own. */
export class RuleReader implements ValueReader {
  readonly #path: string;
  readonly #broken: (value: unknown) => string | undefined;

  /** @param broken The message about a value that breaks the rule. */
  constructor(path: string, broken: (value: unknown) => string | undefined) {
    this.#path = path;
    this.#broken = broken;
  }

  read(value: unknown, reading: Reading): unknown {
    const message = this.#broken(value);
    if (message !== undefined) reading.issue(this.#path, message);
    return value;
  }
}

/** Lists. A `null` item that passes is left out: nobody who walks a list wants to ask each item whether it is there. */
export class ListReader implements ValueReader {
  readonly #path: string;
  readonly #depth: number;
  readonly #item: ReadSlot;
  readonly #maxItems: number;

  /** @param depth How many lists and records there are on the way to this one. */
  constructor(path: string, depth: number, item: ReadSlot, maxItems: number) {
    this.#path = path;
    this.#depth = depth;
    this.#item = item;
    this.#maxItems = maxItems;
  }

  read(value: unknown, reading: Reading): unknown {
    if (!Array.isArray(value)) {
      reading.wrongKind(this.#path, 'a list', value);
    } else if (value.length > this.#maxItems) {
      reading.refuse(this.#path, `has ${value.length} items, more than ${this.#maxItems}`);
    } else if (this.#item.reader !== anything) {
      this.#readItems(value, reading);
    }
    return value;
  }

  #readItems(list: unknown[], reading: Reading): void {
    const item = this.#item;
    let kept = 0;
    for (let index = 0; index < list.length; index++) {
      if (reading.isOver) return;
      reading.position[this.#depth] = index;
      const given = list[index];
      if (given === null && !item.mayBeNull && reading.lacks(item, null)) continue;
      const read = given === null ? null : item.reader.read(given, reading);
      if (read !== given || kept !== index) list[kept] = read;
      kept++;
    }
    if (kept < list.length) list.length = kept;
  }
}

/** Objects whose members have names that the service chooses. */
export class RecordReader implements ValueReader {
  readonly #path: string;
  readonly #depth: number;
  readonly #entry: ReadSlot;

  constructor(path: string, depth: number, entry: ReadSlot) {
    this.#path = path;
    this.#depth = depth;
    this.#entry = entry;
  }

  read(value: unknown, reading: Reading): unknown {
    if (!isRecord(value)) {
      reading.wrongKind(this.#path, 'an object', value);
      return value;
    }
    for (const name of Object.keys(value)) {
      if (reading.isOver) break;
      reading.position[this.#depth] = name;
      readInto(value, name, value[name], this.#entry, reading);
    }
    return value;
  }
}

/** Objects with known members. Members that are not known stay as they are. */
export class ObjectReader implements ValueReader {
  readonly members: readonly Member[];
  readonly #path: string;

  constructor(path: string, members: readonly Member[]) {
    this.#path = path;
    this.members = members;
  }

  read(value: unknown, reading: Reading): unknown {
    if (!isRecord(value)) {
      reading.wrongKind(this.#path, 'an object', value);
      return value;
    }
    for (const member of this.members) {
      const given = value[member.name];
      if (typeof given === 'string' && member.isText) continue;
      const amount = typeof given === 'string' && member.isAmount ? decimalOf(given) : undefined;
      if (amount === undefined) readInto(value, member.name, given, member, reading);
      else value[member.name] = amount;
    }
    return value;
  }
}

function readInto(
  object: Record<string, unknown>,
  name: string,
  given: unknown,
  slot: ReadSlot,
  reading: Reading,
): void {
  if (given === undefined || given === null) {
    const isAllowed = given === null ? slot.mayBeNull : slot.mayBeAbsent;
    if (!isAllowed && reading.lacks(slot, given) && given === null) object[name] = undefined;
    return;
  }
  const read = slot.reader.read(given, reading);
  if (read !== given) object[name] = read;
}

/** A union of objects that are told apart by a text member, and of values that are no objects. */
export interface Variants {
  /** The member that tells the objects apart, with the reader of each of its values; undefined with one kind of object, or none. */
  readonly tag:
    | { readonly slot: Slot; readonly name: string; readonly known: ReadonlyMap<string, ValueReader> }
    | undefined;
  /** Objects with any other tag, or without tags. */
  readonly other: ValueReader | undefined;
  /** Objects whose tag is missing. */
  readonly untagged: ValueReader;
  /** Whether a text fits. */
  readonly takesText: boolean;
}

/** Values of a union. */
export class UnionReader implements ValueReader {
  readonly #path: string;
  readonly #variants: Variants;

  constructor(path: string, variants: Variants) {
    this.#path = path;
    this.#variants = variants;
  }

  read(value: unknown, reading: Reading): unknown {
    const { takesText } = this.#variants;
    if (isRecord(value)) return this.#readObject(value, reading);
    if (!takesText || typeof value !== 'string') {
      reading.wrongKind(this.#path, takesText ? 'an object or text' : 'an object', value);
    }
    return value;
  }

  #readObject(value: Record<string, unknown>, reading: Reading): unknown {
    const { tag, other = anything, untagged } = this.#variants;
    if (tag === undefined) return other.read(value, reading);
    const given = value[tag.name];
    if (typeof given === 'string') return (tag.known.get(given) ?? other).read(value, reading);
    if (given !== undefined && given !== null) {
      reading.wrongKind(tag.slot.path, 'text', given);
      return value;
    }
    if (reading.lacks(tag.slot, given) && given === null) value[tag.name] = undefined;
    return untagged.read(value, reading);
  }
}
