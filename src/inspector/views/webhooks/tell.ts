import { attemptEnd, stateOf, type Told } from '../../parts/entries/deliveries.js';
import { spanOf } from '../../parts/values/times.js';
import type { NameOf } from './shown.js';

/** How an event has fared, in a sentence. */
export function titleOf(deliveries: readonly Told[], nameOf: NameOf): string {
  const [count, [first]] = [deliveries.length, deliveries];
  const arrived = deliveries.filter(({ status }) => status === 'delivered').length;
  if (count === 1) return `${arrived === 1 ? 'Delivered' : 'Not delivered'} to ${nameOf(first?.webhookId ?? '')}.`;
  return `Delivered to ${arrived === count ? 'all' : `${arrived} of`} ${count} endpoints.`;
}

/**
 * What is wrong with a delivery, and what comes next, in a sentence. Undefined: nothing is wrong.
 */
export function troubleOf(delivery: Told, nameOf: NameOf, now: number | undefined): string | undefined {
  const { webhookId, reason, nextAttemptAt: at, last } = delivery;
  const state = stateOf(delivery);
  if (state === 'delivered') return undefined;
  if (state === 'lost') return `${nameOf(webhookId)}: nothing was sent, but the service counts it as delivered.`;
  const next = at === undefined ? 'it is under way' : `next attempt ${dueWords(at, now)}`;
  const end =
    last?.status === undefined ? last && attemptEnd(last) : `it responded ${last.status}, but only 2xx counts`;
  const then = reason === undefined ? next : `no attempt follows: ${reason}`;
  return `${nameOf(webhookId)}: ${end === undefined ? then : `${end}; ${then}`}.`;
}

/** When something comes, by the sandbox's clock. */
export const dueWords = (at: number, now = at): string => (at <= now ? 'now' : `in ${spanOf(at - now)}`);
