import type { WebhookSubscription, WebhookTest } from '../../resources/webhooks.js';
import { Hook } from '../hook.js';
import { KeyedQueue } from '../queue.js';
import { Refusal } from '../refusal.js';
import type { Clock } from '../state/clock.js';
import type { Random } from '../state/random.js';
import type { Task } from '../state/task.js';
import { afterAttempt, type Delivery, type DeliveryAttempt, givenUp } from './delivery.js';
import { DeliveryLog } from './delivery-log.js';
import { type Deliver, inProcess } from './in-process.js';
import { overHttp } from './over-http.js';
import { Sender } from './sender.js';
import { type DeliveryScheme, signatureHeader } from './signature.js';
import {
  type EventKind,
  type SubscriptionRecord,
  Subscriptions,
  type SubscriptionsData,
  validSecrets,
  type WebhookChange,
} from './subscriptions.js';

export interface DispatcherOptions {
  readonly clock: Clock<Task>;
  readonly random: Random;
  readonly subscriptions: readonly SubscriptionRecord[];
  /** Default: over the network. */
  readonly deliver?: Deliver | undefined;
  readonly onDelivery?: ((delivery: Delivery, attempt: DeliveryAttempt) => unknown) | undefined;
}

export interface DispatcherData extends SubscriptionsData {
  readonly deliveries: Delivery[];
}

const TEST_KIND = 'webhook.test' satisfies EventKind;

/** The payload of a test, in the flat form that the service is known to send. */
const TEST_BODY = JSON.stringify({
  event_type: TEST_KIND,
  message: 'This is a test webhook event to verify your endpoint configuration.',
});

const OF_THE_SEED = 'the sandbox sends nothing to the webhooks of its seed: register one of your own';

/** An attempt, with what only a test tells of it. */
interface Sent {
  readonly attempt: DeliveryAttempt;
  readonly answered: string;
  readonly signature: string;
}

/** Attempts that run at the same time; further ones wait. */
const MAX_ATTEMPTS_AT_ONCE = 16;

/** Delivers events to subscriptions, at least once each, and records the results. */
export class WebhookDispatcher {
  readonly subscriptions: Subscriptions;
  readonly #clock: Clock<Task>;
  readonly #random: Random;
  readonly #sender: Sender;
  readonly #hook: Hook<[Delivery, DeliveryAttempt]>;
  /** The attempts of one delivery follow each other. */
  readonly #queue = new KeyedQueue(MAX_ATTEMPTS_AT_ONCE);
  #log = new DeliveryLog();
  #closed = false;

  constructor({ clock, random, subscriptions, deliver, onDelivery }: DispatcherOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#sender = new Sender(deliver === undefined ? overHttp : inProcess(deliver));
    this.#hook = new Hook('onDelivery', onDelivery);
    this.subscriptions = new Subscriptions(clock, random, subscriptions);
  }

  /** In the order of their events. */
  get deliveries(): readonly Delivery[] {
    return this.#log.list();
  }

  /** Delivers an event to the subscriptions of its kind. `data` is written down as it is now. */
  emit(type: EventKind, data: unknown): void {
    const receivers = this.subscriptions.receivers(type);
    if (receivers.length === 0) return;
    const eventId = `evt_${this.#random.uuid()}`;
    const body = JSON.stringify({ id: eventId, type, data });
    for (const { subscription } of receivers) {
      const id = `dlv_${this.#random.uuid()}`;
      const common = { id, webhookId: subscription.id, eventId, type, body, reason: undefined, attempts: [] };
      const nextAttemptAt = this.#clock.now();
      this.#log.put({ ...common, status: 'pending', nextAttemptAt });
      this.#plan(id, nextAttemptAt);
    }
  }

  attempt(id: string): void {
    void this.#queue.run(id, async () => {
      const delivery = this.#log.get(id);
      // It may have been redelivered, or its webhook removed, while it waited.
      const record = delivery?.status === 'pending' ? this.subscriptions.find(delivery.webhookId) : undefined;
      if (delivery !== undefined && record !== undefined) await this.#attempt(delivery, record, false);
    });
  }

  /** Delivers one `webhook.test`, also to a disabled webhook. It is not retried. */
  async test(webhookId: string): Promise<WebhookTest> {
    const record = this.subscriptions.existing('webhooks.test', webhookId);
    const testId = `test_${this.#random.uuid()}`;
    const common = { id: `dlv_${this.#random.uuid()}`, webhookId, eventId: testId, type: TEST_KIND, body: TEST_BODY };
    const told = { test_id: testId, payload_sent: TEST_BODY };
    if (record.secrets.length === 0) return { result: 'failure', ...told, error_message: OF_THE_SEED };
    const pending = {
      ...common,
      status: 'pending',
      reason: undefined,
      attempts: [],
      nextAttemptAt: undefined,
    } as const;
    this.#log.put(pending);
    return this.#queue.run(pending.id, async () => {
      const sent = await this.#send(pending, record, { readsAnswer: true });
      if (sent === undefined) throw new Refusal(503, 'unavailable');
      const { status, error } = sent.attempt;
      const { status: verdict } = this.#note(pending, sent.attempt, true);
      return {
        ...{ result: verdict === 'delivered' ? 'success' : 'failure', ...told },
        ...(status === undefined ? {} : { http_status: status, response_body: sent.answered }),
        error_message: verdict === 'delivered' ? null : (error ?? `the receiver answered ${status}`),
        signature_header: sent.signature,
      };
    });
  }

  /** Makes one more attempt, even after success. Resolves when it is over. */
  async redeliver(id: string): Promise<Delivery> {
    this.#redeliverable(id);
    return this.#queue.run(id, async () => {
      const { delivery, record } = this.#redeliverable(id);
      const after = await this.#attempt(delivery, record, true);
      if (after === undefined) throw closedBefore();
      return after;
    });
  }

  update(id: string, change: WebhookChange): WebhookSubscription {
    const subscription = this.subscriptions.update(id, change);
    if (subscription.disabled === true) this.#giveUp(id, 'the webhook was disabled');
    return subscription;
  }

  /** Returns the moment of its end. */
  remove(id: string): string {
    const removed = this.subscriptions.remove(id);
    this.#giveUp(id, 'the webhook was removed');
    return removed;
  }

  /** Resolves when no attempt runs or waits. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Ends the attempts under way. Their deliveries stay pending. */
  close(): void {
    this.#closed = true;
    this.#sender.close();
  }

  save(): DispatcherData {
    return { ...this.subscriptions.save(), deliveries: this.#log.list() };
  }

  /** Continues from saved data, with attempts that were under way when it was saved. */
  restore({ deliveries, ...subscriptions }: DispatcherData): void {
    this.subscriptions.restore(subscriptions);
    this.#log = new DeliveryLog(deliveries);
    for (const { id, status, nextAttemptAt } of deliveries) {
      if (status === 'pending') this.#plan(id, nextAttemptAt ?? this.#clock.now());
    }
  }

  #redeliverable(id: string): { readonly delivery: Delivery; readonly record: SubscriptionRecord } {
    if (this.#closed) throw closedBefore();
    const delivery = this.#log.get(id);
    if (delivery === undefined) throw new Error(`webhooks.redeliver: there is no delivery ${id}`);
    const record = this.subscriptions.find(delivery.webhookId);
    if (record === undefined) throw new Error(`webhooks.redeliver: the webhook ${delivery.webhookId} was removed`);
    if (record.subscription.disabled === true) {
      throw new Error(`webhooks.redeliver: the webhook ${delivery.webhookId} is disabled`);
    }
    return { delivery, record };
  }

  /** Returns the delivery after the attempt. Undefined if the sandbox was closed. */
  async #attempt(delivery: Delivery, record: SubscriptionRecord, redelivery: boolean): Promise<Delivery | undefined> {
    const sent = await this.#send(delivery, record, { redelivery });
    return sent && this.#note(delivery, sent.attempt, false);
  }

  async #send(
    delivery: Delivery,
    record: SubscriptionRecord,
    { redelivery = false, readsAnswer = false },
  ): Promise<Sent | undefined> {
    if (this.#closed) return undefined;
    const [at, began] = [this.#clock.now(), performance.now()];
    const { url } = record.subscription;
    const secrets = validSecrets(record, at).map(({ secret }) => secret);
    const headers = headersOf(delivery, record.scheme, secrets);
    const signature = headers['X-Signature'];
    const hidden = [...secrets, ...signature.split(/[,=]/)];
    const request = { url, headers, body: delivery.body, readsAnswer };
    const { answered = '', ...end } = await this.#sender.send(request, hidden);
    if (this.#closed) return undefined;
    const ms = Math.round(performance.now() - began);
    return { attempt: Object.freeze({ at, url, ...end, ms, redelivery }), answered, signature };
  }

  /** `once`: no further attempt follows. */
  #note(begun: Delivery, attempt: DeliveryAttempt, once: boolean): Delivery {
    // Its webhook may have been removed during the attempt.
    const delivery = this.#log.get(begun.id) ?? begun;
    const next = afterAttempt(delivery, attempt, this.#clock.now());
    const after = once && next.status === 'pending' ? givenUp(next, 'a test is sent once') : next;
    this.#log.put(after);
    // A redelivery does not change the planned attempt.
    if (after.nextAttemptAt !== undefined && !attempt.redelivery) this.#plan(after.id, after.nextAttemptAt);
    this.#hook.emit(after, attempt);
    return after;
  }

  #plan(id: string, at: number): void {
    this.#clock.plan(at, { kind: 'webhook.attempt', delivery: id });
  }

  /** Ends the pending deliveries of a webhook. */
  #giveUp(webhookId: string, reason: string): void {
    for (const delivery of this.#log.list()) {
      if (delivery.webhookId === webhookId && delivery.status === 'pending') this.#log.put(givenUp(delivery, reason));
    }
  }
}

function headersOf({ eventId, type, body }: Delivery, scheme: DeliveryScheme, secrets: readonly string[]) {
  return {
    'Content-Type': 'application/json',
    // The machine's own time, since receivers compare it with theirs.
    'X-Signature': signatureHeader(scheme, secrets, body, Math.floor(Date.now() / 1000)),
    'X-Webhook-Event': type,
    'X-Webhook-ID': eventId,
  };
}

const closedBefore = (): Error => new Error('webhooks.redeliver: the sandbox is closed');
