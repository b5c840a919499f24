import { all, atMoment, resourceId } from '../../core/kind/find.js';
import type { AnyKind, Owner } from '../../core/kind/kind.js';
import type { State } from '../../core/records/state.js';
import { KINDS } from '../../kinds/registry/index.js';
import type { WebhookHost } from '../../webhooks/host.js';

/** A resource as its kind finds it. */
export interface Found {
  readonly id: string;
  /** Undefined: it belongs to no account. */
  readonly account?: string | undefined;
  /** Undefined: the user of the account. */
  readonly user?: string | undefined;
  /** `''` for a kind without states. */
  readonly status: string;
  /** As the API or the sandbox shows it. */
  readonly record: unknown;
}

/** Every kind of resources, by name. Webhooks are a kind of their own sort: they deliver events. */
export const RESOURCE_KINDS: readonly string[] = [...KINDS.map(({ name }) => name), 'webhooks'];

type Finder = (host: WebhookHost) => Found[];

/** The kinds that are looked up in other ways. */
const OTHER_KINDS: Readonly<Record<string, Finder>> = {
  webhooks: ({ webhooks }) =>
    webhooks.subscriptions.list().map(({ subscription }) => ({
      ...{ id: subscription.id, status: subscription.disabled === true ? 'disabled' : 'enabled' },
      record: subscription,
    })),
};

/** Returns all resources of a kind as they are now, oldest first. */
export function resourcesOf(host: WebhookHost, kind: string): Found[] {
  const finder = OTHER_KINDS[kind];
  if (finder !== undefined) return finder(host);
  const defined = KINDS.find(({ name }) => name === kind);
  return defined === undefined ? [] : foundOf(host.state, defined);
}

const foundOf = (state: State, kind: AnyKind): Found[] =>
  all(state, kind).map(({ account, id, record: kept }) => {
    const record = atMoment(kind, kept, state.clock.now());
    const status = kind.stateOf?.(record) ?? '';
    const of = { id: resourceId(kind, account, id), account: (account as Owner)?.id, user: kind.userId?.(record) };
    return { ...of, status, record: kind.shown(record, state, account) };
  });

/** Returns how many resources of each kind there are. */
export function countsOf(host: WebhookHost): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of KINDS) counts.set(kind.name, all(host.state, kind).length);
  for (const [kind, finder] of Object.entries(OTHER_KINDS)) counts.set(kind, finder(host).length);
  return counts;
}
