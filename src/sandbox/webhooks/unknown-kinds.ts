import { WEBHOOK_KINDS } from '../../resources/webhook-kinds.js';
import { nearestName } from '../../util/did-you-mean.js';
import type { Cause } from '../core/request/refusal.js';

/**
 * Returns the event kinds that are unknown. The set is open, so they are accepted, but a
 * subscription to one probably never receives an event.
 */
export function unknownKinds(events: readonly string[] = []): Cause[] {
  const known: readonly string[] = WEBHOOK_KINDS;
  return events.flatMap((kind, index) => {
    if (known.includes(kind)) return [];
    const meant = nearestName(kind, known);
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
    return [{ field: `events.${index}`, message: `${kind} is not a known kind of event${hint}` }];
  });
}
