import type * as z from 'zod/mini';
import { once } from '../../../schema/operation.js';
import { BoundedMap } from '../../../util/bounded-map.js';

/** An amount that an open record holds of its account's balance. */
interface HeldAmount {
  readonly symbol: string;
  readonly type: string;
  readonly amount: string;
}

/** A kind of records: plain JSON data, which a snapshot keeps. */
export interface RecordKind<T> {
  /** Name in a snapshot. */
  readonly name: string;
  /** Schema of a saved record: the members that the sandbox reads. */
  readonly schema: () => z.core.$ZodType<T, T>;
  /** Returns the amounts that a record of an account holds now. Default: none. */
  readonly holds?: (record: T) => readonly HeldAmount[];
  /** Maximum number of records kept per owner; the oldest are dropped first. Default 10,000. */
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

/** The records of an account or of the partner, of all kinds. */
export class Records {
  readonly #byKind = new Map<string, BoundedMap<string, unknown>>();
  /** Functions that make the initial records of kinds, by the name of the kind. */
  readonly #begun = new Map<string, { kind: RecordKind<never>; first: () => Entries<unknown> }>();

  /** Registers a function that makes the initial records of a kind at their first use. */
  begin<T>(kind: RecordKind<T>, make: () => Entries<T>): void {
    this.#begun.set(kind.name, { kind: kind as unknown as RecordKind<never>, first: once(make) });
  }

  /**
   * Returns the records of a kind, oldest first. `set` makes a record the newest, and returns the
   * records that were dropped because of the limit.
   */
  of<T>({ name, limit = MAX_RECORDS }: RecordKind<T>): BoundedMap<string, T> {
    let records = this.#byKind.get(name);
    if (records === undefined) {
      records = new BoundedMap<string, unknown>(limit, this.#begun.get(name)?.first());
      this.#byKind.set(name, records);
    }
    return records as BoundedMap<string, T>;
  }

  /** Returns a copy, in the order of the names. It shares the records, which never change. */
  save(): SavedRecords {
    for (const { kind } of this.#begun.values()) this.of(kind);
    const saved: SavedRecords = {};
    for (const [name, records] of [...this.#byKind].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const entries = [...records.entries()];
      if (entries.length > 0) saved[name] = entries;
    }
    return saved;
  }

  restore(saved: SavedRecords, kinds: readonly RecordKind<never>[]): void {
    this.#byKind.clear();
    this.#begun.clear();
    for (const kind of kinds) {
      for (const [id, record] of saved[kind.name] ?? []) this.of(kind).set(id, record as never);
    }
  }
}
