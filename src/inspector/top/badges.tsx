import type { BooksCheck } from '../../sandbox/kinds/registry/books.js';
import type { WebhookOverview } from '../../sandbox/webhooks/controls/reports.js';
import { useReading } from '../parts/hooks.js';
import { hrefOf } from '../parts/links/route.js';
import { useTroubles } from '../parts/troubles.js';

/** Present troubles: faults, outcomes set ahead, bad webhooks, scenarios. */
export function FaultBadge() {
  const { troubles } = useTroubles();
  const running = troubles.filter(({ collection }) => collection === 'scenarios').length;
  const active = troubles.length - running;
  const parts = [
    ...(active === 0 ? [] : [`${active} ${active === 1 ? 'fault' : 'faults'} active`]),
    ...(running === 0 ? [] : [`${running} ${running === 1 ? 'scenario runs' : 'scenarios run'}`]),
  ];
  if (parts.length === 0) return null;
  return (
    <a class="badge tone-bad" href={hrefOf('faults')}>
      <span class="short">
        {active + running} {active + running === 1 ? 'fault' : 'faults'}
      </span>
      <span class="long">⚠ {parts.join(' · ')}</span>
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
