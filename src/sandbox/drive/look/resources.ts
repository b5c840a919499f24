import { excerpt } from '../../core/basics/excerpt.js';
import { all } from '../../core/kind/find.js';
import type { State } from '../../core/records/state.js';
import type { ChangeEntry } from '../../core/timeline/entries.js';
import { type AccountHolding, holdingsOf } from '../../kinds/registry/books.js';
import { users } from '../../kinds/users.js';
import type { WebhookHost } from '../../webhooks/host.js';
import type { RecentEntries } from '../service/recent-entries.js';
import { type AgendaEntry, agendaOf } from './agenda.js';
import { type Found, resourcesOf } from './kinds.js';
import { movesFrom, type ResourceMove } from './moves.js';

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
  /**
   * Changes of its state, oldest first, as far as they are among the newest 10,000 of all
   * resources. Empty unless the sandbox was made with `inspect`.
   */
  readonly history: readonly ResourceChange[];
}

/** Filter of resources. */
export interface ResourceFilter {
  /** Only resources of this account. Default: all. */
  readonly account?: string | undefined;
  /** Only resources in this state. Default: all. */
  readonly status?: string | undefined;
  /**
   * Only resources with this text in id, account, user or record, in any letter case. Default: all.
   */
  readonly q?: string | undefined;
  /** Maximum number of resources. Default 100. */
  readonly limit?: number | undefined;
  /** Only resources after the one with this id. Default: starts with the newest. */
  readonly after?: string | undefined;
}

const DEFAULT_LIMIT = 100;

/** Reads the resources of a sandbox. */
export class Resources {
  readonly #host: WebhookHost;
  readonly #state: State;
  readonly #changes: RecentEntries<'change'>;

  constructor(host: WebhookHost, changes: RecentEntries<'change'>) {
    this.#host = host;
    this.#state = host.state;
    this.#changes = changes;
  }

  /**
   * Returns resources, newest first.
   *
   * @throws Error for an unknown `after`.
   */
  list(kind: string, { account, status, q, limit = DEFAULT_LIMIT, after }: ResourceFilter): SandboxResource[] {
    const found = resourcesOf(this.#host, kind).reverse();
    const times = new Map(found.map((one) => [one, createdAtOf(one)]));
    found.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
    const place = after === undefined ? -1 : found.findIndex(({ id }) => id === after);
    if (after !== undefined && place < 0)
      throw new Error(`resources.list: there is none with the id ${excerpt(after)}`);
    const users = this.#users();
    const next = this.#next();
    return found
      .slice(place + 1)
      .filter((one) => (account === undefined || one.account === account) && (status ?? one.status) === one.status)
      .filter((one) => q === undefined || textOf(one, users).includes(q.toLowerCase()))
      .slice(0, limit)
      .map((one) => this.#shown(kind, one, users, next));
  }

  get(kind: string, id: string): ResourceDetails | undefined {
    const found = resourcesOf(this.#host, kind).find((one) => one.id === id);
    if (found === undefined) return undefined;
    const history = this.#changes.read().entries.flatMap((entry): ResourceChange[] => {
      if (entry.resource !== kind || entry.id !== id) return [];
      const { seq, at, real, cause, from, to } = entry;
      return [{ seq, at, real, cause, from, to }];
    });
    return { ...this.#shown(kind, found, this.#users(), this.#next()), history };
  }

  #shown(
    kind: string,
    { id, account, user, status, record }: Found,
    users: ReadonlyMap<string, string>,
    agenda: ReadonlyMap<string, AgendaEntry>,
  ): SandboxResource {
    const owner = user ?? users.get(account ?? '');
    const next = agenda.get(keyOf(kind, id));
    const held = kind === 'accounts' ? this.#state.accounts.get(id) : undefined;
    return {
      id,
      kind,
      ...(account === undefined ? {} : { account }),
      ...(owner === undefined ? {} : { user: owner }),
      ...(status === '' ? {} : { status }),
      ...(next === undefined ? {} : { next }),
      moves: movesFrom(kind, id, status),
      record: structuredClone(record),
      ...(held === undefined ? {} : { holdings: holdingsOf(held) }),
    };
  }

  /** Returns the user of each account. */
  #users(): ReadonlyMap<string, string> {
    return new Map(
      all(this.#state, users).flatMap(({ record: { user } }) => user.accounts.map(({ id }) => [id, user.id])),
    );
  }

  /** Returns the next entry of the agenda for each resource. */
  #next(): ReadonlyMap<string, AgendaEntry> {
    const agenda = agendaOf(this.#state, { limit: Number.POSITIVE_INFINITY }).reverse();
    return new Map(agenda.map((entry) => [keyOf(entry.resource, entry.id), entry]));
  }
}

/** Returns the creation time of a resource; 0 for a kind whose resources do not contain it. */
function createdAtOf({ record }: Found): number {
  const { created_at, linked_at, at, expires_at } = record as Readonly<Record<string, string | number | undefined>>;
  const moment = created_at ?? linked_at ?? at ?? expires_at ?? 0;
  return typeof moment === 'number' ? moment : Date.parse(moment);
}

/** Returns the texts that a search looks in. */
const textOf = ({ id, account = '', user, record }: Found, users: ReadonlyMap<string, string>): string =>
  [id, account, user ?? users.get(account), JSON.stringify(record)].join(' ').toLowerCase();

const keyOf = (resource: string | undefined, id: string): string => JSON.stringify([resource, id]);
