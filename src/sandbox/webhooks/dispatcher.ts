import type { WebhookSubscription, WebhookTest } from '../../resources/webhooks.js';
import type { Changes } from '../core/basics/changes.js';
import type { EventKind, Events } from '../core/basics/events.js';
import { excerpt } from '../core/basics/excerpt.js';
import { Hook } from '../core/basics/hook.js';
import { KeyedQueue } from '../core/basics/queue.js';
import type { Random } from '../core/basics/random.js';
import { type Clock, timestamp } from '../core/clock/clock.js';
import type { Task } from '../core/clock/task.js';
import type { State } from '../core/records/state.js';
import { Refusal } from '../core/request/refusal.js';
import type { Timeline } from '../core/timeline/timeline.js';
import { AttemptMaker, type AttemptPlan, withCopies } from './attempt-maker.js';
import { DelayedDeliveries } from './delayed-deliveries.js';
import {
  afterAttempt,
  DEFAULT_BACKOFF_MS,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryEntry,
  givenUp,
  isPlanned,
  newDelivery,
} from './delivery/delivery.js';
import type { StrikeDelivery } from './delivery/effects.js';
import type { Deliver } from './delivery/in-process.js';
import { membersIn, payloadOf, subjectOf } from './delivery/payload.js';
import {
  type SubscriptionRecord,
  Subscriptions,
  type SubscriptionsData,
  type WebhookChange,
} from './delivery/subscriptions.js';
import { DeliveryLog, savedDelivery } from './delivery-log.js';
import { Inbox } from './inbox/inbox.js';
import { MAX_READ_BYTES, testDelivery, testResult, untested } from './test-delivery.js';
import { verifyInInbox } from './verify/verify-input.js';

interface DispatcherOptions {
  readonly clock: Clock<Task>;
  readonly random: Random;
  readonly timeline: Timeline;
  readonly events: Events;
  readonly changes: Changes;
  readonly subscriptions: readonly SubscriptionRecord[];
  /** Function that sends deliveries. Default: sends over the network. */
  readonly deliver?: Deliver | undefined;
  /** Waits in ms between attempts. */
  readonly backoff?: readonly number[] | undefined;
  readonly onDelivery?: ((delivery: Delivery, attempt: DeliveryAttempt) => unknown) | undefined;
}

export interface DispatcherData extends SubscriptionsData {
  readonly deliveries: Delivery[];
}

/** An event to deliver. */
interface NewEvent {
  readonly type: string;
  /** The payload is serialised at once, so later changes have no effect on it. */
  readonly data: unknown;
  /** Id of the event. Default: a new one. */
  readonly eventId?: string | undefined;
}

/** Maximum number of attempts at the same time; more wait. */
const MAX_ATTEMPTS_AT_ONCE = 16;

/** Delivers events to subscriptions, at least once each, and records the results. */
export class WebhookDispatcher {
  readonly subscriptions: Subscriptions;
  readonly inbox: Inbox;
  /** Set by the part that makes deliveries go wrong. Default: no delivery goes wrong. */
  strike: StrikeDelivery = () => undefined;
  closed = false;
  readonly #clock: Clock<Task>;
  readonly #random: Random;
  /**
   * For ids of events and deliveries. Receivers handle each id once, so a reset starts a new
   * stream: unlike ids of resources, no id is issued again.
   */
  #ids: Random;
  #resets = 0;
  readonly #timeline: Timeline;
  readonly #maker: AttemptMaker;
  readonly #onDelivery: Hook<[Delivery, DeliveryAttempt]>;
  /** The attempts of one delivery run one after the other. */
  readonly #queue = new KeyedQueue(MAX_ATTEMPTS_AT_ONCE);
  readonly #delayed = new DelayedDeliveries();
  readonly #changes: Changes;
  readonly #backoff: readonly number[];
  #log: DeliveryLog;

  constructor({ clock, random, timeline, events, changes, subscriptions, ...options }: DispatcherOptions) {
    this.#changes = changes;
    this.#backoff = options.backoff ?? DEFAULT_BACKOFF_MS;
    this.#log = new DeliveryLog(changes);
    this.#clock = clock;
    this.#random = random;
    this.#ids = random;
    this.#timeline = timeline;
    this.subscriptions = new Subscriptions(clock, random, changes, subscriptions);
    events.listen((kind, data) => this.emit(kind, data));
    this.inbox = new Inbox(clock, changes, (delivery) => verifyInInbox(this.subscriptions, clock, delivery));
    this.#maker = new AttemptMaker(clock, timeline.isKept, this.inbox, options.deliver);
    this.#onDelivery = new Hook('onDelivery', options.onDelivery);
  }

  /** Returns an independent stream derived from the dispatcher's. */
  fork(label: string): Random {
    return this.#random.fork(label);
  }

  /** Identity of the current state; each `restore` makes a new one. */
  get era(): object {
    return this.#maker.era;
  }

  /** In the order of their events. */
  get deliveries(): readonly Delivery[] {
    return this.#log.list();
  }

  /** Returns the delivery with the kept requests and responses of its attempts. */
  shown(delivery: Delivery): Delivery {
    const shown = this.#maker.exchanges.shownIn(delivery);
    return shown.cause === undefined ? shown : { ...shown, cause: this.#timeline.positionOf(shown.cause) };
  }

  /** Delivers an event to the subscriptions of its kind. */
  emit(type: EventKind, data: unknown): void {
    const receivers = this.subscriptions.receivers(type);
    if (receivers.length > 0) this.send({ type, data }, receivers);
  }

  newEventId(): string {
    return `evt_${this.#ids.uuid()}`;
  }

  /** Delivers an event to these subscriptions. Returns the ids of the deliveries. */
  send({ type, data, eventId = this.newEventId() }: NewEvent, receivers: readonly SubscriptionRecord[]) {
    const at = this.#clock.now();
    const event = { eventId, type, data, timestamp: timestamp(at) };
    const { cause, isKept } = this.#timeline;
    return receivers.map(({ subscription, form }) => {
      const id = `dlv_${this.#ids.uuid()}`;
      const delivery = newDelivery({ id, webhookId: subscription.id, eventId, type, at, body: payloadOf(form, event) });
      this.#scheduleNext({ ...delivery, nextAttemptAt: at, ...(isKept ? { cause } : {}) });
      return id;
    });
  }

  /** Makes a scheduled attempt. */
  attempt(id: string): void {
    const { era } = this.#maker;
    void this.#queue.run(id, async () => {
      if (era !== this.#maker.era) return;
      const delivery = this.#log.get(id);
      // While it waited, it may have been redelivered, or its webhook removed.
      const record = delivery?.status === 'pending' ? this.subscriptions.find(delivery.webhookId) : undefined;
      if (delivery === undefined || record === undefined) return;
      const { fault, wait } = this.#delayed.next(delivery, () => this.strike(delivery, true));
      if (wait === undefined) await this.#attempt(delivery, record, { redelivery: false, fault });
      else this.#scheduleNext({ ...delivery, nextAttemptAt: this.#clock.now() + wait });
    });
  }

  /** Delivers one `webhook.test`, even to a disabled webhook. It is not retried. */
  async test(webhookId: string): Promise<WebhookTest> {
    const record = this.subscriptions.existing('webhooks.test', webhookId);
    const test = testDelivery(record, this.#ids, this.#clock.now());
    if (record.secrets.length === 0) return untested(test);
    this.#log.put(test);
    return this.#queue.run(test.id, async () => {
      const fault = this.strike(test, false);
      const made = await this.#maker.make(test, record, { redelivery: false, readBytes: MAX_READ_BYTES, fault });
      if (made === undefined) throw new Refusal(503, 'unavailable');
      return testResult(this.#note(test, made.attempt, true), made);
    });
  }

  /** Makes one more attempt, even after success. Resolves when the attempt ends. */
  async redeliver(id: string): Promise<Delivery> {
    redeliverable(this, this.#log.get(id), id);
    const { era } = this.#maker;
    return this.#queue.run(id, async () => {
      if (era !== this.#maker.era) throw replaced();
      const { delivery, record } = redeliverable(this, this.#log.get(id), id);
      const fault = this.strike(delivery, false);
      const after = await this.#attempt(delivery, record, { redelivery: true, fault });
      if (after === undefined) throw this.closed ? closedBefore() : replaced();
      return after;
    });
  }

  /** Resolves when all started attempts of these deliveries have ended. */
  async settled(ids: readonly string[]): Promise<Delivery[]> {
    await Promise.all(ids.map((id) => this.#queue.run(id, async () => {})));
    return ids.flatMap((id) => this.#log.get(id) ?? []);
  }

  update(id: string, change: WebhookChange): WebhookSubscription {
    const subscription = this.subscriptions.update(id, change);
    if (subscription.disabled === true) this.#log.giveUp(id, 'the webhook was disabled');
    return subscription;
  }

  /** Returns the time of the removal. */
  remove(id: string): string {
    const removed = this.subscriptions.remove(id);
    this.#log.giveUp(id, 'the webhook was removed');
    return removed;
  }

  /** Resolves when no attempt runs or waits. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Limits the time of attempts more tightly during `work`, which waits for all of them. */
  hurry(work: () => Promise<void>): Promise<void> {
    return this.#maker.sender.hurry(work);
  }

  /** Ends the attempts under way. Their deliveries stay pending. */
  close(): void {
    this.closed = true;
    this.#maker.close();
    this.inbox.close();
  }

  save(): DispatcherData {
    return { ...this.subscriptions.save(), deliveries: this.#log.list().map(savedDelivery) };
  }

  /** Restores the initial values of everything that `restore` does not set. */
  reset(): void {
    this.#resets += 1;
    this.#ids = this.#random.fork(`reset ${this.#resets}`);
    this.inbox.clear();
  }

  /** Continues from saved data. The attempts under way are cut, and not recorded. */
  restore({ deliveries, ...subscriptions }: DispatcherData): void {
    this.#maker.cut('another state was put in place');
    this.subscriptions.restore(subscriptions);
    this.#log = new DeliveryLog(this.#changes, deliveries);
    this.#delayed.clear();
    this.#maker.exchanges.clear();
    for (const delivery of deliveries.filter(({ status }) => status === 'pending')) {
      this.#scheduleNext({ ...delivery, nextAttemptAt: delivery.nextAttemptAt ?? this.#clock.now() });
    }
  }

  /** Returns the delivery after the attempt and its copies. Undefined if the sandbox was closed. */
  async #attempt(delivery: Delivery, record: SubscriptionRecord, plan: AttemptPlan): Promise<Delivery | undefined> {
    const make = async (one: AttemptPlan) => {
      const made = await this.#maker.make(delivery, record, one);
      return made && this.#note(delivery, made.attempt, false);
    };
    const ends = await Promise.all(withCopies(plan).map(make));
    return ends.includes(undefined) ? undefined : this.#log.get(delivery.id);
  }

  /** `once`: no further attempt follows. */
  #note(begun: Delivery, attempt: DeliveryAttempt, once: boolean): Delivery {
    // Its webhook may have been removed during the attempt.
    const delivery = this.#log.get(begun.id) ?? begun;
    const next = afterAttempt(delivery, attempt, this.#clock.now(), this.#backoff);
    const after = once && next.status === 'pending' ? givenUp(next, 'a test is sent once') : next;
    // An unscheduled attempt does not change the schedule.
    if (isPlanned(attempt)) this.#scheduleNext(after);
    else this.#log.put(after);
    noteAttempt(this.#timeline, after, attempt);
    this.#onDelivery.emit(after, attempt);
    this.#startWaiting(after);
    return after;
  }

  /** Starts the delivery that waited for this one to overtake it. */
  #startWaiting(delivery: Delivery): void {
    const waiting = this.#delayed.waitingFor(delivery);
    if (waiting === undefined) return;
    this.#clock.drop((task) => task.kind === 'webhook.attempt' && task.delivery === waiting);
    this.attempt(waiting);
  }

  #scheduleNext(delivery: Delivery): void {
    this.#log.put(delivery);
    const { id, nextAttemptAt } = delivery;
    if (nextAttemptAt !== undefined) this.#clock.schedule(nextAttemptAt, { kind: 'webhook.attempt', delivery: id });
  }
}

/** @throws Error if it cannot be redelivered. */
function redeliverable(dispatcher: WebhookDispatcher, delivery: Delivery | undefined, id: string) {
  if (dispatcher.closed) throw closedBefore();
  if (delivery === undefined) throw new Error(`webhooks.redeliver: there is no delivery ${excerpt(id)}`);
  const record = dispatcher.subscriptions.find(delivery.webhookId);
  if (record === undefined) throw new Error(`webhooks.redeliver: the webhook ${delivery.webhookId} was removed`);
  if (record.subscription.disabled === true) {
    throw new Error(`webhooks.redeliver: the webhook ${delivery.webhookId} is disabled`);
  }
  return { delivery, record };
}

const closedBefore = (): Error => new Error('webhooks.redeliver: the sandbox is closed');

const replaced = (): Error => new Error('webhooks.redeliver: another state was put in place');

/** Notes an attempt in the timeline. `delivery`: its value after the attempt. */
function noteAttempt(timeline: Timeline, delivery: Delivery, attempt: DeliveryAttempt): void {
  if (!timeline.isKept) return;
  const { id, webhookId, eventId, type, status, reason, nextAttemptAt, cause } = delivery;
  const shown = { id, webhookId, eventId, type, status, reason, nextAttemptAt };
  const about = subjectOf(membersIn(delivery.body));
  timeline.causedBy(cause, () => timeline.note<DeliveryEntry>({ kind: 'delivery', delivery: shown, attempt, about }));
}

/** A state and its webhooks. */
export interface WebhookHost {
  readonly state: State;
  readonly webhooks: WebhookDispatcher;
}
