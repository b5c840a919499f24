import { isRecord } from '../util/options.js';
import { kindNamed } from './messages.js';
import { decimalOf, NOT_AMOUNT } from './parse-decimal.js';
import type { Place, Reading, ValueReader } from './reading.js';

/** Takes every value. */
export const anything: ValueReader = { read: (value) => value };

/** Reads values that `typeof` describes, and checks the length of texts. */
export class ScalarReader implements ValueReader {
  constructor(
    private readonly path: string,
    readonly type: 'string' | 'number' | 'boolean',
    readonly maxLength: number = Infinity,
  ) {}

  read(value: unknown, reading: Reading): unknown {
    if (typeof value !== this.type) reading.wrongKind(this.path, kindNamed(this.type), value);
    else if (typeof value === 'string' && value.length > this.maxLength) {
      reading.issue(this.path, `must have at most ${this.maxLength} characters`);
    }
    // JSON has no infinite number, but JSON.parse() reads 1e999 as one.
    else if (value === Infinity || value === -Infinity) reading.issue(this.path, 'is too large for a number');
    return value;
  }
}

/** Reads amounts: text that becomes a `Decimal`. */
export class AmountReader implements ValueReader {
  constructor(private readonly path: string) {}

  read(value: unknown, reading: Reading): unknown {
    const amount = typeof value === 'string' ? decimalOf(value) : undefined;
    if (amount !== undefined) return amount;
    if (typeof value === 'string') reading.issue(this.path, NOT_AMOUNT);
    else reading.wrongKind(this.path, 'a decimal as text', value);
    return value;
  }
}

/** Reads values that have a rule of their own, for example a literal. */
export class RuleReader implements ValueReader {
  /** @param faultOf Returns the message about a value that breaks the rule. */
  constructor(
    private readonly path: string,
    private readonly faultOf: (value: unknown) => string | undefined,
  ) {}

  read(value: unknown, reading: Reading): unknown {
    const message = this.faultOf(value);
    if (message !== undefined) reading.issue(this.path, message);
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
      reading.wrongKind(this.path, 'a list', value);
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
      reading.wrongKind(this.path, 'an object', value);
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
    if (!takesText || typeof value !== 'string') {
      reading.wrongKind(this.path, takesText ? 'an object or text' : 'an object', value);
    }
    return value;
  }

  #readObject(value: Record<string, unknown>, reading: Reading): unknown {
    const { tag, other = anything, untagged } = this.variants;
    if (tag === undefined) return other.read(value, reading);
    const { member, known } = tag;
    const given = value[member.name];
    if (typeof given === 'string') return (known.get(given) ?? other).read(value, reading);
    if (given !== undefined && given !== null) {
      reading.wrongKind(member.path, 'text', given);
      return value;
    }
    readMember(value, member.name, given, member, reading);
    return untagged.read(value, reading);
  }
}
