import { nearestName } from '../../../util/did-you-mean.js';
import { BOOLEAN, checkGiven, isRecord, objectOf, type Rules, rule } from '../../../util/options.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { Delivery } from '../delivery/delivery.js';
import type { WebhookEffects, WebhookFault, WebhookFaultOptions } from '../delivery/delivery-fault.js';
import { checkEffects, EFFECT_RULES } from '../delivery/effects.js';
import { RAMP_CALLBACK } from '../delivery/payload.js';
import type { SubscriptionRecord } from '../delivery/subscriptions.js';
import type { WebhookDispatcher } from '../dispatcher.js';
import type { WebhookHost } from '../host.js';
import { KNOWN_KINDS, samplePayload } from './samples.js';

/** Options of an event to trigger. */
export interface TriggerOptions {
  /** The only webhook that receives it, whatever its kinds. Default: all webhooks of the kind. */
  readonly webhookId?: string | undefined;
  /** Id of the event, for example of one that was sent before. Default: a new one. */
  readonly eventId?: string | undefined;
  /** `true`: accepts any text as a kind, and sends it to all webhooks. Default `false`. */
  readonly allowUnknown?: boolean | undefined;
  /**
   * Fault of this event alone: applies to the first attempt of each of its deliveries, unless an
   * older webhook fault does. Default: none.
   *
   * @example
   * sandbox.webhooks.register({ url: sandbox.inbox.url('shop') });
   * await sandbox.webhooks.trigger('quote.executed', {}, { fault: { timestamp: 'stale' } });
   */
  readonly fault?: WebhookEffects | undefined;
}

const TEXT = rule((value) => typeof value === 'string' && /^[ -~]{1,200}$/.test(value), 'must be printable ASCII text');

const RULES = {
  webhookId: TEXT,
  eventId: TEXT,
  allowUnknown: BOOLEAN,
  fault: objectOf(EFFECT_RULES),
} satisfies Rules<TriggerOptions>;

/** Webhooks, and the faults that one delivery of them may have. */
export interface FaultyWebhookHost extends WebhookHost {
  readonly trouble: {
    readonly webhookFaults: {
      add(method: string, options: WebhookFaultOptions): WebhookFault;
      remove(id: string): boolean;
    };
  };
}

/** Maximum depth of overrides; deeper ones are refused. */
const MAX_DEPTH = 32;

/** @throws TypeError for wrong input, Error if no webhook receives the event. */
export async function trigger(
  host: FaultyWebhookHost,
  kind: string,
  overrides: object = {},
  given: TriggerOptions = {},
): Promise<Delivery[]> {
  const options = checkGiven('webhooks.trigger', given, RULES, TypeError);
  if (options.fault !== undefined) checkEffects('webhooks.trigger: fault', options.fault);
  checkKind(kind, options.allowUnknown === true);
  if (!isRecord(overrides)) throw new TypeError('webhooks.trigger: overrides must be an object');
  const { state, webhooks, trouble } = host;
  const { clock } = state;
  clock.catchUp();
  const data = merged(samplePayload(state, kind), overrides, 'overrides', 0);
  const receivers = receiversOf(webhooks, kind, options);
  const { eventId = webhooks.newEventId(), fault } = options;
  const added =
    fault && trouble.webhookFaults.add('webhooks.trigger: fault', { ...fault, eventId, times: receivers.length });
  try {
    const ids = webhooks.send({ type: kind, data, eventId }, receivers);
    clock.catchUp();
    return (await webhooks.settled(ids)).map((delivery) => webhooks.shown(delivery));
  } finally {
    // An older fault may have applied in its place.
    if (added !== undefined) trouble.webhookFaults.remove(added.id);
  }
}

function checkKind(kind: string, takesUnknown: boolean): void {
  if (typeof kind !== 'string' || !/^[ -~]{1,200}$/.test(kind)) {
    throw new TypeError('webhooks.trigger: kind must be printable ASCII text, for example quote.executed');
  }
  if (takesUnknown || KNOWN_KINDS.includes(kind)) return;
  const meant = nearestName(kind, KNOWN_KINDS);
  const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
  throw new TypeError(
    `webhooks.trigger: there is no kind ${kind}${hint} Known are ${KNOWN_KINDS.join(', ')}; with allowUnknown any is sent`,
  );
}

function receiversOf(
  { subscriptions }: WebhookDispatcher,
  kind: string,
  { webhookId, allowUnknown }: TriggerOptions,
): readonly SubscriptionRecord[] {
  if (webhookId !== undefined) return [receiver(subscriptions.existing('webhooks.trigger', webhookId))];
  if (kind === RAMP_CALLBACK) {
    const receivers = subscriptions.enabled().filter(({ scheme }) => scheme === 'body');
    if (receivers.length > 0) return receivers;
    throw new Error(`webhooks.trigger: no webhook receives ${kind}: register one with the scheme body`);
  }
  const isKnown = KNOWN_KINDS.includes(kind);
  const receivers = isKnown || allowUnknown !== true ? subscriptions.receivers(kind) : subscriptions.enabled();
  if (receivers.length > 0) return receivers;
  throw new Error(`webhooks.trigger: no webhook receives ${kind}: register one`);
}

function receiver(record: SubscriptionRecord): SubscriptionRecord {
  const { id, disabled } = record.subscription;
  if (disabled === true) throw new Error(`webhooks.trigger: the webhook ${id} is disabled`);
  if (record.secrets.length > 0) return record;
  throw new Error(`webhooks.trigger: the webhook ${id} is of the seed and receives nothing: register one`);
}

/** Merges objects member by member. Lists and all other values are replaced. */
function merged(base: unknown, over: unknown, path: string, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new TypeError(`webhooks.trigger: ${excerpt(path)} is nested too deeply`);
  if (Array.isArray(over)) return over.map((item, index) => merged(undefined, item, `${path}[${index}]`, depth + 1));
  if (!isRecord(over)) return checkedValue(over, path);
  const names = new Set([...(isRecord(base) ? Object.keys(base) : []), ...Object.keys(over)]);
  const members = [...names].flatMap((name): [string, unknown][] => {
    const old = isRecord(base) && Object.hasOwn(base, name) ? base[name] : undefined;
    if (!Object.hasOwn(over, name)) return [[name, old]];
    const value = over[name];
    // An undefined member removes the sample's.
    return value === undefined ? [] : [[name, merged(old, value, `${path}.${name}`, depth + 1)]];
  });
  return Object.fromEntries(members);
}

function checkedValue(value: unknown, path: string): unknown {
  const isJson = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  if (isJson) return value;
  throw new TypeError(
    `webhooks.trigger: ${excerpt(path)} is not JSON: ${typeof value === 'number' ? value : typeof value}`,
  );
}
