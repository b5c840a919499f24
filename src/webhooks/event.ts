import { WebhookVerificationError } from '../partner-error.js';
import type { OnDemandConversion } from '../resources/accounts/on-demand-conversions.js';
import type { PriceTriggerSwap } from '../resources/accounts/price-trigger-swaps.js';
import type { Quote } from '../resources/accounts/quote.js';
import type { WhitelistedWallet } from '../resources/accounts/wallets.js';
import type { FundsTransaction } from '../resources/funds/transactions.js';
import type { Withdrawal } from '../resources/funds/withdrawals.js';
import type { Transfer } from '../resources/transfers.js';
import { exactText } from '../runtime/bytes.js';
import type { Unrecognized, Wire } from '../schema/types.js';
import { ownMember } from '../util/members.js';
import { readHeader, type WebhookHeaders } from './headers.js';
import type { WebhookScheme } from './signature.js';

/** A JSON object as it was sent, unchecked: the API description shows no payload. */
export interface WebhookObject {
  readonly [member: string]: unknown;
}

/**
 * A resource as an event may show it, in wire form: snake_case, amounts and timestamps as strings
 * (`new Decimal(amount)` reads an amount). It is a hint, not a promise, because the API description
 * shows no payload, and nothing is checked at run time. Every member, on every level, may be
 * missing; members that are not listed have the type `unknown`. Read the resource itself before an
 * event makes you move money.
 */
export type WebhookResource<T> = Unpromised<Wire<T>>;

type Unpromised<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Unpromised<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Unpromised<T[Key]> | undefined } & WebhookObject
      : T;

/** A hosted ramp transaction's callback. Any member may be missing; others are `unknown`. */
export type RampTransactionUpdate = WebhookResource<{
  status: 'new' | 'paid' | 'pending' | 'completed' | 'failed' | 'canceled' | (string & {});
  /** An older edition of the reference adds amounts, assets, methods, a wallet and external ids. */
  payload: { transaction_id: string; transaction_hash: string; timestamp: unknown };
}>;

/** The `data` of each known event kind. `WebhookResource` explains how little of it is certain. */
export interface WebhookEventData {
  /** A quote is executed. */
  'quote.executed': WebhookResource<Quote>;
  /** Execution of a quote fails. */
  'quote.execution_failed': WebhookResource<Quote>;
  /** A quote is cancelled. */
  'quote.cancelled': WebhookResource<Quote>;
  /** The withdrawal leg of a conversion completes. */
  'conversion.withdrawal_completed': WebhookResource<OnDemandConversion>;
  /** Execution of a conversion's quote fails. */
  'conversion.quote_execution_failed': WebhookResource<OnDemandConversion>;
  /** A price-trigger swap was executed. */
  'price_trigger_swap.executed': WebhookResource<PriceTriggerSwap>;
  /** An attempt to execute a price-trigger swap failed. The swap stays active and is retried. */
  'price_trigger_swap.execution_failed': WebhookResource<PriceTriggerSwap>;
  /** A price-trigger swap was cancelled. */
  'price_trigger_swap.cancelled': WebhookResource<PriceTriggerSwap>;
  /** Screening of a wallet has finished: `status` is `approved` or `rejected`. */
  'wallet.whitelisted': WebhookResource<WhitelistedWallet>;
  /** The status of a deposit has changed. */
  'deposit.status_updated': WebhookResource<FundsTransaction>;
  /** A deposit has completed. */
  'deposit.completed': WebhookResource<FundsTransaction>;
  /** The status of a withdrawal has changed. */
  'withdrawal.status_updated': WebhookResource<FundsTransaction & Withdrawal>;
  /** A withdrawal has completed. */
  'withdrawal.completed': WebhookResource<FundsTransaction & Withdrawal>;
  /** A withdrawal has failed. */
  'withdrawal.failed': WebhookResource<FundsTransaction & Withdrawal>;
  /** A transfer has completed. */
  'transfer.completed': WebhookResource<Transfer>;
  /** A transfer has failed. */
  'transfer.failed': WebhookResource<Transfer>;
  /** A swap has completed. */
  'swap.completed': WebhookObject;
  /** A swap has failed. */
  'swap.failed': WebhookObject;
  /** A custom order is executed. */
  'custom_order.executed': WebhookObject;
  /** Execution of a custom order fails. */
  'custom_order.execution_failed': WebhookObject;
  /** A custom order is cancelled. */
  'custom_order.cancelled': WebhookObject;
  /** A reward is paid. */
  'reward.paid': WebhookObject;
  /** A user is verified. */
  'user.verified': WebhookObject;
  /** A user is closed. */
  'user.closed': WebhookObject;
  /** A user is disabled. */
  'user.disabled': WebhookObject;
  /**
   * The status of a hosted ramp transaction has changed. This callback does not name its kind, so
   * the name is this package's own. It is recognized only in the scheme `body`.
   */
  'ramp.transaction_updated': RampTransactionUpdate;
  /** Sent at the partner's request, to test an endpoint. */
  'webhook.test': { readonly message?: string | undefined } & WebhookObject;
}

/** The kinds of events that this version knows. */
export type KnownWebhookEventType = keyof WebhookEventData;

/** An event's kind. More may be added: handle those you know, and respond to others with 2xx. */
export type WebhookEventType = KnownWebhookEventType | (string & {});

/** The members of every event, whatever its kind. */
interface WebhookEventBase {
  /**
   * The signed id of the event: `id` beside `type` and `data`, or `webhook-id` in the scheme
   * `standard`. Absent in the flat form, where `id` is the resource's id.
   */
  readonly id?: string | undefined;
  /**
   * The same string in every delivery of an event: its signed `id`; otherwise the SHA-256 of the
   * signed body in lower-case hex. If only the unsigned header `X-Webhook-Event` names the kind,
   * the hash is that of the kind, a line feed and the body. Deliveries may be duplicates and arrive
   * in any order, so record this string together with the effect. The hash relies on an assumption,
   * since the service doesn't document that a redelivery has the same bytes: if it differs, its
   * event is handled again, but not lost.
   */
  readonly deliveryId: string;
  /** The subscription's id, from the unsigned header `X-Webhook-ID`. Many events share it. */
  readonly webhookId?: string | undefined;
  /**
   * The verified body as a string. `raw` and `data` hold JavaScript numbers, which round integers
   * above 2^53 and decimals of more than about 16 digits, so read such a number from this string.
   */
  readonly body: string;
  /** The whole payload as sent. */
  readonly raw: WebhookObject;
  /** The time of signing, in unix seconds; absent in the scheme `body`, which signs no time. */
  readonly timestamp?: number | undefined;
  /**
   * The index in `secrets` of the secret that signed the delivery (0 with `secret`). Drop the old
   * secret once its index no longer appears here.
   */
  readonly secretIndex: number;
}

/** An event of a known kind, or of several: `WebhookEventOf<'swap.completed' | 'swap.failed'>`. */
export type WebhookEventOf<Type extends KnownWebhookEventType> = Type extends KnownWebhookEventType
  ? WebhookEventBase & {
      /** The event kind, from the body; otherwise from the unsigned header `X-Webhook-Event`. */
      readonly type: Type;
      /**
       * The content: `data` of the enveloped form, or, if that is not an object, all members except
       * the one that names the kind.
       */
      readonly data: WebhookEventData[Type];
    }
  : never;

/**
 * An event of a kind that this version does not know. `type` is the kind's name at run time;
 * `isWebhookEvent(event, name)` compares it.
 */
export interface UnrecognizedWebhookEvent extends WebhookEventBase {
  readonly type: Unrecognized;
  readonly data: WebhookObject;
}

/**
 * A delivery that is verified to come from the service. Narrow it by `type`: `if (event.type ===
 * 'quote.executed')` narrows `event.data` to the members of a quote. For a kind that is not among
 * `KnownWebhookEventType`, use `isWebhookEvent`.
 */
export type WebhookEvent = WebhookEventOf<KnownWebhookEventType> | UnrecognizedWebhookEvent;

/**
 * Returns true if the event is of this kind, and narrows `event` for a known kind. For a kind that
 * this version does not know, pass its name as a string. `data` is then an untyped JSON object: `if
 * (isWebhookEvent(event, 'loan.repaid')) event.data['amount']`.
 *
 * @example
 * const event = verifyWebhook({ body: rawBody, headers, secret });
 * if (isWebhookEvent(event, 'quote.executed')) await settle(event.data);
 */
export function isWebhookEvent<Type extends KnownWebhookEventType>(
  event: WebhookEvent,
  type: Type,
): event is WebhookEventOf<Type>;
export function isWebhookEvent(event: WebhookEvent, type: WebhookEventType): boolean;
export function isWebhookEvent(event: WebhookEvent, type: string): boolean {
  return event.type === type;
}

/**
 * Converts both payload forms, `{ id, type, data }` and `{ event_type, …members }`, to one, whose
 * `id` is the event's, never the resource's.
 */
export function contentOf(raw: WebhookObject, headers: WebhookHeaders, scheme: WebhookScheme) {
  // The flat form comes first: its `type`, `data` and `id` may be members of the resource.
  const flatType = textIn(raw, 'event_type');
  if (flatType !== undefined) {
    const { event_type: _, ...data } = raw;
    return { id: undefined, type: flatType, data, kindIsSigned: true };
  }
  const data = objectIn(raw, 'data');
  const type = textIn(raw, 'type');
  if (type !== undefined) {
    const { type: _, ...members } = raw;
    return { id: data && textIn(raw, 'id'), type, data: data ?? members, kindIsSigned: true };
  }
  const isRampCallback = textIn(objectIn(raw, 'payload') ?? {}, 'transaction_id') && textIn(raw, 'status');
  if (scheme === 'body' && isRampCallback) {
    return { id: undefined, type: 'ramp.transaction_updated', data: raw, kindIsSigned: true };
  }
  const headerType = readHeader(headers, 'X-Webhook-Event');
  if (headerType !== undefined) return { id: undefined, type: headerType, data: data ?? raw, kindIsSigned: false };
  throw new WebhookVerificationError(
    'bad_format',
    'the payload names no event kind: neither type nor event_type is a string',
  );
}

/** Returns a verified body as a string, and the JSON object in it. */
export function readBody(bytes: Uint8Array): { readonly body: string; readonly raw: WebhookObject } {
  let body: string;
  let raw: unknown;
  try {
    // Strict UTF-8: a replaced character would change the signed string.
    body = exactText(bytes);
    raw = JSON.parse(body);
  } catch {
    // The parser's error quotes the body, so it is not passed on as the cause.
    throw new WebhookVerificationError('bad_format', 'the body is correctly signed, but it is not JSON in UTF-8');
  }
  if (isObject(raw)) return { body, raw };
  throw new WebhookVerificationError('bad_format', 'the body is correctly signed, but it is not a JSON object');
}

function textIn(raw: WebhookObject, name: string): string | undefined {
  const value = ownMember(raw, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function objectIn(raw: WebhookObject, name: string): WebhookObject | undefined {
  const value = ownMember(raw, name);
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is WebhookObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
