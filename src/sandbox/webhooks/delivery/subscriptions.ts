import { WEBHOOK_KINDS } from '../../../resources/webhook-kinds.js';
import type { WebhookSubscription } from '../../../resources/webhooks.js';
import type { Wire } from '../../../schema/types.js';
import { nearestName } from '../../../util/did-you-mean.js';
import type { Changes } from '../../core/basics/changes.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { ALPHABETS, type Random } from '../../core/basics/random.js';
import { type Now, timestamp } from '../../core/clock/clock.js';
import type { Cause } from '../../core/request/refusal.js';
import type { DeliveryForm } from './payload.js';
import type { DeliveryScheme } from './signature.js';

/** Maximum length of a webhook's URL in characters; a longer one is rejected. */
const MAX_URL_LENGTH = 2048;

/** Completes the sentence "must be …". */
export const WEBHOOK_URL = `an http or https URL without credentials, at most ${MAX_URL_LENGTH} characters`;

export function isWebhookUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' && text.length <= MAX_URL_LENGTH;
}

/** How the sandbox sends to a webhook, which no operation of the API sets. */
export interface DeliveryManner {
  /** Form of the payloads. Default `enveloped`. */
  readonly form?: DeliveryForm | undefined;
  /** How deliveries are signed. Default `timestamped`. */
  readonly scheme?: DeliveryScheme | undefined;
}

/** A webhook to register. */
export interface WebhookInput extends DeliveryManner {
  /** URL that receives deliveries: http(s), without credentials, at most 2,048 characters. */
  readonly url: string;
  /** Event kinds, at least one, even unknown ones. Default: all known ones. */
  readonly events?: readonly string[] | undefined;
  /** Description for people. */
  readonly description?: string | undefined;
}

/** Changes of a webhook, by default none. Retries keep the `form` of the first attempt. */
export interface WebhookChange extends DeliveryManner {
  /** URL that receives deliveries. */
  readonly url?: string | undefined;
  /** Event kinds that replace the current ones, at least one. */
  readonly events?: readonly string[] | undefined;
  /** Description for people. */
  readonly description?: string | undefined;
  /** A disabled webhook receives nothing. */
  readonly disabled?: boolean | undefined;
}

/**
 * A webhook with its signing secret, which is not shown again. The secret is base64 for every
 * scheme; receivers of the scheme `standard` take it without a `whsec_` before it, too.
 */
export interface RegisteredWebhook extends WebhookSubscription {
  signing_secret: string;
}

/** A valid signing secret (base64). */
export interface SigningSecret {
  readonly secret: string;
  /** Time at which it expires: milliseconds since the epoch. Undefined for the newest. */
  readonly until?: number | undefined;
}

/** A subscription with data that only the service uses. */
export interface SubscriptionRecord {
  readonly subscription: Wire<WebhookSubscription>;
  /** Position among all registrations: a newer one is higher. */
  readonly sequence: number;
  form: DeliveryForm;
  scheme: DeliveryScheme;
  /** Newest first; a replaced one is valid until its `until`. Webhooks of the seed have none. */
  secrets: readonly SigningSecret[];
}

export interface SubscriptionsData {
  /** Number of registrations and changes so far. */
  readonly changes: number;
  readonly subscriptions: SubscriptionRecord[];
}

/** Maximum number of secrets: each adds a signature to a header. The oldest are dropped first. */
const MAX_SECRETS = 8;

export class Subscriptions {
  readonly #clock: Now;
  readonly #random: Random;
  readonly #noted: Changes;
  #records: SubscriptionRecord[] = [];
  #changes = 0;

  constructor(clock: Now, random: Random, noted: Changes, seed: readonly SubscriptionRecord[]) {
    this.#clock = clock;
    this.#random = random;
    this.#noted = noted;
    this.restore({ changes: seed[0]?.sequence ?? 0, subscriptions: [...seed] });
  }

  list(): readonly SubscriptionRecord[] {
    return this.#records;
  }

  save(): SubscriptionsData {
    return { changes: this.#changes, subscriptions: this.#records };
  }

  restore({ changes, subscriptions }: SubscriptionsData): void {
    this.#changes = changes;
    this.#records = subscriptions;
  }

  find(id: string): SubscriptionRecord | undefined {
    return this.#records.find(({ subscription }) => subscription.id === id);
  }

  /** Returns the subscriptions to which an event of this kind is delivered. */
  receivers(kind: string): SubscriptionRecord[] {
    return this.enabled().filter(({ subscription }) => subscription.events.includes(kind));
  }

  /** Returns the subscriptions that receive any events. */
  enabled(): SubscriptionRecord[] {
    return this.#records.filter(({ subscription, secrets }) => secrets.length > 0 && subscription.disabled !== true);
  }

  register({ url, events = WEBHOOK_KINDS, description = '', ...manner }: WebhookInput): RegisteredWebhook {
    const { form = 'enveloped', scheme = 'timestamped' } = manner;
    this.#noted.announce('webhooks');
    const created = this.#change();
    const subscription: Wire<WebhookSubscription> = {
      id: `ep_${this.#random.text(24, ALPHABETS.alphanumeric)}`,
      url,
      description,
      created_at: created,
      updated_at: created,
      events: [...events],
    };
    const secret = this.#secret();
    this.#records.unshift({ subscription, sequence: this.#changes, form, scheme, secrets: [{ secret }] });
    return { ...structuredClone(subscription), signing_secret: secret };
  }

  update(id: string, { url, events, description, disabled, form, scheme }: WebhookChange): WebhookSubscription {
    const record = this.existing('webhooks.update', id);
    const { subscription } = record;
    this.#noted.announce('webhooks');
    record.form = form ?? record.form;
    record.scheme = scheme ?? record.scheme;
    if (url !== undefined) subscription.url = url;
    if (events !== undefined) subscription.events = [...events];
    if (description !== undefined) subscription.description = description;
    if (disabled === true) subscription.disabled = true;
    if (disabled === false) delete subscription.disabled;
    subscription.updated_at = this.#change();
    return structuredClone(subscription);
  }

  /** Sets a new secret. Earlier ones stay valid for at most `overlapMs`. */
  rotate(id: string, overlapMs: number): RegisteredWebhook {
    const record = this.existing('webhooks.rotateSecret', id);
    this.#noted.announce('webhooks');
    const now = this.#clock.now();
    const valid = validSecrets(record, now);
    const replaced = valid.map(({ secret, until = Infinity }) => ({ secret, until: Math.min(until, now + overlapMs) }));
    const secret = this.#secret();
    record.secrets = [{ secret }, ...replaced.slice(0, MAX_SECRETS - 1)];
    return { ...structuredClone(record.subscription), signing_secret: secret };
  }

  /** Returns the time of the removal. */
  remove(id: string): string {
    const record = this.existing('webhooks.remove', id);
    this.#noted.announce('webhooks');
    this.#records = this.#records.filter((one) => one !== record);
    return this.#change();
  }

  /** `method` starts the error's message. */
  existing(method: string, id: string): SubscriptionRecord {
    const record = this.find(id);
    if (record === undefined) throw new Error(`${method}: there is no webhook ${excerpt(id)}`);
    return record;
  }

  #secret(): string {
    return Buffer.from(this.#random.bytes(32)).toString('base64');
  }

  /** Returns the time with microseconds, which are unique for each change. */
  #change(): string {
    this.#changes += 1;
    const microseconds = String(this.#changes % 1000).padStart(3, '0');
    return timestamp(this.#clock.now()).replace('Z', `${microseconds}Z`);
  }
}

export function validSecrets({ secrets }: SubscriptionRecord, now: number): SubscriptionRecord['secrets'] {
  return secrets.filter(({ until }) => until === undefined || now < until);
}

/** Returns copies of the valid secrets. Undefined without a webhook. */
export const signingSecrets = (record: SubscriptionRecord | undefined, now: number): SigningSecret[] | undefined =>
  record && validSecrets(record, now).map((one) => ({ ...one }));

/** Returns the unknown kinds of events. They are accepted, but probably never occur. */
export function unknownKinds(events: readonly string[] = []): Cause[] {
  const known: readonly string[] = WEBHOOK_KINDS;
  return events.flatMap((kind, index) => {
    if (known.includes(kind)) return [];
    const meant = nearestName(kind, known);
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
    return [{ field: `events.${index}`, message: `${kind} is not a known kind of event${hint}` }];
  });
}
