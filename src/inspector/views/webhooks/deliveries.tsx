import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DeliverySummary, WebhookOverview } from '../../../sandbox/webhooks/controls/reports.js';
import type { Delivery, DeliveryAttempt } from '../../../sandbox/webhooks/delivery/delivery.js';
import type { WebhookVerdict } from '../../../sandbox/webhooks/verify/verify.js';
import { Action, CallButton } from '../../parts/actions/action.js';
import { Copy } from '../../parts/actions/copy.js';
import { FactList } from '../../parts/fact-list.js';
import { SearchField } from '../../parts/forms/search-field.js';
import { Select } from '../../parts/forms/select.js';
import { type Reading, useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { momentOf, spanOf, timeOf } from '../../parts/values/format.js';
import { VirtualList } from '../../parts/virtual-list.js';
import { call } from '../../wire/api.js';
import { webhookChoices } from './choices.js';
import type { Draft } from './signature.js';
import { Message, Signature, signatureIn } from './signature.js';

/** As in the style sheet. */
const ROW_HEIGHT = 30;

/** Deliveries that are read at first, and that each further look adds. */
const STEP = 500;

/** Which deliveries are listed. Empty text: all. */
export interface Filter {
  readonly q: string;
  readonly status: string;
  readonly kind: string;
  readonly webhookId: string;
  readonly limit: number;
}

export const NO_FILTER: Filter = { q: '', status: '', kind: '', webhookId: '', limit: STEP };

/** Reads the deliveries that fit, and again when something may have changed them. */
export function useDeliveries(filter: Filter): Reading<DeliverySummary[]> {
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return useReading<DeliverySummary[]>(`webhooks/deliverySummaries?${query}`);
}

interface DeliveryListProps {
  readonly reading: Reading<DeliverySummary[]>;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  readonly selected: string | undefined;
  readonly webhooks: readonly WebhookOverview[];
  readonly kinds: readonly string[];
  readonly now: number | undefined;
}

/** The deliveries, newest first, with what narrows them. */
export function DeliveryList({ reading, filter, setFilter, selected, webhooks, kinds, now }: DeliveryListProps) {
  const { data, problem } = reading;
  const set = (change: Partial<Filter>): void => setFilter({ ...filter, limit: STEP, ...change });
  if (selected !== undefined) opened.add(selected);
  const place = data?.findIndex(({ id }) => id === selected) ?? -1;
  return (
    <section class="list deliveries" aria-label="Deliveries">
      <search class="bar">
        <SearchField
          label="Search the deliveries"
          placeholder="Search: id, address, text of the body, status"
          value={filter.q}
          onText={(q) => set({ q })}
        />
        <Select
          label="Status of the delivery"
          value={filter.status}
          all="any status"
          of={['pending', 'delivered', 'failed']}
          onChange={(status) => set({ status })}
        />
        <Select
          label="Kind of the event"
          value={filter.kind}
          all="any kind"
          of={kinds}
          onChange={(kind) => set({ kind })}
        />
        <Select
          label="Webhook of the delivery"
          value={filter.webhookId}
          all="any webhook"
          of={webhookChoices(webhooks)}
          onChange={(webhookId) => set({ webhookId })}
        />
      </search>
      {data !== undefined && data.length > 0 && (
        <div class="handles recede">
          <span class="leads">
            <Action label="Retry all failed" method="webhooks/retryFailed" done="attempted" />
          </span>
          <RedeliverAll deliveries={data} />
        </div>
      )}
      {problem !== undefined && <p class="note">{problem}</p>}
      {data === undefined || data.length === 0 ? (
        <p class="empty">{data === undefined ? 'Loading …' : emptyWords(filter)}</p>
      ) : (
        <VirtualList
          items={data}
          rowHeight={ROW_HEIGHT}
          label="Deliveries, newest first"
          selected={place < 0 ? undefined : place}
          row={(one) => <Row key={one.id} delivery={one} now={now} isSelected={one.id === selected} />}
        />
      )}
      {data !== undefined && data.length >= filter.limit && (
        <button type="button" class="more" onClick={() => setFilter({ ...filter, limit: filter.limit + STEP })}>
          Show older ones than these {data.length}
        </button>
      )}
    </section>
  );
}

interface RedeliverAllProps {
  readonly deliveries: readonly DeliverySummary[];
}

/** Sends all that is listed once more, one after the other, oldest first. */
function RedeliverAll({ deliveries }: RedeliverAllProps) {
  const redeliver = async (): Promise<void> => {
    for (const { id } of deliveries.toReversed()) await call('webhooks/redeliver', id);
  };
  const label = deliveries.length === 1 ? 'Redeliver the one shown' : `Redeliver the ${deliveries.length} shown`;
  return <CallButton label={label} done="attempted" run={redeliver} />;
}

function emptyWords({ limit: _, ...filter }: Filter): string {
  if (Object.values(filter).some((value) => value !== '')) return 'No delivery matches the filters.';
  return 'Nothing was delivered yet. Register a webhook, then send an event.';
}

interface RowProps {
  readonly delivery: DeliverySummary;
  readonly now: number | undefined;
  readonly isSelected: boolean;
}

/** Deliveries that the reader has opened. The others are marked as unread. */
const opened = new Set<string>();

const TONES = { delivered: 'good', pending: 'warn', failed: 'bad' } as const;

function Row({ delivery, now, isSelected }: RowProps) {
  const { id, type, status, attempts, last, nextAttemptAt } = delivery;
  const at = last?.at ?? nextAttemptAt ?? 0;
  const isUnread = !isSelected && !opened.has(id);
  const details = [
    last === undefined ? 'not attempted yet' : missedOf(last),
    status === 'pending' && nextAttemptAt !== undefined && `next ${dueWords(nextAttemptAt, now)}`,
    attempts > 1 && `${attempts} attempts`,
    last?.url,
  ];
  return (
    <li>
      <a
        class={isUnread ? 'row delivery is-unread' : 'row delivery'}
        href={hrefOf('webhooks', id)}
        aria-current={isSelected ? 'true' : undefined}
      >
        <span class="time" title={momentOf(at)}>
          {timeOf(at).slice(0, 8)}
          <span class="millis">{timeOf(at).slice(8)}</span>
        </span>
        <span class={`tone-${TONES[status]}`}>{status}</span>
        <span class="what">
          <span class="title">{type}</span>
          {last?.status !== undefined && (
            <span class={`badge tone-${isGood(last.status) ? 'good' : 'bad'}`}>{last.status}</span>
          )}
          <span class="detail">{details.filter(Boolean).join(' · ')}</span>
        </span>
      </a>
    </li>
  );
}

/** When something comes, by the sandbox's clock. */
function dueWords(at: number, now: number | undefined): string {
  if (now === undefined) return timeOf(at);
  return at <= now ? 'now' : `in ${spanOf(at - now)}`;
}

interface DeliveryDetailsProps {
  readonly id: string;
  readonly webhooks: readonly WebhookOverview[];
  readonly now: number | undefined;
  readonly verify: (draft: Draft) => void;
}

/** A delivery with each of its attempts. */
export function DeliveryDetails({ id, webhooks, now, verify }: DeliveryDetailsProps) {
  const place = encodeURIComponent(id);
  const box = useRef<HTMLElement>(null);
  const { data, problem } = useReading<Delivery>(`webhooks/deliveries/${place}`);
  const verdicts = useReading<(WebhookVerdict | null)[]>(`webhooks/verifyDelivery/${place}`);
  const isRead = data !== undefined;
  // The reader may have scrolled to what stands below.
  useLayoutEffect(() => box.current?.scrollIntoView(), [isRead]);
  if (data === undefined) {
    return (
      <section class="details" aria-label="Delivery">
        <p>{problem === undefined ? 'Loading …' : `There is no delivery ${id}, or it cannot be read.`}</p>
        <a href={hrefOf('webhooks')}>All deliveries</a>
      </section>
    );
  }
  const newest = data.attempts.length - 1;
  return (
    <section class="details" aria-label={`Delivery ${id}`} ref={box}>
      <header>
        <h2>{data.type}</h2>
        <a class="close" href={hrefOf('webhooks')} aria-label="Close the details">
          ×
        </a>
      </header>
      <Facts delivery={data} webhooks={webhooks} now={now} />
      <div class="fields">
        <Action label="Redeliver" method="webhooks/redeliver" args={[id]} done="attempted" />
        {data.nextAttemptAt !== undefined && now !== undefined && data.nextAttemptAt > now && (
          <Action label="Move the clock to the next attempt" method="clock/set" args={[data.nextAttemptAt]} />
        )}
        <Copy label="Copy the body" of="the delivery" text={data.body} />
      </div>
      <h3>Attempts, newest first</h3>
      {newest < 0 && <p class="hint">No attempt yet.</p>}
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
    'why no more retries': reason,
    'why not delivered': why,
    'next attempt': next,
    webhook: webhook === undefined ? `${webhookId} (removed)` : `${webhook.url}\n${webhookId}`,
    event: eventId,
    delivery: id,
  };
  return (
    <FactList
      facts={[
        ...Object.entries(facts),
        ['caused by', cause !== undefined && <a href={hrefOf('requests', cause)}>entry {cause} of the timeline</a>],
      ]}
    />
  );
}

interface AttemptProps {
  readonly number: number;
  /** At first. */
  readonly isOpen: boolean;
  readonly attempt: DeliveryAttempt;
  /** Undefined: it is not known. */
  readonly verdict: WebhookVerdict | undefined;
  readonly webhooks: readonly WebhookOverview[];
  readonly verify: (draft: Draft) => void;
}

/** One attempt: what was sent, how it was signed, and what was answered. */
function Attempt({ number, isOpen: isOpenAtFirst, attempt, verdict, webhooks, verify }: AttemptProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { at, ms, request, answer, redelivery, copy, fault, status } = attempt;
  const kind = copy === true ? 'duplicate' : redelivery ? 'redelivery' : 'scheduled';
  return (
    <details class="attempt" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{number}</strong> <span class="time">{timeOf(at)}</span>{' '}
        <span class={isGood(status) ? 'tone-good' : 'tone-bad'}>{outcomeOf(attempt)}</span>{' '}
        <span class="hint">
          · {spanOf(ms)} · {kind}
          {fault !== undefined && ` · ${fault}`}
        </span>
      </summary>
      {isOpen && request === undefined && (
        <p class="hint">
          The sandbox does not have what was sent: it was lost, dropped as too old, or sent before a restart.
        </p>
      )}
      {isOpen && request !== undefined && (
        <>
          <h3>Signature</h3>
          {verdict === undefined ? <p class="hint">Loading …</p> : <Signature verdict={verdict} webhooks={webhooks} />}
          <button
            type="button"
            onClick={() => verify({ body: request.body, signature: signatureIn(request.headers), real: request.real })}
          >
            Verify this delivery
          </button>
          <Message title={`Request · POST ${attempt.url}`} {...request} />
          {answer === undefined ? (
            <p class="hint">There was no answer.</p>
          ) : (
            <Message title={`Answer ${answer.status}`} {...answer} />
          )}
        </>
      )}
    </details>
  );
}

/** The end of an attempt, for a person. */
export function outcomeOf({ status, error, lost }: DeliveryAttempt): string {
  if (lost === true) return 'lost on the way: nothing was sent, but the service counts it as delivered';
  if (status === undefined) return error === undefined ? 'no answer' : `${reasonOf(error)} (${error})`;
  if (isGood(status)) return `the receiver answered ${status}`;
  const why = status >= 300 && status < 400 ? 'redirects are not followed' : 'only 2xx counts as received';
  return `the receiver answered ${status}: ${why}`;
}

const isGood = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;

/** The end of an attempt without an answer, in a few words for a list. */
function missedOf({ status, error = 'no answer', lost }: DeliveryAttempt): string | undefined {
  if (lost === true) return 'lost';
  return status === undefined ? reasonOf(error) : undefined;
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens at this address'],
  [/ENOTFOUND|EAI_AGAIN/, 'the host name is unknown'],
  [/EHOSTUNREACH|ENETUNREACH/, 'this address cannot be reached'],
  [/no answer within|ETIMEDOUT/, 'the receiver did not answer in time'],
  [/ECONNRESET|socket hang up|ended without an answer/, 'the receiver closed the connection without an answer'],
  [/certificate|self.signed|CERT|SSL|EPROTO/i, 'the TLS connection was not trusted'],
];

function reasonOf(error: string): string {
  return REASONS.find(([pattern]) => pattern.test(error))?.[1] ?? 'there was no answer';
}
