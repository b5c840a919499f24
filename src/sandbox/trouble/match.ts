import * as z from 'zod/mini';
import { labelOf } from '../../resources/labels.js';
import type { Operation } from '../../schema/operation.js';
import { misspeltName } from '../../util/did-you-mean.js';
import { countAboveZero, text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import type { State } from '../core/records/state.js';
import type { RequestHead } from '../core/request/messages.js';
import { accountIn, idIn, pathOf, type RouteMatch } from '../core/request/route.js';
import type { Delivery } from '../webhooks/delivery/delivery.js';

/**
 * The requests, or the deliveries of webhooks, that a trouble applies to. It applies where all
 * given conditions are met.
 */
export interface TroubleMatch {
  /** Only requests of this operation: `accounts.quotes.get`, `quotes.get` or `Get quote`. */
  readonly operation?: string | undefined;
  /** Only requests with the id of this account in the path. */
  readonly accountId?: string | undefined;
  /** Only requests with the id of this user, or of an account of this user, in the path. */
  readonly userId?: string | undefined;
  /** Only requests with the id of this webhook in the path; with `delivery`, deliveries to it. */
  readonly webhookId?: string | undefined;
  /** Only requests with this `API-Key`. */
  readonly apiKey?: string | undefined;
  /** Only requests with this `Idempotency-Key`, in any letter case. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Only requests with this path, without query. A final `*` matches every path that starts with
   * what precedes it.
   */
  readonly path?: string | undefined;
  /** Only deliveries of events of this kind, for example `quote.executed`. */
  readonly event?: string | undefined;
  /** Only deliveries of this event. */
  readonly eventId?: string | undefined;
  /** The trouble starts with the nth match: the nth that meets all other conditions. Default 1. */
  readonly nth?: number | undefined;
}

/** A request whose head has arrived. */
export interface ArrivedRequest {
  readonly head: RequestHead;
  readonly match: RouteMatch;
}

/** The schemas of the conditions that requests can meet, besides `operation`. */
export const REQUEST_CONDITIONS = {
  accountId: z.optional(text),
  userId: z.optional(text),
  webhookId: z.optional(text),
  apiKey: z.optional(text),
  idempotencyKey: z.optional(text),
  path: z.optional(text),
  nth: z.optional(countAboveZero),
};

/** The conditions that requests can meet, and the conditions that deliveries can meet. */
export const REQUEST_MEMBERS: readonly string[] = ['operation', ...Object.keys(REQUEST_CONDITIONS)];
export const DELIVERY_MEMBERS: readonly string[] = ['webhookId', 'event', 'eventId', 'nth'];

/** True if a request meets all conditions. `operation` is the one that the match names. */
export function isOfRequest(
  { accountId, userId, webhookId, apiKey, idempotencyKey, path }: TroubleMatch,
  operation: Operation | undefined,
  { head, match }: ArrivedRequest,
  state: State,
): boolean {
  if (operation !== undefined && operation !== match.operation) return false;
  if (accountId !== undefined && accountIn(match) !== accountId) return false;
  if (userId !== undefined && userOf(match, state) !== userId) return false;
  if (webhookId !== undefined && idIn(match, 'webhook_id') !== webhookId) return false;
  if (apiKey !== undefined && head.header('api-key') !== apiKey) return false;
  if (idempotencyKey !== undefined && !isSameKey(head.header('idempotency-key'), idempotencyKey)) return false;
  return path === undefined || isPath(head.target, path);
}

/** True if a delivery meets all conditions. */
export function isOfDelivery(match: TroubleMatch, { type, webhookId, eventId }: Delivery): boolean {
  if (match.event !== undefined && match.event !== type) return false;
  if (match.webhookId !== undefined && match.webhookId !== webhookId) return false;
  return match.eventId === undefined || match.eventId === eventId;
}

function userOf(match: RouteMatch, state: State): string | undefined {
  const accountId = accountIn(match);
  return accountId === undefined ? idIn(match, 'user_id') : state.ownerOf(state, accountId)?.id;
}

const isSameKey = (key: string | undefined, wanted: string): boolean => key?.toLowerCase() === wanted.toLowerCase();

/** True if a request target has the path. */
export function isPath(target: string, wanted: string): boolean {
  return wanted.endsWith('*') ? target.startsWith(wanted.slice(0, -1)) : wanted === pathOf(target);
}

/**
 * Returns the operation with this name or title, in any letter case, or the only one whose name
 * ends with it: `quotes.get` is `accounts.quotes.get`.
 *
 * @throws TypeError that names the operation that was probably meant, else lists all.
 */
export function operationNamed(method: string, operations: readonly Operation[], wanted: string): Operation {
  const name = wanted.toLowerCase();
  const found = operations.find((one) => one.name.toLowerCase() === name || labelOf(one).title.toLowerCase() === name);
  if (found !== undefined) return found;
  const [ending, ...more] = operations.filter((one) => one.name.toLowerCase().endsWith(`.${name}`));
  if (ending !== undefined && more.length === 0) return ending;
  const meant = misspelt(wanted, operations);
  const advice = meant === undefined ? `. Known: ${operations.map(listed).join(', ')}` : `: did you mean ${meant}?`;
  throw new TypeError(`${method}: there is no operation "${excerpt(wanted)}"${advice}`);
}

const listed = (operation: Operation): string => `${operation.name} (${labelOf(operation).title})`;

/** Returns the name for a misspelt name, or for the misspelt end of only one. */
function misspelt(wanted: string, operations: readonly Operation[]): string | undefined {
  const parts = wanted.split('.').length;
  const endOf = (name: string): string => name.split('.').slice(-parts).join('.');
  const names = operations.map(({ name }) => name);
  const end = misspeltName(wanted, names.map(endOf));
  const [meant, ...others] = names.filter((name) => endOf(name) === end);
  return misspeltName(wanted, names) ?? (others.length === 0 ? meant : undefined);
}
