import type { AccountState, State } from '../../core/records/state.js';
import type { ChangeEntry } from '../../core/timeline/entries.js';
import { ACCOUNT_KINDS, type AccountKind, type RecordMap, type StateMember } from './kinds.js';

/**
 * Notes every change of a state, and every posting. It makes the members that have the states tell
 * of it, so no code that changes one can forget to. A sandbox that is made without `inspect` has
 * none, and pays nothing.
 */
export class Watcher {
  readonly #state: State;
  readonly #watched = new WeakSet<object>();

  constructor(state: State) {
    this.#state = state;
    const { accounts } = state;
    this.#watchMap(accounts, (account) => this.#watchAccount(account));
    for (const account of accounts.values()) this.#watchAccount(account);
  }

  #note(resource: string, id: string, from: string | undefined, to: string, account?: string): void {
    this.#state.timeline.note<ChangeEntry>({
      kind: 'change',
      resource,
      id,
      ...(account === undefined ? {} : { account }),
      from,
      to,
    });
  }

  #watchAccount(account: AccountState): void {
    if (!this.#isNew(account)) return;
    for (const kind of ACCOUNT_KINDS) this.#watchKind(account, kind);
  }

  #watchKind(owner: AccountState, kind: AccountKind): void {
    const { id: account } = owner;
    const map = kind.mapOf(owner);
    const watch = (id: string, record: never): void => {
      const member = kind.member(record);
      if (member !== undefined)
        this.#watchMember(member, (from, to) => this.#note(kind.kindOf(record), id, from, to, account));
    };
    for (const [id, record] of map.entries()) watch(id, record);
    this.#watchMap(
      map,
      (record, before, key) => {
        const [from, to] = [before === undefined ? undefined : kind.statusOf(before), kind.statusOf(record)];
        watch(key, record);
        if (from !== to) this.#note(kind.kindOf(record), key, from, to, account);
      },
      (record, key) => this.#note(kind.kindOf(record), key, kind.statusOf(record), 'removed', account),
    );
  }

  #isNew(owner: object): boolean {
    const isNew = !this.#watched.has(owner);
    this.#watched.add(owner);
    return isNew;
  }

  /** Makes a member tell of each change. */
  #watchMember({ owner, name }: StateMember, changed: (from: string, to: string) => void): void {
    if (this.#isNew(owner)) watchMember(owner as Record<string, string>, name, changed as never);
  }

  /**
   * Makes a map tell what is set and deleted. Its own methods take the place of those of its class.
   */
  #watchMap<Value>(
    map: RecordMap<Value>,
    isSet: (value: Value, before: Value | undefined, key: string) => void,
    isDeleted: (value: Value, key: string) => void = () => {},
  ): void {
    if (!this.#isNew(map)) return;
    const [set, remove] = [map.set, map.delete];
    map.set = (key, value) => {
      const before = map.get(key);
      const result = set.call(map, key, value);
      isSet(value, before, key);
      return result;
    };
    map.delete = (key) => {
      const before = map.get(key);
      const result = remove.call(map, key);
      if (before !== undefined) isDeleted(before, key);
      return result;
    };
  }
}

/** Gives an object an accessor in place of a plain member. Copies of it have a plain one. */
function watchMember<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  changed: (from: Owner[Name], to: Owner[Name]) => void,
): void {
  let value = owner[name];
  Object.defineProperty(owner, name, {
    enumerable: true,
    configurable: true,
    get: () => value,
    set(to: Owner[Name]) {
      const from = value;
      value = to;
      if (from !== to) changed(from, to);
    },
  });
}
