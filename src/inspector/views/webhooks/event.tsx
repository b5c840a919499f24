import { Action, Button } from '../../parts/actions/button.js';
import { Cause } from '../../parts/entries/cause.js';
import { attemptEnd, stateOf, type Told, toneOf, worstOf } from '../../parts/entries/deliveries.js';
import { useReading } from '../../parts/hooks.js';
import { Dot, Story, type StoryStep, Verdict } from '../../parts/marks.js';
import { mayMove } from '../../parts/moving.js';
import { Missing, Pane } from '../../parts/pane.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { momentOf, spanOf } from '../../parts/values/times.js';
import { counted } from '../../parts/values/words.js';
import { hrefHere } from '../../wire/address.js';
import { call } from '../../wire/api.js';
import type { Delivery, DeliveryAttempt, WebhookVerdict } from '../../wire/sandbox.js';
import { Exchange, linesOf } from './exchange.js';
import { hrefTo, type NameOf, useEndpoints } from './shown.js';

/** The event that a delivery belongs to. */
export function EventOfDelivery({ id }: { readonly id: string }) {
  const { data, problem } = useReading<Delivery>(`webhooks/deliveries/${id}`);
  if (data !== undefined) return <EventPane id={data.eventId} deliveryId={id} />;
  return problem === undefined ? null : <Missing what="Delivery" closeHref={hrefHere()} />;
}

interface EventPaneProps {
  readonly id: string;
  /** What is chosen of it. Default: the first that has not arrived, and its newest attempt. */
  readonly deliveryId?: string | undefined;
  readonly attempt?: string | undefined;
}

/** An event: how it fared, the attempts at each receiver, and what was sent. */
export function EventPane({ id, deliveryId, attempt }: EventPaneProps) {
  const { data } = useReading<readonly Delivery[]>(`webhooks/deliveries?eventId=${encodeURIComponent(id)}`);
  const { nameOf } = useEndpoints();
  const now = useSandboxNow();
  const deliveries = (data ?? []).map((one) => ({ ...one, last: one.attempts.at(-1) }));
  const [first] = deliveries;
  if (first === undefined) return data === undefined ? null : <Missing what="Event" closeHref={hrefHere()} />;
  const named = deliveries.find((one) => one.id === deliveryId);
  const chosen = named ?? deliveries.find(({ status }) => status !== 'delivered') ?? first;
  const number = Number(attempt ?? chosen.attempts.length);
  const troubles = deliveries.flatMap((one) => troubleOf(one, nameOf, now) ?? []);
  return (
    <Pane label={`Event ${id}`} title={first.type} closeHref={hrefHere()}>
      <p class="soft hook-head">
        {momentOf(first.at)} · {id}
        {first.cause !== undefined && [' · caused by ', <Cause key="cause" seq={first.cause} />]}
      </p>
      <Verdict tone={worstOf(deliveries)} title={titleOf(deliveries, nameOf)}>
        {troubles.slice(0, 3).join(' ')}
      </Verdict>
      {deliveries.map((one) => (
        <Receiver key={one.id} delivery={one} chosen={one === chosen ? number : undefined} />
      ))}
      <Moves deliveries={deliveries} />
      <Attempted key={chosen.id} delivery={chosen} number={number} />
    </Pane>
  );
}

/** How an event has fared, in a sentence. */
function titleOf(all: readonly Told[], nameOf: NameOf): string {
  const arrived = all.filter(({ status }) => status === 'delivered').length;
  if (all.length > 1)
    return `Delivered to ${arrived === all.length ? 'all' : `${arrived} of`} ${all.length} endpoints.`;
  return `${arrived === 1 ? 'Delivered' : 'Not delivered'} to ${all.map(({ webhookId }) => nameOf(webhookId)).join()}.`;
}

/** What is wrong with a delivery, and what comes next. Undefined: nothing is wrong. */
function troubleOf(delivery: Told, nameOf: NameOf, now: number | undefined): string | undefined {
  const { webhookId, reason, nextAttemptAt: at, last } = delivery;
  const state = stateOf(delivery);
  if (state === 'delivered') return undefined;
  if (state === 'lost') return `${nameOf(webhookId)}: nothing was sent, but the service counts it as delivered.`;
  const next = at === undefined ? 'it is under way' : `next attempt ${dueWords(at, now)}`;
  const then = reason === undefined ? next : `no attempt follows: ${reason}`;
  if (last === undefined) return `${nameOf(webhookId)}: ${then}.`;
  const end = last.status === undefined ? attemptEnd(last) : `it responded ${last.status}, but only 2xx counts`;
  return `${nameOf(webhookId)}: ${end}; ${then}.`;
}

/** When something comes, by the sandbox's clock. */
const dueWords = (at: number, now = at): string => (at <= now ? 'now' : `in ${spanOf(at - now)}`);

interface ReceiverProps {
  readonly delivery: Delivery & Told;
  /** The number of the attempt that is open. Undefined: none of this receiver is. */
  readonly chosen: number | undefined;
}

/**
 * An endpoint: the attempts to reach it, and the one that is to come. All are shown of one
 * receiver.
 */
function Receiver({ delivery, chosen }: ReceiverProps) {
  const { id, eventId, webhookId, attempts, last } = delivery;
  const name = useEndpoints().nameOf(webhookId);
  return (
    <section class="receiver" aria-label={name}>
      <div class="heading">
        <h3>
          <a href={hrefTo({ show: 'endpoints' }, webhookId)}>{name}</a>
        </h3>
        <Action label="Redeliver" of={`to ${name}`} method="webhooks/redeliver" args={[id]} done="attempted" />
      </div>
      {chosen === undefined ? (
        <p>
          <Dot tone={toneOf(delivery)} /> <a href={hrefHere(eventId, id)}>{counted(attempts.length, 'attempt')}</a>{' '}
          {last && moreOf(last)}
        </p>
      ) : (
        <Attempts of={delivery} name={name} chosen={chosen} />
      )}
    </section>
  );
}

interface AttemptsProps {
  readonly of: Delivery;
  readonly name: string;
  readonly chosen: number;
}

function Attempts({ of: { id, eventId, attempts, at: began, nextAttemptAt: next }, name, chosen }: AttemptsProps) {
  const now = useSandboxNow();
  const placed = (at: number) => ({ when: `+${spanOf(at - began)}`, exact: momentOf(at) });
  const steps = attempts.map((attempt, index): StoryStep => {
    const { at, status = 0, lost } = attempt;
    const number = index + 1;
    const link = { href: hrefHere(eventId, id, number), 'aria-current': number === chosen };
    return {
      ...placed(at),
      tone: status >= 200 && status < 300 && lost !== true ? 'good' : 'bad',
      what: <a {...link}>Attempt {number}</a>,
      more: moreOf(attempt),
    };
  });
  if (next !== undefined) steps.push({ ...placed(next), tone: 'plain', what: `Next ${dueWords(next, now)}` });
  return <Story label={`Attempts at ${name}`} steps={steps} />;
}

/** For example `500 · 9 ms · redelivery · trouble_2`. */
function moreOf(attempt: DeliveryAttempt): string {
  const kind = attempt.copy === true ? 'duplicate' : attempt.redelivery && 'redelivery';
  return [attemptEnd(attempt), spanOf(attempt.ms), kind, attempt.fault].filter(Boolean).join(' · ');
}

/** What can be done with all deliveries of an event. */
function Moves({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const { own } = useEndpoints();
  const now = useSandboxNow() ?? Infinity;
  const able = deliveries.filter(({ webhookId }) => own.some(({ id, disabled }) => id === webhookId && !disabled));
  const next = Math.min(...deliveries.flatMap(({ nextAttemptAt: at = now }) => (at > now ? at : [])));
  const ask = () => `Sends this ${deliveries[0]?.type} again to ${able.length} endpoints.`;
  const redeliver = async (): Promise<void> => {
    for (const { id } of able) await call('webhooks/redeliver', id);
  };
  const move = async () => (await mayMove(() => next)) && call('clock/set', next);
  return (
    <p class="actions">
      {able.length > 1 && (
        <Button label={`Redeliver to all ${able.length}`} done="attempted" ask={ask} run={redeliver} />
      )}
      {next < Infinity && <Button label="Move the clock to the next attempt" run={move} />}
    </p>
  );
}

/** What was sent with an attempt, and the response; before the first one what will be sent. */
function Attempted({ delivery, number }: { readonly delivery: Delivery; readonly number: number }) {
  const { id, body, attempts, webhookId } = delivery;
  const name = useEndpoints().nameOf(webhookId);
  const { data: verdicts } = useReading<readonly (WebhookVerdict | null)[]>(`webhooks/verifyDelivery/${id}`);
  const { request, answer, error = 'none was received' } = attempts[number - 1] ?? {};
  const response = answer && `HTTP ${answer.status}\n${linesOf(answer.headers)}\n\n${answer.body}`;
  return (
    <>
      <h3 class="heading">
        {attempts.length === 0 ? 'To be sent' : `Attempt ${number}`} to {name} · {id}
      </h3>
      <Exchange
        sent={request}
        body={request?.body ?? body}
        verdict={verdicts?.[number - 1] ?? undefined}
        response={response ?? `No response: ${error}`}
      />
    </>
  );
}
