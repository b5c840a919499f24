import type { PlatformRequest, PlatformResponse } from '../../core/platform.js';
import { BoundedMap } from '../bounded-map.js';
import type { Clock } from '../clock.js';
import type { Random } from '../random.js';
import type { Task } from '../state.js';
import { BACKOFF_MS, type Delivery, type DeliveryAttempt } from './delivery.js';
import { signatureHeader } from './signature.js';
import { type EventKind, type SubscriptionRecord, Subscriptions } from './subscriptions.js';
import { Turns } from './turns.js';

/** How a delivery leaves the sandbox: the platform's fetch, or a function in its place. */
export type Deliver = (request: PlatformRequest) => Promise<PlatformResponse>;

/** What a dispatcher is made with. */
export interface DispatcherOptions {
  readonly clock: Clock<Task>;
  readonly random: Random;
  readonly subscriptions: readonly SubscriptionRecord[];
  readonly deliver: Deliver;
  /** Told after each attempt. */
  readonly onDelivery: (delivery: Delivery, attempt: DeliveryAttempt) => void;
}

type MutableDelivery = { -readonly [Key in keyof Delivery]: Delivery[Key] };

/** How many deliveries are remembered; the oldest go first. */
const DELIVERIES_KEPT = 10_000;

/** How many attempts run at a time. */
const CONCURRENT = 16;

/** `reference` §2: a delivery wants its 2xx within 30 s. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Delivers events to subscriptions, at least once each, and remembers what became of it. */
export class WebhookDispatcher {
  readonly subscriptions: Subscriptions;
  readonly #options: DispatcherOptions;
  #deliveries = new BoundedMap<string, MutableDelivery>(DELIVERIES_KEPT);
  /** Attempts that run or wait for their turn, by delivery. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #turns = new Turns(CONCURRENT);
  /** Ends each request that has no answer yet. */
  readonly #requests = new Set<AbortController>();
  #closed = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.subscriptions = new Subscriptions(options.clock, options.random, options.subscriptions);
  }

  /** Oldest first. */
  get deliveries(): Delivery[] {
    return Array.from(this.#deliveries.values(), (delivery) => ({ ...delivery, attempts: [...delivery.attempts] }));
  }

  /** Something has happened that webhooks are told of. `data` is written down as it is now. */
  emit(type: EventKind, data: unknown): void {
    const receivers = this.subscriptions.receivers(type);
    if (receivers.length === 0) return;
    const { clock, random } = this.#options;
    const eventId = `evt_${random.uuid()}`;
    const body = JSON.stringify({ id: eventId, type, data });
    for (const { subscription } of receivers) {
      const id = `dlv_${random.uuid()}`;
      const nextAttemptAt = clock.now();
      const common = { id, webhookId: subscription.id, eventId, type, body };
      this.#deliveries.set(id, { ...common, status: 'pending', attempts: [], nextAttemptAt });
      clock.plan(nextAttemptAt, { kind: 'webhook.attempt', delivery: id });
    }
  }

  /** Tries a delivery that is due. */
  attempt(id: string): void {
    const delivery = this.#deliveries.get(id);
    if (delivery?.status === 'pending' && !this.#running.has(id)) void this.#start(delivery);
  }

  /** One attempt more, whatever became of the delivery; resolves when it is over. */
  async redeliver(id: string): Promise<Delivery> {
    const delivery = this.#deliveries.get(id);
    if (delivery === undefined) throw new Error(`redeliver: there is no delivery ${id}`);
    await this.#start(delivery);
    return { ...delivery };
  }

  /** Resolves when no attempt runs or waits for its turn. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Ends the attempts under way; their deliveries stay pending. */
  close(): void {
    this.#closed = true;
    for (const request of this.#requests) request.abort();
  }

  save(): DispatcherData {
    return { subscriptions: this.subscriptions.list(), deliveries: this.deliveries };
  }

  /** Goes on from saved data: what was pending, also in the middle of an attempt, is tried when it is due. */
  restore({ subscriptions, deliveries }: DispatcherData): void {
    this.subscriptions.restore(subscriptions);
    this.#deliveries = new BoundedMap(
      DELIVERIES_KEPT,
      deliveries.map((delivery) => [delivery.id, { ...delivery }]),
    );
    const { clock } = this.#options;
    for (const { id, status, nextAttemptAt } of deliveries) {
      if (status === 'pending') clock.plan(nextAttemptAt ?? clock.now(), { kind: 'webhook.attempt', delivery: id });
    }
  }

  /** One attempt after the other for each delivery. */
  #start(delivery: MutableDelivery): Promise<void> {
    const before = this.#running.get(delivery.id) ?? Promise.resolve();
    const run = before
      .then(() => this.#turns.take(() => this.#attempt(delivery)))
      .finally(() => {
        if (this.#running.get(delivery.id) === run) this.#running.delete(delivery.id);
      });
    this.#running.set(delivery.id, run);
    return run;
  }

  async #attempt(delivery: MutableDelivery): Promise<void> {
    if (this.#closed) return;
    const record = this.subscriptions.find(delivery.webhookId);
    const began = performance.now();
    const at = this.#options.clock.now();
    const url = record?.subscription.url ?? '';
    const answer = isReceiving(record) ? await this.#send(delivery, record) : GONE;
    // What was cut off by the end of the sandbox says nothing about the receiver.
    if (this.#closed) return;
    this.#note(delivery, { at, url, ...answer, ms: Math.round(performance.now() - began) }, isReceiving(record));
  }

  #note(delivery: MutableDelivery, attempt: DeliveryAttempt, mayRepeat: boolean): void {
    const { clock, onDelivery } = this.#options;
    delivery.attempts = [...delivery.attempts, attempt];
    const { status = 0 } = attempt;
    const wait = mayRepeat ? BACKOFF_MS[delivery.attempts.length - 1] : undefined;
    const delivered = status >= 200 && status <= 299;
    delivery.status = delivered ? 'delivered' : wait === undefined ? 'failed' : 'pending';
    delivery.nextAttemptAt = delivered || wait === undefined ? undefined : clock.now() + wait;
    if (delivery.nextAttemptAt !== undefined) {
      clock.plan(delivery.nextAttemptAt, { kind: 'webhook.attempt', delivery: delivery.id });
    }
    onDelivery({ ...delivery }, attempt);
  }

  /** Status or reason; it never rejects. */
  async #send({ eventId, type, body }: Delivery, record: SubscriptionRecord): Promise<Answer> {
    const request = new AbortController();
    const timer = setTimeout(() => request.abort(), ANSWER_TIMEOUT_MS);
    this.#requests.add(request);
    // The machine's own time, whatever the sandbox's clock says: receivers check it against theirs.
    const unixSeconds = Math.floor(Date.now() / 1000);
    const secrets = this.subscriptions.validSecrets(record);
    const headers = {
      'content-type': 'application/json',
      'x-signature': signatureHeader(record.scheme, secrets, body, unixSeconds),
      'x-webhook-event': type,
      'x-webhook-id': eventId,
    };
    const { signal } = request;
    try {
      const init = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
      const answer = await this.#options.deliver(new Request(record.subscription.url, init));
      await answer.body?.cancel();
      return { status: answer.status, error: undefined };
    } catch (error) {
      return { status: undefined, error: signal.aborted ? 'no answer within 30 s' : reasonOf(error) };
    } finally {
      clearTimeout(timer);
      this.#requests.delete(request);
    }
  }
}

/** What a dispatcher is saved as. */
export interface DispatcherData {
  readonly subscriptions: readonly SubscriptionRecord[];
  readonly deliveries: readonly Delivery[];
}

type Answer = Pick<DeliveryAttempt, 'status' | 'error'>;

const GONE: Answer = { status: undefined, error: 'the webhook was removed or is disabled' };

function isReceiving(record: SubscriptionRecord | undefined): record is SubscriptionRecord {
  return record !== undefined && record.subscription.disabled !== true;
}

/** A platform's fetch tells the reason in its error's cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const told = cause instanceof Error ? cause : error;
  return told instanceof Error ? told.message || told.name : String(told);
}
