import type { BooksCheck } from '../../sandbox/kinds/registry/books.js';
import type { WebhookOverview } from '../../sandbox/webhooks/controls/reports.js';
import { useReading } from '../parts/hooks.js';
import { hrefOf } from '../parts/links/route.js';
import { useTroubles } from '../parts/troubles.js';

/** Present troubles: faults, outcomes set ahead, bad webhooks. */
export function FaultBadge() {
  const active = useTroubles().data?.length ?? 0;
  if (active === 0) return null;
  return (
    <a class="badge tone-bad" href={hrefOf('faults')}>
      <span class="long">⚠ </span>
      {active} {active === 1 ? 'fault' : 'faults'}
      <span class="long"> active</span>
    </a>
  );
}

export function DeliveryBadge() {
  const { data = [] } = useReading<WebhookOverview[]>('webhooks');
  const failing = data.reduce((sum, webhook) => sum + webhook.failing, 0);
  if (failing === 0) return null;
  return (
    <a class="badge tone-bad" href={hrefOf('webhooks')}>
      <span class="long">⚠ </span>
      {failing} <span class="long">{failing === 1 ? 'delivery ' : 'deliveries '}</span>failing
    </a>
  );
}

/** The proof that no money was made or lost. */
export function BooksBadge() {
  const { data } = useReading<BooksCheck>('books/check');
  if (data === undefined) return null;
  return (
    <a class={`badge ${data.isBalanced ? 'tone-good' : 'tone-bad'}`} href={hrefOf('money')}>
      {data.isBalanced ? <span>books balance ✓</span> : '⚠ books do not balance'}
    </a>
  );
}
