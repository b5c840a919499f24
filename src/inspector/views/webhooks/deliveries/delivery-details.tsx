import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import type { Delivery } from '../../../../sandbox/webhooks/delivery/delivery.js';
import type { WebhookVerdict } from '../../../../sandbox/webhooks/verify/verify.js';
import { Action } from '../../../parts/actions/action.js';
import { Copy } from '../../../parts/actions/copy.js';
import { useReading } from '../../../parts/hooks.js';
import { hrefOf } from '../../../parts/links/route.js';
import { momentOf } from '../../../parts/values/format.js';
import type { Draft } from '../signature/verify.js';
import { Attempt } from './attempt.js';
import { dueWords } from './delivery-list.js';
import { outcomeOf } from './outcome.js';

interface DeliveryDetailsProps {
  readonly id: string;
  readonly webhooks: readonly WebhookOverview[];
  readonly now: number | undefined;
  readonly verify: (draft: Draft) => void;
}

/** A delivery with each of its attempts. */
export function DeliveryDetails({ id, webhooks, now, verify }: DeliveryDetailsProps) {
  const place = encodeURIComponent(id);
  const { data, problem, again } = useReading<Delivery>(`webhooks/deliveries/${place}`);
  const verdicts = useReading<(WebhookVerdict | null)[]>(`webhooks/verifyDelivery/${place}`);
  if (data === undefined) {
    return (
      <section class="details" aria-label="Delivery">
        <p>{problem === undefined ? 'Reading …' : `There is no delivery ${id}, or it cannot be read now.`}</p>
        <a href={hrefOf('webhooks')}>All deliveries</a>
      </section>
    );
  }
  const redone = (): void => {
    again();
    verdicts.again();
  };
  const newest = data.attempts.length - 1;
  return (
    <section class="details" aria-label={`Delivery ${id}`}>
      <header>
        <h2>{data.type}</h2>
        <a class="close" href={hrefOf('webhooks')} aria-label="Close the details">
          ×
        </a>
      </header>
      <Facts delivery={data} webhooks={webhooks} now={now} />
      <div class="fields">
        <Action label="Redeliver" method="webhooks/redeliver" args={[id]} done="attempted" onDone={redone} />
        {data.nextAttemptAt !== undefined && now !== undefined && data.nextAttemptAt > now && (
          <Action label="Move the clock to the next attempt" method="clock/set" args={[data.nextAttemptAt]} />
        )}
        <Copy label="copy the body" of="the delivery" text={data.body} />
      </div>
      <h3>Attempts, newest first</h3>
      {newest < 0 && <p class="hint">There was no attempt yet.</p>}
      {data.attempts
        .map((attempt, index) => (
          <Attempt
            key={index}
            number={index + 1}
            isOpen={index === newest}
            attempt={attempt}
            verdict={verdicts.data?.[index] ?? undefined}
            webhooks={webhooks}
            verify={verify}
          />
        ))
        .reverse()}
    </section>
  );
}

interface FactsProps {
  readonly delivery: Delivery;
  readonly webhooks: readonly WebhookOverview[];
  readonly now: number | undefined;
}

function Facts({ delivery, webhooks, now }: FactsProps) {
  const { id, status, reason, webhookId, eventId, nextAttemptAt, attempts, cause } = delivery;
  const webhook = webhooks.find((one) => one.id === webhookId);
  const last = attempts.at(-1);
  const next = nextAttemptAt === undefined ? undefined : `${dueWords(nextAttemptAt, now)}, ${momentOf(nextAttemptAt)}`;
  const why = status === 'delivered' || last === undefined ? undefined : outcomeOf(last);
  const facts: Readonly<Record<string, string | undefined>> = {
    status,
    'given up': reason,
    'why not delivered': why,
    'next attempt': next,
    webhook: webhook === undefined ? `${webhookId} (removed)` : `${webhook.url}\n${webhookId}`,
    event: eventId,
    delivery: id,
  };
  return (
    <dl class="facts">
      {Object.entries(facts).flatMap(([name, value]) =>
        value === undefined ? [] : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>],
      )}
      {cause !== undefined && [
        <dt key="cause name">brought about by</dt>,
        <dd key="cause">
          <a href={hrefOf('timeline', cause)}>entry {cause} of the timeline</a>
        </dd>,
      ]}
    </dl>
  );
}
