import type * as z from 'zod/mini';
import { once } from '../../../schema/operation.js';
import { BoundedMap } from '../../../util/bounded-map.js';

/** An amount that a record under way holds of its account. */
interface HeldAmount {
  readonly symbol: string;
  readonly type: string;
  readonly amount: string;
}

/** A kind of records: plain JSON data, which a snapshot keeps. */
export interface RecordKind<T> {
  /** Its name in a snapshot. */
  readonly name: string;
  /** The rules of a saved record, as far as the sandbox reads it. */
  readonly schema: () => z.core.$ZodType<T, T>;
  /** Returns what a record of an account holds now. Default: nothing. */
  readonly holds?: (record: T) => readonly HeldAmount[];
  /** Maximum number of records kept of one owner; the oldest are dropped first. Default 10,000. */
  readonly limit?: number;
}

/** A kind whose type of records is not known. */
export interface AnyRecordKind extends Omit<RecordKind<never>, 'schema'> {
  readonly schema: () => z.core.$ZodType;
}

/** The records of an owner, by the name of their kind: ids and records, oldest first. */
export type SavedRecords = Record<string, [id: string, record: unknown][]>;

/** Ids and records, oldest first. */
type Entries<T> = readonly (readonly [id: string, record: T])[];

export const MAX_RECORDS = 10_000;

/** The records of an account or of the partner, of any number of kinds. */
export class Records {
  readonly #byKind = new Map<string, BoundedMap<string, unknown>>();
  /** Kinds whose first records are not made yet, or were, by name. */
  readonly #begun = new Map<string, { kind: RecordKind<never>; first: () => Entries<unknown> }>();

  /** Makes the first records of a kind when they are needed. */
  begin<T>(kind: RecordKind<T>, make: () => Entries<T>): void {
    this.#begun.set(kind.name, { kind: kind as unknown as RecordKind<never>, first: once(make) });
  }

  /**
   * Oldest first. `set` makes a record the newest, and returns the records that were dropped for
   * it.
   */
  of<T>({ name, limit = MAX_RECORDS }: RecordKind<T>): BoundedMap<string, T> {
    let records = this.#byKind.get(name);
    if (records === undefined) {
      records = new BoundedMap<string, unknown>(limit, this.#begun.get(name)?.first());
      this.#byKind.set(name, records);
    }
    return records as BoundedMap<string, T>;
  }

  /** A copy, in the order of the names. Records never change, so it shares them. */
  save(): SavedRecords {
    for (const { kind } of this.#begun.values()) this.of(kind);
    const saved: SavedRecords = {};
    for (const [name, records] of [...this.#byKind].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const entries = [...records.entries()];
      if (entries.length > 0) saved[name] = entries;
    }
    return saved;
  }

  /** A copy to read: nothing is added to it. Records never change, so it shares them. */
  copy(): Records {
    const copy = new Records();
    for (const [name, begun] of this.#begun) copy.#begun.set(name, begun);
    for (const [name, records] of this.#byKind) {
      copy.#byKind.set(name, new BoundedMap(Number.POSITIVE_INFINITY, [...records.entries()]));
    }
    return copy;
  }

  restore(saved: SavedRecords, kinds: readonly RecordKind<never>[]): void {
    this.#byKind.clear();
    this.#begun.clear();
    for (const kind of kinds) {
      for (const [id, record] of saved[kind.name] ?? []) this.of(kind).set(id, record as never);
    }
  }
}
