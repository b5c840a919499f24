import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { WebhookSample } from '../../../sandbox/webhooks/controls/samples.js';
import { useAddressed } from '../../parts/addressed.js';
import { useReading } from '../../parts/hooks.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import type { ViewProps } from '../../parts/view-props.js';
import { DeliveryDetails } from './deliveries/delivery-details.js';
import { DeliveryList, type Filter, NO_FILTER, useDeliveries } from './deliveries/delivery-list.js';
import { Inbox } from './inbox/inbox.js';
import { BadWebhooks } from './sending/bad-webhooks.js';
import { Send } from './sending/send.js';
import { type Draft, Verify } from './signature/verify.js';
import { Subscriptions } from './subscriptions/subscriptions.js';

const { limit: _, ...NARROWED } = NO_FILTER;

/** Webhooks, their deliveries, and what tries a receiver. */
export function Webhooks({ id }: ViewProps) {
  const { data: webhooks, problem, again } = useReading<WebhookOverview[]>('webhooks');
  const { data: samples = [], again: readSamples } = useReading<WebhookSample[]>('webhooks/samples');
  const now = useSandboxNow();
  const [limit, setLimit] = useState(NO_FILTER.limit);
  const [narrowed, narrow] = useAddressed('webhooks', NARROWED);
  const filter = { ...narrowed, limit };
  const setFilter = ({ limit: next, ...texts }: Filter): void => {
    setLimit(next);
    narrow(texts);
  };
  const [draft, setDraft] = useState<Draft>();
  const deliveries = useDeliveries(filter);
  const kinds = samples.map(({ kind }) => kind);
  const own = (webhooks ?? []).filter(({ receives }) => receives);
  const changed = (): void => {
    again();
    deliveries.again();
  };
  return (
    <div class={id === undefined ? 'webhooks' : 'webhooks has-details'}>
      <div class="webhooks-log">
        <DeliveryList
          reading={deliveries}
          filter={filter}
          setFilter={setFilter}
          selected={id}
          webhooks={own}
          kinds={kinds}
          now={now}
        />
        {id !== undefined && <DeliveryDetails key={id} id={id} webhooks={own} now={now} verify={setDraft} />}
      </div>
      <div class="webhooks-desk">
        <Subscriptions
          webhooks={webhooks}
          problem={problem}
          kinds={kinds}
          onChange={changed}
          showOf={(webhookId) => setFilter({ ...NO_FILTER, webhookId })}
        />
        <Send webhooks={own} samples={samples} readSamples={readSamples} />
        <Inbox webhooks={own} verify={setDraft} />
        <BadWebhooks webhooks={own} kinds={kinds} />
        <Verify given={draft} webhooks={own} />
      </div>
    </div>
  );
}
