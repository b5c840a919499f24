import type { OnDemandConversion } from '../resources/accounts/on-demand-conversions.js';
import type { Quote } from '../resources/accounts/quotes.js';
import type { WhitelistedWallet } from '../resources/accounts/wallets.js';
import type { Unrecognized, Wire } from '../schema/types.js';

/** A JSON object as it was sent. Its members are not checked: the API description does not show what events contain. */
export interface WebhookObject {
  readonly [member: string]: unknown;
}

/**
 * A resource as an event may show it, in wire form: snake_case, amounts and timestamps as text (`new Decimal(text)`
 * reads an amount). It is a hint and no promise: the API description shows no payload, nothing of it is checked at run
 * time, so every member, on every level, may be missing, and further ones are there as `unknown`. Read the resource
 * itself before you move money by it.
 */
export type WebhookResource<T> = Unpromised<Wire<T>>;

type Unpromised<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Unpromised<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Unpromised<T[Key]> | undefined } & WebhookObject
      : T;

/** What the `data` of each known event kind looks like: see `WebhookResource` for how little is promised. */
export interface WebhookEventData {
  /** A quote is executed. */
  'quote.executed': WebhookResource<Quote>;
  /** The withdrawal leg of a conversion completes. */
  'conversion.withdrawal_completed': WebhookResource<OnDemandConversion>;
  /** Execution of a conversion's quote fails. */
  'conversion.quote_execution_failed': WebhookResource<OnDemandConversion>;
  'price_trigger_swap.executed': WebhookObject;
  'price_trigger_swap.execution_failed': WebhookObject;
  'price_trigger_swap.cancelled': WebhookObject;
  /** Screening of a wallet has ended: `status` is `approved` or `rejected`. */
  'wallet.whitelisted': WebhookResource<WhitelistedWallet>;
  'deposit.status_updated': WebhookObject;
  'deposit.completed': WebhookObject;
  'withdrawal.status_updated': WebhookObject;
  'withdrawal.completed': WebhookObject;
  'withdrawal.failed': WebhookObject;
  'transfer.completed': WebhookObject;
  'transfer.failed': WebhookObject;
  'swap.completed': WebhookObject;
  'swap.failed': WebhookObject;
  /** Sent on request of the partner, to try an endpoint. */
  'webhook.test': { readonly message?: string | undefined } & WebhookObject;
}

/** The kinds of events that the service documents. */
export type KnownWebhookEventType = keyof WebhookEventData;

/** An event's kind. The set is open: handle the kinds you know and answer 2xx to every other. */
export type WebhookEventType = KnownWebhookEventType | (string & {});

/** What every event has, whatever its kind. */
interface WebhookEventBase {
  /**
   * The delivery's identifier. Deliveries repeat and come in any order: handle each id once. From the envelope's `id`,
   * else the header `X-Webhook-ID` (which is not signed), else the flat form's `id`; absent when none of them is there.
   */
  readonly id?: string | undefined;
  /** The whole payload as sent. */
  readonly raw: WebhookObject;
  /** When the service signed the delivery, in unix seconds; absent in the scheme `body`, which signs no time. */
  readonly timestamp?: number | undefined;
  /** Which of `secrets` signed it (0 with `secret`): once the old secret no longer appears here, drop it. */
  readonly secretIndex: number;
}

/** An event of a known kind, or of one of several: `WebhookEventOf<'swap.completed' | 'swap.failed'>`. */
export type WebhookEventOf<Type extends KnownWebhookEventType> = Type extends KnownWebhookEventType
  ? WebhookEventBase & {
      /**
       * The event kind; from the body, or from the header `X-Webhook-Event` (which is not signed) when the body names
       * none.
       */
      readonly type: Type;
      /**
       * What happened: `data` of the enveloped form, or, where that is no object, all members but the one that names
       * the kind.
       */
      readonly data: WebhookEventData[Type];
    }
  : never;

/**
 * An event of a kind that this version does not know: `type` is its name at run time, `isWebhookEvent(event, name)`
 * compares it.
 */
export interface UnrecognizedWebhookEvent extends WebhookEventBase {
  readonly type: Unrecognized;
  readonly data: WebhookObject;
}

/**
 * A delivery that is proven to come from the service. Told apart by `type`: `if (event.type === 'quote.executed')`
 * gives `event.data` the members of a quote. To compare with a kind that is not among `KnownWebhookEventType`, use
 * `isWebhookEvent`.
 */
export type WebhookEvent = WebhookEventOf<KnownWebhookEventType> | UnrecognizedWebhookEvent;

/**
 * True when the event is of this kind. Narrows `event` for a known kind; takes any text for a newer one, whose `data`
 * stays open: `if (isWebhookEvent(event, 'loan.repaid')) event.data['amount']`.
 */
export function isWebhookEvent<Type extends KnownWebhookEventType>(
  event: WebhookEvent,
  type: Type,
): event is WebhookEventOf<Type>;
export function isWebhookEvent(event: WebhookEvent, type: WebhookEventType): boolean;
export function isWebhookEvent(event: WebhookEvent, type: string): boolean {
  return event.type === type;
}
