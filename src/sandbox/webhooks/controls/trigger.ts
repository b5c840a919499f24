import * as z from 'zod/mini';
import { WEBHOOK_KINDS } from '../../../resources/webhook-kinds.js';
import { nearestName } from '../../../util/did-you-mean.js';
import { isRecord } from '../../../util/options.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { timestamp } from '../../core/clock/clock.js';
import type { Sample } from '../../core/kind/kind.js';
import type { State } from '../../core/records/state.js';
import { KINDS } from '../../kinds/registry/index.js';
import type { Delivery } from '../delivery/delivery.js';
import { type DeliveryEffects, deliveryEffects } from '../delivery/effects.js';
import { RAMP_CALLBACK } from '../delivery/payload.js';
import type { SubscriptionRecord } from '../delivery/subscriptions.js';
import type { WebhookDispatcher, WebhookHost } from '../dispatcher.js';
import { TEST_DATA } from '../test-delivery.js';

/** Options of an event to trigger. */
export interface TriggerOptions {
  /** The only webhook that receives it, whatever its kinds. Default: all webhooks of the kind. */
  readonly webhookId?: string | undefined;
  /** Id of the event, for example of one that was sent before. Default: a new one. */
  readonly eventId?: string | undefined;
  /** If `true`, accepts any string as a kind, and sends it to all webhooks. Default `false`. */
  readonly allowUnknown?: boolean | undefined;
  /**
   * Effects only on the deliveries of this event. They apply to the first attempt of each delivery,
   * unless an older trouble applies to that attempt. Default: none.
   *
   * @example
   * sandbox.webhooks.register({ url: sandbox.inbox.url('shop') });
   * await sandbox.webhooks.trigger('quote.executed', {}, { delivery: { timestamp: 'stale' } });
   */
  readonly delivery?: DeliveryEffects | undefined;
}

/** Text that a header can carry. */
const printable = z.string().check(z.regex(/^[ -~]{1,200}$/, { error: 'must be printable ASCII text' }));

/** The schemas of the arguments of `webhooks.trigger`. */
export const TRIGGERED = {
  kind: z
    .string()
    .check(z.regex(/^[ -~]{1,200}$/, { error: 'must be printable ASCII text, for example quote.executed' })),
  // No schema of objects: zod would copy them, and a member named `__proto__` is data here.
  overrides: z.optional(
    z.custom<object>(isRecord, { error: 'must be an object' }).register(z.globalRegistry, { type: 'object' }),
  ),
  options: z.optional(
    z.strictObject({
      webhookId: z.optional(printable),
      eventId: z.optional(printable),
      allowUnknown: z.optional(z.boolean()),
      delivery: z.optional(deliveryEffects),
    }),
  ),
};

/** A trouble of the deliveries of one event. */
interface DeliveryTrouble {
  readonly match: { readonly eventId: string };
  readonly does: { readonly delivery: DeliveryEffects };
  readonly times: number;
}

/** Webhooks, and the troubles that one delivery of them may have. */
export interface TroubledWebhookHost extends WebhookHost {
  readonly troubles: {
    add(method: string, options: DeliveryTrouble): { readonly id: string };
    remove(id: string): boolean;
  };
}

/** Maximum depth of overrides; deeper ones are rejected. */
const MAX_DEPTH = 32;

/** @throws TypeError for wrong input, Error if no webhook receives the event. */
export async function trigger(
  { state, webhooks, troubles }: TroubledWebhookHost,
  kind: string,
  overrides: object = {},
  options: TriggerOptions = {},
): Promise<Delivery[]> {
  checkKind(kind, options.allowUnknown === true);
  const { clock } = state;
  clock.catchUp();
  const data = merged(samplePayload(state, kind), overrides, 'overrides', 0);
  const receivers = receiversOf(webhooks, kind, options);
  const { eventId = webhooks.newEventId(), delivery } = options;
  const added =
    delivery && troubles.add('webhooks.trigger', { match: { eventId }, does: { delivery }, times: receivers.length });
  try {
    const ids = webhooks.send({ type: kind, data, eventId }, receivers);
    clock.catchUp();
    return (await webhooks.settled(ids)).map((delivery) => webhooks.shown(delivery));
  } finally {
    // An older trouble may have applied in its place.
    if (added !== undefined) troubles.remove(added.id);
  }
}

function checkKind(kind: string, takesUnknown: boolean): void {
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

/** A payload for a kind: of the sandbox's newest record, or a made-up one if there is none. */
const SAMPLES: ReadonlyMap<string, Sample> = new Map<string, Sample>([
  ...KINDS.flatMap(({ events = {} }) => Object.entries(events)),
  ['webhook.test', () => TEST_DATA],
  [RAMP_CALLBACK, ({ random }) => ({ status: 'completed', payload: { transaction_id: random.uuid() } })],
]);

/** The kinds that `trigger` sends without `allowUnknown`. */
const KNOWN_KINDS: readonly string[] = [...WEBHOOK_KINDS, RAMP_CALLBACK];

/** An event that `trigger` can send. */
export interface WebhookSample {
  /** For example `quote.executed`. */
  readonly kind: string;
  /** The payload, made from the sandbox's own records. */
  readonly data: object;
}

export const samplesOf = (state: State): WebhookSample[] =>
  WEBHOOK_KINDS.map((kind) => ({ kind, data: samplePayload(state, kind) }));

/** Returns the payload of a kind: only the account if nothing in the sandbox causes the kind. */
function samplePayload(state: State, kind: string): object {
  const [account] = state.accounts.values();
  if (account === undefined) throw new Error('webhooks.trigger: the sandbox has no account');
  const sample = SAMPLES.get(kind);
  if (sample === undefined) return { account: account.id };
  const source = { state, account, random: state.random.fork(kind), now: timestamp(state.clock.now()) };
  return structuredClone(sample(source));
}
