import * as z from 'zod/mini';
import { nearestName } from '../../../util/did-you-mean.js';
import { all, atMoment, resourceId } from '../../core/kind/find.js';
import type { AnyKind, Owner } from '../../core/kind/kind.js';
import { statesOf } from '../../core/kind/states.js';
import type { State } from '../../core/records/state.js';
import { KINDS } from '../../kinds/registry/index.js';
import type { WebhookHost } from '../../webhooks/dispatcher.js';

/** A kind of resources. */
export interface ResourceKindInfo {
  /** For example `quotes`. */
  readonly kind: string;
  /** Number of resources of this kind. */
  readonly count: number;
  /** Absent for a kind without states. */
  readonly states?: readonly string[] | undefined;
}

/** A resource as the functions of its kind return it. */
export interface Found {
  readonly id: string;
  /** Undefined: the resource belongs to no account. */
  readonly account?: string | undefined;
  /** Id of its user. Undefined: the user of the account. */
  readonly user?: string | undefined;
  /** State of the resource; `''` for a kind without states. */
  readonly status: string;
  /** Record as the API or the sandbox shows it. */
  readonly record: unknown;
}

/** Every kind of resources, by name. Webhooks are not in `KINDS`, because they deliver events. */
export const RESOURCE_KINDS: readonly string[] = [...KINDS.map(({ name }) => name), 'webhooks'];

export const resourceKind = z.string().check(
  z.refine((kind) => RESOURCE_KINDS.includes(kind), {
    error({ input }) {
      const meant = nearestName(String(input), RESOURCE_KINDS);
      return `is unknown: ${meant === undefined ? '' : `did you mean ${meant}? `}resources.kinds lists all`;
    },
  }),
);

/** Returns all resources of a kind as they are now, oldest first. */
export function resourcesOf({ state, webhooks }: WebhookHost, name: string): Found[] {
  const kind = KINDS.find((one) => one.name === name);
  if (kind !== undefined) return foundOf(state, kind);
  return webhooks.subscriptions.list().map(({ subscription }) => ({
    id: subscription.id,
    status: subscription.disabled === true ? 'disabled' : 'enabled',
    record: subscription,
  }));
}

const foundOf = (state: State, kind: AnyKind): Found[] =>
  all(state, kind).map(({ account, id, record: kept }) => {
    const record = atMoment(kind, kept, state.clock.now());
    const status = kind.stateOf?.(record) ?? '';
    const of = { id: resourceId(kind, account, id), account: (account as Owner)?.id, user: kind.userId?.(record) };
    return { ...of, status, record: kind.shown(record, state, account) };
  });

/** Returns all kinds, in the order of `RESOURCE_KINDS`. */
export function kindsOf({ state, webhooks }: WebhookHost): ResourceKindInfo[] {
  const kinds = KINDS.map((kind) => {
    const states = kind.stateOf === undefined ? {} : { states: statesOf(kind) };
    return { kind: kind.name, count: all(state, kind).length, ...states };
  });
  const count = webhooks.subscriptions.list().length;
  return [...kinds, { kind: 'webhooks', count, states: ['enabled', 'disabled'] }];
}
