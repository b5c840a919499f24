import * as z from 'zod/mini';
import type { WebhookSubscription } from '../../../resources/webhooks.js';
import { text } from '../../core/basics/checked.js';
import { DAY_MS } from '../../core/clock/clock.js';
import { betweenTasks } from '../../core/input.js';
import type { GroupOf } from '../../core/kind/group.js';
import type { Delivery } from '../delivery/delivery.js';
import { DELIVERY_SCHEMES } from '../delivery/signature.js';
import {
  isWebhookUrl,
  type RegisteredWebhook,
  type SigningSecret,
  signingSecrets,
  WEBHOOK_URL,
  type WebhookChange,
  type WebhookInput,
} from '../delivery/subscriptions.js';
import type { WebhookHost } from '../dispatcher.js';
import type { WebhookVerdict } from '../verify/verify.js';
import { verifyGiven, verifyInput, verifySent, type WebhookVerifyInput } from '../verify/verify-input.js';
import {
  type DeliveryFilter,
  type DeliverySummary,
  deliveryFilter,
  deliverySummaries,
  listDeliveries,
  type WebhookOverview,
  webhookOverviews,
} from './reports.js';
import {
  samplesOf,
  TRIGGERED,
  type TriggerOptions,
  type TroubledWebhookHost,
  trigger,
  type WebhookSample,
} from './trigger.js';

/** `sandbox.webhooks`: subscriptions, and their deliveries. */
export interface SandboxWebhooks {
  /**
   * Registers a webhook: each event of its kinds is delivered to it at least once, signed with the
   * machine's time. A 2xx response within 30 s is a success. After any other result the sandbox
   * retries the delivery, by its clock, as the option `webhookBackoff` says: by default 1 s, 2 s, 4
   * s … 128 s after the failed attempt. After the last retry the delivery is `failed`. The result
   * contains the `signing_secret`, which is not shown again. Webhooks of the seed receive nothing.
   */
  register(input: WebhookInput): RegisteredWebhook;
  /** Changes a webhook. Pending deliveries go to the new `url`; `disabled: true` fails them. */
  update(webhookId: string, change: WebhookChange): WebhookSubscription;
  /**
   * Replaces the signing secret of a webhook. The new one is not shown again. For `overlapMs`
   * (default 24 h) of the sandbox's clock, deliveries carry the signatures of earlier secrets, too:
   * newest first, at most eight. The scheme `body` has room for one only, that of the newest
   * secret.
   */
  rotateSecret(webhookId: string, options?: RotationOptions): RegisteredWebhook;
  /** Removes a webhook. Its pending deliveries become `failed`. */
  remove(webhookId: string): void;
  /**
   * Delivers an event again with the same event id, even if it was delivered already. Resolves when
   * the attempt has finished, whatever its result. Scheduled attempts remain until one succeeds.
   * Rejects for an unknown id, a removed or disabled webhook, or a closed sandbox.
   */
  redeliver(deliveryId: string): Promise<Delivery>;
  /**
   * Makes one more attempt for all pending and failed deliveries, as `redeliver` does. Resolves
   * when these attempts have finished. Skips deliveries of removed or disabled webhooks.
   */
  retryFailed(): Promise<Delivery[]>;
  /** Starts the due deliveries, and resolves when none is in progress. */
  idle(): Promise<void>;
  /** Returns the webhooks, newest first, with counts of their deliveries and without secrets. */
  list(): WebhookOverview[];
  /** Returns pending deliveries and the 10,000 that finished last, in the order of their events. */
  listDeliveries(filter?: DeliveryFilter): Delivery[];
  /** Returns summaries of deliveries, newest first: at most 1,000, unless `limit` is higher. */
  deliverySummaries(filter?: DeliveryFilter): DeliverySummary[];
  /** Returns the valid signing secrets of a webhook, newest first. Undefined for an unknown id. */
  secrets(webhookId: string): SigningSecret[] | undefined;
  /** Returns the known kinds of events, each with the payload that `trigger` would send. */
  samples(): WebhookSample[];
  /**
   * Sends an event that has no cause. Resolves when its first attempts have finished. The sandbox
   * builds the payload from its own records. For a kind that nothing in the sandbox causes, the
   * payload contains only the account.
   *
   * @param kind For example `quote.executed`. `ramp.transaction_updated` sends the callback of a
   * hosted ramp transaction to webhooks with the scheme `body`: `overrides` are members of the
   * whole payload, which has neither a kind nor an id of the event.
   * @param overrides Members of the payload, merged deeply; `undefined` removes a member.
   * @throws TypeError for an unknown kind, Error if no webhook receives the event.
   */
  trigger(kind: string, overrides?: object, options?: TriggerOptions): Promise<Delivery[]>;
  /** Explains why a receiver would reject a delivery, with the likely mistake. */
  verify(input: WebhookVerifyInput): WebhookVerdict;
  /**
   * Verifies each attempt of a delivery as of the time when it was sent. Requires `inspect`. `null`
   * for an attempt whose request is not stored. Undefined for an unknown id.
   */
  verifyDelivery(deliveryId: string): (WebhookVerdict | null)[] | undefined;
}

const manner = { form: z.optional(z.enum(['enveloped', 'flat'])), scheme: z.optional(z.enum(DELIVERY_SCHEMES)) };
const url = z.string().check(z.refine(isWebhookUrl, `must be ${WEBHOOK_URL}`));
const details = {
  events: z.optional(z.array(text).check(z.minLength(1))),
  description: z.optional(z.string()),
  ...manner,
};
const webhookInput = z.strictObject({ url, ...details });
const webhookChange = z.strictObject({ url: z.optional(url), disabled: z.optional(z.boolean()), ...details });

/** Options of `rotateSecret`. */
interface RotationOptions {
  /** Time in ms for which the replaced secrets stay valid, 0 or more. Default 24 h. */
  readonly overlapMs?: number | undefined;
}

const rotationOptions = z.strictObject({ overlapMs: z.optional(z.number().check(z.nonnegative())) });

export const webhooks: GroupOf<TroubledWebhookHost, SandboxWebhooks> = {
  name: 'webhooks',
  removal: 'remove',
  methods: {
    register: {
      takes: { input: webhookInput },
      run: (host, input) => betweenTasks(host.state, () => host.webhooks.subscriptions.register(input)),
    },
    update: {
      takes: { webhookId: text, change: webhookChange },
      run: (host, webhookId, change) => betweenTasks(host.state, () => host.webhooks.update(webhookId, change)),
    },
    rotateSecret: {
      takes: { webhookId: text, options: z.optional(rotationOptions) },
      run: (host, webhookId, { overlapMs = DAY_MS } = {}) =>
        betweenTasks(host.state, () => host.webhooks.subscriptions.rotate(webhookId, overlapMs)),
    },
    remove: {
      takes: { webhookId: text },
      run: (host, webhookId) => betweenTasks(host.state, () => host.webhooks.remove(webhookId)),
    },
    redeliver: {
      takes: { deliveryId: text },
      isAsync: true,
      run: async (host, deliveryId) => host.webhooks.shown(await host.webhooks.redeliver(deliveryId)),
    },
    retryFailed: { isAsync: true, run: retryFailed },
    idle: {
      isAsync: true,
      run(host) {
        host.state.clock.catchUp();
        return host.webhooks.idle();
      },
    },
    list: { id: 'id', run: webhookOverviews },
    listDeliveries: {
      get: 'deliveries',
      id: 'id',
      takes: { filter: z.optional(deliveryFilter) },
      run: listDeliveries,
    },
    deliverySummaries: {
      get: 'deliverySummaries',
      takes: { filter: z.optional(deliveryFilter) },
      run: deliverySummaries,
    },
    secrets: {
      get: 'secrets',
      takes: { webhookId: text },
      run: ({ state, webhooks: { subscriptions } }, webhookId) =>
        signingSecrets(subscriptions.find(webhookId), state.clock.now()),
    },
    samples: { get: 'samples', run: ({ state }) => samplesOf(state) },
    trigger: { takes: TRIGGERED, isAsync: true, run: trigger },
    verify: {
      takes: { input: verifyInput },
      run: ({ state, webhooks: dispatcher }, input) => verifyGiven(dispatcher.subscriptions, state.clock, input),
    },
    verifyDelivery: {
      get: 'verifyDelivery',
      takes: { deliveryId: text },
      run({ webhooks: dispatcher }, deliveryId) {
        const delivery = dispatcher.deliveries.find(({ id }) => id === deliveryId);
        return delivery && verifySent(dispatcher.subscriptions, dispatcher.shown(delivery));
      },
    },
  },
};

async function retryFailed({ webhooks: dispatcher }: WebhookHost): Promise<Delivery[]> {
  const open = dispatcher.deliveries.filter(({ status }) => status !== 'delivered').map(({ id }) => id);
  // A webhook may be removed or disabled before its delivery starts.
  const ends = await Promise.allSettled(open.map((id) => dispatcher.redeliver(id)));
  return ends.flatMap((end) => (end.status === 'fulfilled' ? dispatcher.shown(end.value) : []));
}
