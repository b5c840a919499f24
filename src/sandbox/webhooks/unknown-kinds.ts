import { WEBHOOK_KINDS } from '../../resources/webhook-kinds.js';
import { nearestName } from '../../util/did-you-mean.js';
import type { Cause } from '../core/request/refusal.js';

/** Returns the unknown kinds of events. They are accepted, but probably never occur. */
export function unknownKinds(events: readonly string[] = []): Cause[] {
  const known: readonly string[] = WEBHOOK_KINDS;
  return events.flatMap((kind, index) => {
    if (known.includes(kind)) return [];
    const meant = nearestName(kind, known);
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
    return [{ field: `events.${index}`, message: `${kind} is not a known kind of event${hint}` }];
  });
}
