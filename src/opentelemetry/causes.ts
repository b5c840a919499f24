import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';
import { BoundedMap } from '../util/bounded-map.js';
import { processWide } from '../util/platform.js';

/** Maximum number of ids that are stored; the oldest are dropped first. About 3 MB. */
const MAX_IDS = 10_000;

/** The spans of the calls that created or changed a resource, by its id: for all clients. */
const causes = processWide('causes', () => new BoundedMap<string, SpanContext>(MAX_IDS));

/** Notes that the call of this span created or changed the resources with these ids. */
export function remember(ids: readonly string[], span: SpanContext): void {
  if (!isSpanContextValid(span)) return;
  for (const id of ids) causes.set(id, span);
}

/** Returns the span of the call of this process that last created or changed the resource. */
export const causeOf = (id: string): SpanContext | undefined => causes.get(id);
