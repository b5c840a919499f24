import { Action, Button } from '../../parts/actions/button.js';
import { Cause } from '../../parts/entries/cause.js';
import { attemptEnd, worstOf } from '../../parts/entries/deliveries.js';
import { useReading } from '../../parts/hooks.js';
import { Story, type StoryStep, Verdict } from '../../parts/marks.js';
import { mayMove } from '../../parts/moving.js';
import { Missing, Pane } from '../../parts/pane.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { momentOf, spanOf } from '../../parts/values/times.js';
import { hrefHere } from '../../wire/address.js';
import { call } from '../../wire/api.js';
import type { Delivery, DeliveryAttempt, WebhookVerdict } from '../../wire/sandbox.js';
import { Exchange, linesOf } from './exchange.js';
import { hrefTo, useEndpoints } from './shown.js';
import { dueWords, titleOf, troubleOf } from './tell.js';

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
        {first.cause !== undefined && ' · caused by '}
        {first.cause !== undefined && <Cause seq={first.cause} />}
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

interface ReceiverProps {
  readonly delivery: Delivery;
  /** The number of the attempt that is open. Undefined: the newest alone is shown. */
  readonly chosen: number | undefined;
}

/** An endpoint: the attempts to reach it, and the one that is to come. */
function Receiver({ delivery, chosen }: ReceiverProps) {
  const now = useSandboxNow();
  const { id, eventId, webhookId, attempts, at: began, nextAttemptAt: next } = delivery;
  const name = useEndpoints().nameOf(webhookId);
  const placed = (at: number) => ({ when: `+${spanOf(at - began)}`, exact: momentOf(at) });
  const steps = attempts.map((attempt, index): StoryStep => {
    const { at, status = 0, lost } = attempt;
    const [number, isGood] = [index + 1, status >= 200 && status < 300 && lost !== true];
    const link = { href: hrefHere(eventId, id, number), 'aria-current': number === chosen };
    return {
      ...placed(at),
      tone: isGood ? 'good' : 'bad',
      what: <a {...link}>Attempt {number}</a>,
      more: moreOf(attempt),
    };
  });
  const shown = chosen === undefined ? steps.slice(-1) : steps;
  if (next !== undefined) shown.push({ ...placed(next), tone: 'plain', what: `Next ${dueWords(next, now)}` });
  return (
    <section class="receiver" aria-label={name}>
      <div class="heading">
        <h3>
          <a href={hrefTo({ show: 'endpoints' }, webhookId)}>{name}</a>
        </h3>
        <Action label="Redeliver" of={`to ${name}`} method="webhooks/redeliver" args={[id]} done="attempted" />
      </div>
      <Story label={`Attempts at ${name}`} steps={shown} />
    </section>
  );
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
  const move = async () => (await mayMove(now, next)) && call('clock/set', next);
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
