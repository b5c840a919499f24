import { isRecord } from '../util/options.js';
import { decimalOf, NOT_AMOUNT } from './parse-decimal.js';
import type { Place, Reading, ValueReader } from './reading.js';
import { exactly, isOfKind, type Scalar } from './scalars.js';

/** Takes every value. */
export const anything: ValueReader = { read: (value) => value };

/** Reads scalars, and checks the length of texts. */
export class ScalarReader implements ValueReader {
  constructor(
    private readonly path: string,
    readonly kind: Scalar,
    readonly maxLength: number = Infinity,
  ) {}

  read(value: unknown, reading: Reading): unknown {
    // JSON has no infinite number, but JSON.parse() reads 1e999 as one.
    if (value === Infinity || value === -Infinity) reading.issue(this.path, 'is too large for a number');
    else if (!isOfKind(this.kind, value)) return reading.otherKind(this.path, this.kind, value);
    else if (typeof value === 'string' && value.length > this.maxLength) {
      reading.issue(this.path, `must have at most ${this.maxLength} characters`);
    }
    return value;
  }
}

/** Reads `integerText()`. */
export class IntegerTextReader implements ValueReader {
  constructor(private readonly path: string) {}

  read(value: unknown, reading: Reading): unknown {
    if (isOfKind('int', value)) return value;
    return exactly('int', value) ?? reading.otherKind(this.path, 'int', value);
  }
}

/** Reads amounts: text that becomes a `Decimal`. */
export class AmountReader implements ValueReader {
  constructor(private readonly path: string) {}

  read(value: unknown, reading: Reading): unknown {
    const amount = typeof value === 'string' ? decimalOf(value) : undefined;
    if (amount !== undefined) return amount;
    if (typeof value === 'string') reading.issue(this.path, NOT_AMOUNT);
    else reading.wrongKind(this.path, 'amount', value);
    return value;
  }
}

/** Reads lists. A `null` item that passes is left out: a loop over the items need not expect it. */
export class ListReader implements ValueReader {
  /** @param depth Number of lists on the way to this one. */
  constructor(
    private readonly path: string,
    private readonly depth: number,
    private readonly item: Place,
    private readonly maxItems: number,
  ) {}

  read(value: unknown, reading: Reading): unknown {
    if (!Array.isArray(value)) {
      reading.wrongKind(this.path, 'array', value);
    } else if (value.length > this.maxItems) {
      reading.refuse(this.path, `has ${value.length} items, more than ${this.maxItems}`);
    } else if (this.item.reader !== anything) {
      this.#readItems(value, reading);
    }
    return value;
  }

  #readItems(list: unknown[], reading: Reading): void {
    const item = this.item;
    let kept = 0;
    for (let index = 0; index < list.length; index++) {
      if (reading.isOver) return;
      reading.position[this.depth] = index;
      const given = list[index];
      if (given === null && !item.mayBeNull && reading.lacks(item, null)) continue;
      const read = given === null ? null : item.reader.read(given, reading);
      if (read !== given || kept !== index) list[kept] = read;
      kept++;
    }
    if (kept < list.length) list.length = kept;
  }
}

export interface Member extends Place {
  readonly name: string;
  /** True when any text fits. */
  readonly isText: boolean;
  readonly isAmount: boolean;
}

/** Reads objects with known members. Unknown members stay as they are. */
export class ObjectReader implements ValueReader {
  constructor(
    private readonly path: string,
    readonly members: readonly Member[],
  ) {}

  read(value: unknown, reading: Reading): unknown {
    if (!isRecord(value)) {
      reading.wrongKind(this.path, 'object', value);
      return value;
    }
    for (const member of this.members) {
      const given = value[member.name];
      // Most members are texts or amounts. Reading them here saves 6 % of a page's CPU (`npm run
      // bench -- --cells page:64`).
      if (typeof given === 'string' && member.isText) continue;
      const amount = typeof given === 'string' && member.isAmount ? decimalOf(given) : undefined;
      if (amount === undefined) readMember(value, member.name, given, member, reading);
      else value[member.name] = amount;
    }
    return value;
  }
}

function readMember(
  object: Record<string, unknown>,
  name: string,
  given: unknown,
  place: Place,
  reading: Reading,
): void {
  if (given === undefined || given === null) {
    const isAllowed = given === null ? place.mayBeNull : place.mayBeAbsent;
    if (!isAllowed && reading.lacks(place, given) && given === null) object[name] = undefined;
    return;
  }
  const read = place.reader.read(given, reading);
  if (read !== given) object[name] = read;
}

/** A union of objects that a text member tells apart, and of texts. */
export interface Variants {
  /** The member that tells objects apart, with a reader for each value; undefined for one kind. */
  readonly tag: { readonly member: Member; readonly known: ReadonlyMap<string, ValueReader> } | undefined;
  /** Objects with any other tag, or without tags. */
  readonly other: ValueReader | undefined;
  /** Objects whose tag is missing. */
  readonly untagged: ValueReader;
  readonly takesText: boolean;
}

/** Reads values of a union. */
export class UnionReader implements ValueReader {
  constructor(
    private readonly path: string,
    private readonly variants: Variants,
  ) {}

  read(value: unknown, reading: Reading): unknown {
    const { takesText } = this.variants;
    if (isRecord(value)) return this.#readObject(value, reading);
    if (takesText && typeof value === 'string') return value;
    if (takesText && typeof value !== 'object') return reading.otherKind(this.path, 'string', value);
    reading.wrongKind(this.path, takesText ? 'object_or_text' : 'object', value);
    return value;
  }

  #readObject(value: Record<string, unknown>, reading: Reading): unknown {
    const { tag, other = anything, untagged } = this.variants;
    if (tag === undefined) return other.read(value, reading);
    const { member, known } = tag;
    readMember(value, member.name, value[member.name], member, reading);
    const name = value[member.name];
    const isUntagged = name === undefined || name === null;
    return (isUntagged ? untagged : (known.get(name as string) ?? other)).read(value, reading);
  }
}
