import type { RecordKind } from './records.js';
import type { AccountState, State } from './state.js';

/** A record with its account. */
export interface FoundRecord<T> {
  readonly account: AccountState;
  readonly record: T;
}

/** Looks for a record in all accounts. */
export function findRecord<T>({ accounts }: State, kind: RecordKind<T>, id: string): FoundRecord<T> | undefined {
  for (const account of accounts.values()) {
    const record = account.records.of(kind).get(id);
    if (record !== undefined) return { account, record };
  }
  return undefined;
}

/** Returns all records of a kind, account by account, oldest first. */
export function allRecords<T>({ accounts }: State, kind: RecordKind<T>): FoundRecord<T>[] {
  return [...accounts.values()].flatMap((account) =>
    Array.from(account.records.of(kind).values(), (record) => ({ account, record })),
  );
}
