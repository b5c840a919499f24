import * as z from 'zod/mini';
import { count, text } from '../../core/basics/checked.js';
import { itemsAfter } from '../../core/basics/items-after.js';
import { all } from '../../core/kind/find.js';
import type { AnyKind } from '../../core/kind/kind.js';
import { groupOf, movesFrom as namesFrom } from '../../core/moves.js';
import type { State } from '../../core/records/state.js';
import type { ChangeEntry } from '../../core/timeline/entries.js';
import { type AccountHolding, holdingsOf } from '../../kinds/registry/books.js';
import { KINDS } from '../../kinds/registry/index.js';
import { users } from '../../kinds/users.js';
import type { WebhookHost } from '../../webhooks/dispatcher.js';
import type { RecentEntries } from '../service/recent-entries.js';
import { type AgendaEntry, agendaOf } from './agenda.js';
import { type Found, resourcesOf } from './kinds.js';

/** A resource as it is now. */
export interface SandboxResource {
  readonly id: string;
  readonly kind: string;
  readonly account?: string | undefined;
  readonly user?: string | undefined;
  /** Absent for a kind without states. */
  readonly status?: string | undefined;
  /** Its next scheduled step. */
  readonly next?: AgendaEntry | undefined;
  /** The methods of the sandbox that its current state allows. */
  readonly moves: readonly ResourceMove[];
  /** Record as the API or the sandbox shows it. */
  readonly record: unknown;
  /** Only for an account: its balance of each asset, and the open orders that hold parts of it. */
  readonly holdings?: readonly AccountHolding[] | undefined;
}

/** A change of a resource's state. */
export type ResourceChange = Pick<ChangeEntry, 'seq' | 'at' | 'real' | 'cause' | 'from' | 'to'>;

/** A resource with its history. */
export interface ResourceDetails extends SandboxResource {
  /** Changes of its state among the newest 10,000 of all, oldest first. Needs `inspect`. */
  readonly history: readonly ResourceChange[];
}

/** Filter of resources. */
export interface ResourceFilter {
  /** Only resources of this account. */
  readonly accountId?: string | undefined;
  /** Only resources in this state. */
  readonly status?: string | undefined;
  /** Only resources with this text in id, account, user or record, in any letter case. */
  readonly q?: string | undefined;
  /** Maximum number of resources. Default 100. */
  readonly limit?: number | undefined;
  /** Only resources after the one with this id, which are older. */
  readonly after?: string | undefined;
}

export const resourceFilter = z.strictObject({
  accountId: z.optional(text),
  status: z.optional(text),
  q: z.optional(text),
  limit: z.optional(count),
  after: z.optional(text),
});

const DEFAULT_LIMIT = 100;

/** Reads the resources of a sandbox as they are now. */
export class Resources {
  readonly #host: WebhookHost;
  readonly #state: State;
  readonly #changes: RecentEntries<'change'>;
  /** The user of each account. */
  readonly #users: ReadonlyMap<string, string>;
  /** The next entry of the agenda for each resource. */
  readonly #next: ReadonlyMap<string, AgendaEntry>;

  constructor(host: WebhookHost, changes: RecentEntries<'change'>) {
    const { state } = host;
    state.clock.catchUp();
    this.#host = host;
    this.#state = state;
    this.#changes = changes;
    this.#users = new Map(
      all(state, users).flatMap(({ record: { user } }) => user.accounts.map(({ id }) => [id, user.id])),
    );
    const agenda = agendaOf(state, { limit: Number.POSITIVE_INFINITY }).reverse();
    this.#next = new Map(agenda.map((entry) => [keyOf(entry.resource, entry.id), entry]));
  }

  /**
   * Returns resources, newest first.
   *
   * @throws Error for an unknown `after`.
   */
  list(kind: string, { accountId, status, q = '', limit = DEFAULT_LIMIT, after }: ResourceFilter): SandboxResource[] {
    const found = resourcesOf(this.#host, kind).reverse();
    const times = new Map(found.map((one) => [one, createdAtOf(one)]));
    found.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
    return itemsAfter('resources.list', found, 'id', after)
      .filter((one) => (accountId ?? one.account) === one.account && (status ?? one.status) === one.status)
      .filter((one) => q === '' || this.#textOf(one).includes(q.toLowerCase()))
      .slice(0, limit)
      .map((one) => this.#shown(kind, one));
  }

  get(kind: string, id: string): ResourceDetails | undefined {
    const found = resourcesOf(this.#host, kind).find((one) => one.id === id);
    if (found === undefined) return undefined;
    const history = this.#changes.read().entries.flatMap((entry): ResourceChange[] => {
      if (entry.resource !== kind || entry.id !== id) return [];
      const { seq, at, real, cause, from, to } = entry;
      return [{ seq, at, real, cause, from, to }];
    });
    return { ...this.#shown(kind, found), history };
  }

  #shown(kind: string, found: Found): SandboxResource {
    const { id, account, status, record } = found;
    const user = this.#userOf(found);
    const next = this.#next.get(keyOf(kind, id));
    const held = kind === 'accounts' ? this.#state.accounts.get(id) : undefined;
    return {
      id,
      kind,
      ...(account === undefined ? {} : { account }),
      ...(user === undefined ? {} : { user }),
      ...(status === '' ? {} : { status }),
      ...(next === undefined ? {} : { next }),
      moves: movesFrom(kind, id, status),
      record: structuredClone(record),
      ...(held === undefined ? {} : { holdings: holdingsOf(held) }),
    };
  }

  #userOf({ account = '', user }: Found): string | undefined {
    return user ?? this.#users.get(account);
  }

  /** Returns the texts that a search looks in. */
  #textOf(found: Found): string {
    const { id, account, record } = found;
    return [id, account, this.#userOf(found), JSON.stringify(record)].join(' ').toLowerCase();
  }
}

/** Returns the creation time of a resource; 0 for a kind whose resources do not contain it. */
function createdAtOf({ record }: Found): number {
  const { created_at, linked_at, at, expires_at } = record as Readonly<Record<string, string | number | undefined>>;
  const moment = created_at ?? linked_at ?? at ?? expires_at ?? 0;
  return typeof moment === 'number' ? moment : Date.parse(moment);
}

const keyOf = (resource: string | undefined, id: string): string => JSON.stringify([resource, id]);

/** A method of the sandbox that the current state of a resource allows, with its arguments. */
export interface ResourceMove {
  /** For example `expire`. */
  readonly name: string;
  /** For example `quotes.expire`. */
  readonly method: string;
  /** Its arguments, as for `POST /_sandbox/quotes/expire`. */
  readonly args: readonly unknown[];
}

const OF_WEBHOOKS: readonly string[] = ['webhooks.rotateSecret', 'webhooks.remove'];

/** Returns the method calls that a state allows. */
export function movesFrom(name: string, id: string, status: string): ResourceMove[] {
  const kind = KINDS.find((one) => one.name === name);
  const { offers = [] } = kind ?? { offers: OF_WEBHOOKS };
  return [...(kind === undefined ? [] : movesOfKind(kind, id, status)), ...offers.map((method) => offerOf(method, id))];
}

const offerOf = (method: string, id: string): ResourceMove => ({
  name: method.slice(method.lastIndexOf('.') + 1),
  method,
  args: [id],
});

function movesOfKind(kind: AnyKind, id: string, status: string): ResourceMove[] {
  return namesFrom(kind, status).flatMap((name): ResourceMove[] => {
    const method = `${groupOf(kind)}.${name}`;
    const choices = kind.moves?.[name]?.choices?.(status);
    const args = argsOf(kind, id);
    if (choices === undefined) return [{ name, method, args }];
    return choices.map((last) => ({ name: `${name} ${last}`, method, args: [...args, last] }));
  });
}

/** Returns the arguments that identify a resource. */
function argsOf({ isNamedByAccount }: AnyKind, id: string): readonly string[] {
  const end = id.indexOf(':');
  return isNamedByAccount === true ? [id.slice(0, end), id.slice(end + 1)] : [id];
}
