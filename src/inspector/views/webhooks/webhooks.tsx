import { useState } from 'preact/hooks';
import type { WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { WebhookSample } from '../../../sandbox/webhooks/controls/trigger.js';
import { useAddressed } from '../../parts/addressed.js';
import { useReading } from '../../parts/hooks.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import type { ViewProps } from '../../parts/view-props.js';
import { DeliveryDetails, DeliveryList, type Filter, NO_FILTER, useDeliveries } from './deliveries.js';
import { Inbox } from './inbox.js';
import { BadWebhooks, Send } from './sending.js';
import { type Draft, Verify } from './signature.js';
import { Subscriptions } from './subscriptions.js';

const { limit: _, ...NARROWED } = NO_FILTER;

/** Webhooks, their deliveries, and what tries a receiver. */
export function Webhooks({ id }: ViewProps) {
  const { data: webhooks, problem } = useReading<WebhookOverview[]>('webhooks');
  const { data: samples = [] } = useReading<WebhookSample[]>('webhooks/samples');
  const now = useSandboxNow();
  const [limit, setLimit] = useState(NO_FILTER.limit);
  const [narrowed, narrow] = useAddressed('webhooks', NARROWED);
  const filter = { ...narrowed, limit };
  const setFilter = ({ limit: next, ...texts }: Filter): void => {
    setLimit(next);
    narrow(texts);
  };
  const [asked, setAsked] = useState<{ readonly count: number; readonly draft?: Draft }>({ count: 0 });
  const verify = (draft: Draft): void => setAsked({ count: asked.count + 1, draft });
  const deliveries = useDeliveries(filter);
  const kinds = samples.map(({ kind }) => kind);
  const own = (webhooks ?? []).filter(({ receives }) => receives);
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
      </div>
      <div class="webhooks-desk">
        {id !== undefined && <DeliveryDetails key={id} id={id} webhooks={own} now={now} verify={verify} />}
        <Subscriptions
          webhooks={webhooks}
          problem={problem}
          kinds={kinds}
          showOf={(webhookId) => setFilter({ ...NO_FILTER, webhookId })}
        />
        <Send webhooks={own} samples={samples} />
        <Inbox webhooks={own} verify={verify} />
        <BadWebhooks webhooks={own} kinds={kinds} />
        {/* Another delivery begins another form. */}
        <Verify key={asked.count} given={asked.draft} webhooks={own} />
      </div>
    </div>
  );
}
