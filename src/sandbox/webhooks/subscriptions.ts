import type { WebhookSubscription } from '../../resources/webhooks.js';
import { timestamp } from '../clock.js';
import { ALPHABETS, type Random } from '../random.js';
import type { Wire } from '../wire.js';
import type { DeliveryScheme } from './signature.js';

/** The event kinds that the sandbox sends. */
export const EVENT_KINDS = [
  'quote.executed',
  'conversion.withdrawal_completed',
  'conversion.quote_execution_failed',
  'wallet.whitelisted',
  'deposit.completed',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** A webhook to register. */
export interface WebhookInput {
  /** Where deliveries go: http or https, without credentials, at most 2,048 characters. */
  readonly url: string;
  /** Event kinds; default: every kind that the sandbox sends. */
  readonly events?: readonly string[] | undefined;
  readonly description?: string | undefined;
  /** Default `timestamped`. */
  readonly scheme?: DeliveryScheme | undefined;
}

/** What may change of a webhook. */
export interface WebhookChange {
  readonly url?: string | undefined;
  /** Replaces all. */
  readonly events?: readonly string[] | undefined;
  readonly description?: string | undefined;
  /** A disabled webhook receives nothing. */
  readonly disabled?: boolean | undefined;
}

/** A webhook with its signing secret (base64), which is shown here once and never again. */
export interface RegisteredWebhook extends WebhookSubscription {
  signing_secret: string;
}

/** A subscription, and what the service knows besides. */
export interface SubscriptionRecord {
  readonly subscription: Wire<WebhookSubscription>;
  /** Rises with every registration. */
  readonly sequence: number;
  readonly scheme: DeliveryScheme;
  /** Newest first; a replaced one is valid until its moment. None: one of the seed, which leads nowhere. */
  secrets: readonly { readonly secret: string; readonly until?: number | undefined }[];
}

interface Now {
  now(): number;
}

/** The partner's webhooks. */
export class Subscriptions {
  readonly #clock: Now;
  readonly #random: Random;
  #records: SubscriptionRecord[];

  constructor(clock: Now, random: Random, records: readonly SubscriptionRecord[]) {
    this.#clock = clock;
    this.#random = random;
    this.#records = [...records];
  }

  /** Newest first. */
  list(): readonly SubscriptionRecord[] {
    return this.#records;
  }

  restore(records: readonly SubscriptionRecord[]): void {
    this.#records = [...records];
  }

  find(id: string): SubscriptionRecord | undefined {
    return this.#records.find(({ subscription }) => subscription.id === id);
  }

  /** Those that an event of this kind is delivered to. */
  receivers(kind: string): SubscriptionRecord[] {
    return this.#records.filter(({ subscription, secrets }) => {
      return secrets.length > 0 && subscription.disabled !== true && subscription.events.includes(kind);
    });
  }

  register({ url, events = EVENT_KINDS, description, scheme = 'timestamped' }: WebhookInput): RegisteredWebhook {
    const created = this.#microseconds();
    const subscription: Wire<WebhookSubscription> = {
      id: `ep_${this.#random.text(24, ALPHABETS.alphanumeric)}`,
      url: checkedUrl(url),
      ...(description === undefined ? {} : { description }),
      created_at: created,
      updated_at: created,
      events: [...events],
    };
    const secret = this.#secret();
    const sequence = (this.#records[0]?.sequence ?? 0) + 1;
    this.#records.unshift({ subscription, sequence, scheme, secrets: [{ secret }] });
    return { ...structuredClone(subscription), signing_secret: secret };
  }

  update(id: string, { url, events, description, disabled }: WebhookChange): WebhookSubscription {
    const { subscription } = this.#existing(id);
    if (url !== undefined) subscription.url = checkedUrl(url);
    if (events !== undefined) subscription.events = [...events];
    if (description !== undefined) subscription.description = description;
    if (disabled === true) subscription.disabled = true;
    if (disabled === false) delete subscription.disabled;
    subscription.updated_at = this.#microseconds();
    return structuredClone(subscription);
  }

  /** A new secret; the one before stays valid for `overlapMs`, in which deliveries carry both signatures. */
  rotate(id: string, overlapMs: number): RegisteredWebhook {
    const record = this.#existing(id);
    const secret = this.#secret();
    const until = this.#clock.now() + overlapMs;
    record.secrets = [{ secret }, ...this.validSecrets(record).map((old) => ({ secret: old, until }))];
    return { ...structuredClone(record.subscription), signing_secret: secret };
  }

  /** Newest first. */
  validSecrets({ secrets }: SubscriptionRecord): string[] {
    const now = this.#clock.now();
    return secrets.filter(({ until }) => until === undefined || now < until).map(({ secret }) => secret);
  }

  remove(id: string): void {
    const record = this.#existing(id);
    this.#records = this.#records.filter((one) => one !== record);
  }

  #existing(id: string): SubscriptionRecord {
    const record = this.find(id);
    if (record === undefined) throw new Error(`there is no webhook ${id}`);
    return record;
  }

  #secret(): string {
    return Buffer.from(this.#random.bytes(32)).toString('base64');
  }

  /** `spec.md`: webhooks have microseconds. */
  #microseconds(): string {
    return timestamp(this.#clock.now()).replace('Z', `${this.#random.text(3, '0123456789')}Z`);
  }
}

const MAX_URL = 2048;

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (isHttp && url.username === '' && url.password === '' && text.length <= MAX_URL) return text;
  throw new TypeError(`a webhook's url must be http or https, without credentials, at most ${MAX_URL} characters`);
}
