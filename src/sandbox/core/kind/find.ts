import type { RecordKind } from '../records/records.js';
import type { State } from '../records/state.js';
import type { AnyKind, Found, Kind, Owner } from './kind.js';

/** Returns an owner's records of a kind, oldest first. */
export function recordsOf<R>(state: State, kind: RecordKind<R>, account: Owner) {
  return (account ?? state).records.of(kind);
}

/** Finds a resource of the account with the id `of`, or else of any owner. */
export function find<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  id: string,
  of?: string,
): Found<R, Of> | undefined {
  if (kind.resources !== undefined) return kind.resources(state).find((found) => found.id === id);
  const one = of === undefined ? undefined : state.accounts.get(of);
  for (const account of one === undefined ? ownersOf(state, kind) : [one as Of]) {
    const record = recordsOf(state, kind, account).get(id);
    if (record !== undefined) return { account, id, record };
  }
  return undefined;
}

/** Returns a record as it is at a time: it may have expired by then. */
export function atMoment<R, Of extends Owner>({ expiry, stateOf, inState }: Kind<R, Of>, record: R, now: number): R {
  if (expiry === undefined || inState === undefined) return record;
  return stateOf?.(record) === expiry.from && expiry.at(record) <= now ? inState(record, expiry.to, now) : record;
}

/** Returns an id that is unique among all resources of the kind. */
export const resourceId = (kind: Pick<AnyKind, 'isNamedByAccount'>, account: Owner, id: string): string =>
  kind.isNamedByAccount === true ? `${account?.id}:${id}` : id;

/** Returns all resources of a kind, owner by owner, oldest first. */
export function all<R, Of extends Owner>(state: State, kind: Kind<R, Of>): Found<R, Of>[] {
  if (kind.resources !== undefined) return [...kind.resources(state)];
  return ownersOf(state, kind).flatMap((account) =>
    Array.from(recordsOf(state, kind, account).entries(), ([id, record]) => ({ account, id, record })),
  );
}

/** Returns the newest resource of the last owner that has one. */
export function newest<R, Of extends Owner>(state: State, kind: Kind<R, Of>): R | undefined {
  return all(state, kind).at(-1)?.record;
}

/** The cast is sound: the kind defines who owns its records. */
const ownersOf = <R, Of extends Owner>({ accounts }: State, { owner }: Kind<R, Of>): Of[] =>
  (owner === 'account' ? [...accounts.values()] : [undefined]) as Of[];
