import { all } from '../../core/kind/find.js';
import type { AnnouncedState, AnyKind } from '../../core/kind/kind.js';
import { KINDS } from '../../kinds/registry/index.js';
import type { Delivery } from '../../webhooks/delivery/delivery.js';
import { membersIn } from '../../webhooks/delivery/payload.js';
import { type CheckRule, findingOf } from './check.js';

/** Rules about states whose events must be delivered, one for each kind that has such a state. */
export const ANNOUNCED_STATE_RULES: readonly CheckRule[] = KINDS.flatMap((kind) =>
  kind.announced === undefined ? [] : [ruleOf(kind, kind.announced)],
);

function ruleOf(kind: AnyKind, { state: announced, event, check, title, meaning, pending }: AnnouncedState): CheckRule {
  const evidenceOf = (text: string) => (id: string) => ({ text, resource: { kind: kind.name, id } });
  return {
    ...{ id: check, title, meaning },
    judge({ service: { state, webhooks } }) {
      const statuses = bestStatuses(webhooks.deliveries.filter(({ type }) => type === event));
      const ids = all(state, kind).flatMap(({ id, record }) => (kind.stateOf?.(record) === announced ? [id] : []));
      const lost = ids.filter((id) => statuses.get(id) === 'failed');
      const isSeen = ids.some((id) => statuses.get(id) === 'delivered');
      const evidence = lost.map(evidenceOf('No webhook took its event.'));
      if (evidence.length > 0 || isSeen || ids.length === 0) return findingOf(isSeen, evidence);
      return { status: 'unseen', evidence: ids.map(evidenceOf(pending)) };
    },
  };
}

/** Returns the best delivery status of each resource's event. */
function bestStatuses(deliveries: readonly Delivery[]): ReadonlyMap<string, Delivery['status']> {
  const found = new Map<string, Delivery['status']>();
  for (const { body, status } of deliveries) {
    const id = String(membersIn(body)['id']);
    const before = found.get(id);
    if (before === undefined || before === 'failed' || status === 'delivered') found.set(id, status);
  }
  return found;
}
