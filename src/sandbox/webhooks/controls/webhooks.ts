import type { WebhookSubscription } from '../../../resources/webhooks.js';
import { BOOLEAN, checkGiven, checkOptions, isCount, oneOf, type Rules, rule } from '../../../util/options.js';
import { DAY_MS } from '../../core/clock/clock.js';
import { betweenTasks } from '../../core/input.js';
import type { Delivery } from '../delivery/delivery.js';
import { DELIVERY_SCHEMES } from '../delivery/signature.js';
import {
  type DeliveryManner,
  isWebhookUrl,
  type RegisteredWebhook,
  type SigningSecret,
  signingSecrets,
  WEBHOOK_URL,
  type WebhookChange,
  type WebhookInput,
} from '../delivery/subscriptions.js';
import type { WebhookHost } from '../host.js';
import type { WebhookVerdict } from '../verify/verify.js';
import { verifyGiven, verifySent, type WebhookVerifyInput } from '../verify/verify-input.js';
import type { SandboxWebhookFaults } from './faults.js';
import { type DeliveryFilter, filteredDeliveries, type WebhookOverview, webhookOverviews } from './reports.js';
import { samplesOf, type WebhookSample } from './samples.js';
import { type DeliverySummary, deliverySummaries, type SummaryFilter } from './summaries.js';
import { type TriggerOptions, trigger } from './trigger.js';

/** `sandbox.webhooks`: subscriptions, and their deliveries. */
export interface SandboxWebhooks {
  /**
   * Registers a webhook: each event of its kinds is delivered to it at least once, signed with the
   * machine's time. A 2xx response within 30 s is a success. After any other result the sandbox
   * retries the delivery, by its clock, as the option `webhookBackoff` says: by default 1 s, 2 s, 4
   * s … 128 s after the failed attempt. Then the delivery has failed for good. The result contains
   * the `signing_secret`, which is not shown again. Webhooks of the seed receive nothing.
   *
   * @throws TypeError for wrong input.
   */
  register(input: WebhookInput): RegisteredWebhook;
  /**
   * Changes a webhook. Absent members do not change. Pending deliveries go to the new `url`; with
   * `disabled: true` they end as `failed`.
   *
   * @throws TypeError for wrong input, Error for an unknown id.
   */
  update(webhookId: string, change: WebhookChange): WebhookSubscription;
  /**
   * Replaces the signing secret of a webhook. The new one is not shown again. For `overlap`
   * milliseconds (0 or more, default 24 h) of the sandbox's clock, deliveries carry the signatures
   * of earlier secrets too: newest first, at most eight. The scheme `body` has room for one
   * signature, that of the newest secret.
   *
   * @throws TypeError for wrong input, Error for an unknown id.
   */
  rotateSecret(webhookId: string, options?: RotationOptions): RegisteredWebhook;
  /**
   * Removes a webhook. Its pending deliveries end as `failed`.
   *
   * @throws Error for an unknown id.
   */
  remove(webhookId: string): void;
  /**
   * Delivers an event again with the same event id, even if it was delivered already. Resolves when
   * the attempt has ended, whatever its result. Scheduled attempts remain until one succeeds.
   * Rejects for an unknown id, a removed or disabled webhook, a closed sandbox.
   */
  redeliver(deliveryId: string): Promise<Delivery>;
  /**
   * Makes one more attempt for all pending and failed deliveries, as `redeliver` does. Resolves
   * when these attempts have ended. Skips deliveries of removed or disabled webhooks.
   */
  retryFailed(): Promise<Delivery[]>;
  /** Starts the due deliveries, and resolves when none is under way. */
  idle(): Promise<void>;
  /** Returns the webhooks, newest first, with counts of their deliveries and without secrets. */
  list(): WebhookOverview[];
  /**
   * Returns deliveries in the order of their events: all pending ones and the 10,000 that ended
   * last. With `inspect` their attempts have `request` and `answer`.
   *
   * @throws TypeError for a wrong filter.
   */
  listDeliveries(filter?: DeliveryFilter): Delivery[];
  /**
   * Returns summaries of deliveries, newest first: at most 1,000, unless `limit` is higher.
   *
   * @throws TypeError for a wrong filter.
   */
  deliverySummaries(filter?: SummaryFilter): DeliverySummary[];
  /** Returns the valid signing secrets of a webhook, newest first. Undefined for an unknown id. */
  secrets(webhookId: string): SigningSecret[] | undefined;
  /** Returns the known kinds of events, each with the payload that `trigger` would send. */
  samples(): WebhookSample[];
  /**
   * Sends an event that has no cause. Resolves when its first attempts have ended. The payload is
   * made from the sandbox's own records; for a kind that nothing in the sandbox causes it has only
   * the account.
   *
   * @param kind For example `quote.executed`. `ramp.transaction_updated` sends the callback of a
   * hosted ramp transaction to webhooks with the scheme `body`: `overrides` are members of the
   * whole payload, which has neither a kind nor an id of the event.
   * @param overrides Members of the payload, merged deeply; `undefined` removes a member.
   * @throws TypeError for an unknown kind and wrong input, Error if no webhook receives the event.
   */
  trigger(kind: string, overrides?: object, options?: TriggerOptions): Promise<Delivery[]>;
  /**
   * Parses a delivery's signature and explains why a receiver would reject it, with the likely
   * mistake.
   *
   * @throws TypeError for wrong input, Error for an unknown webhook.
   */
  verify(input: WebhookVerifyInput): WebhookVerdict;
  /**
   * Verifies each attempt of a delivery as of the time when it was sent. Requires `inspect`. `null`
   * for an attempt whose request is not kept. Undefined for an unknown id.
   */
  verifyDelivery(deliveryId: string): (WebhookVerdict | null)[] | undefined;
  /**
   * Makes the service disable a webhook after this many failed attempts in a row, 1 or more. `null`
   * (the default): never. `update` with `disabled: false` enables it again.
   *
   * @param attempts Number of failed attempts in a row, 1 or more; `null`: never.
   * @throws TypeError for a number out of range.
   */
  disableAfter(attempts: number | null): void;
  /** Makes deliveries go wrong. */
  readonly faults: SandboxWebhookFaults;
}

const URL_RULE = rule((value) => isText(value) && isWebhookUrl(value), `must be ${WEBHOOK_URL}`);
const EVENTS = rule(
  (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  'must be a list of event kinds, at least one',
  (value) => (Array.isArray(value) ? [...value] : value),
);
const DESCRIPTION = rule((value) => typeof value === 'string', 'must be text');

const MANNER = { form: oneOf('enveloped', 'flat'), scheme: oneOf(...DELIVERY_SCHEMES) } satisfies Rules<DeliveryManner>;

const INPUT_RULES = {
  url: { ...URL_RULE, required: true },
  events: EVENTS,
  description: DESCRIPTION,
  ...MANNER,
} satisfies Rules<WebhookInput>;

const CHANGE_RULES = {
  url: URL_RULE,
  events: EVENTS,
  description: DESCRIPTION,
  disabled: BOOLEAN,
  ...MANNER,
} satisfies Rules<WebhookChange>;

/** Options of `rotateSecret`. */
interface RotationOptions {
  /** Time in ms for which the replaced secrets stay valid, 0 or more. Default 24 h. */
  readonly overlap?: number | undefined;
}

const ROTATION_RULES = {
  overlap: {
    ...rule((value) => Number.isFinite(value) && (value as number) >= 0, 'must be 0 or more milliseconds'),
    default: DAY_MS,
  },
} satisfies Rules<RotationOptions>;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function webhookControls(host: WebhookHost, faults: SandboxWebhookFaults): SandboxWebhooks {
  const { state, webhooks } = host;
  return {
    register(input) {
      const webhook = checkGiven('webhooks.register', input, INPUT_RULES, TypeError);
      return betweenTasks(state, () => webhooks.subscriptions.register(webhook));
    },
    update(webhookId, input) {
      const webhook = checkGiven('webhooks.update', input, CHANGE_RULES, TypeError);
      return betweenTasks(state, () => webhooks.update(webhookId, webhook));
    },
    rotateSecret(webhookId, options = {}) {
      const { overlap } = checkOptions('webhooks.rotateSecret', options, ROTATION_RULES, TypeError);
      return betweenTasks(state, () => webhooks.subscriptions.rotate(webhookId, overlap));
    },
    remove(webhookId) {
      betweenTasks(state, () => webhooks.remove(webhookId));
    },
    async redeliver(deliveryId) {
      return webhooks.shown(await webhooks.redeliver(deliveryId));
    },
    async retryFailed() {
      const open = webhooks.deliveries.filter(({ status }) => status !== 'delivered').map(({ id }) => id);
      // A webhook may be removed or disabled before its delivery starts.
      const ends = await Promise.allSettled(open.map((id) => webhooks.redeliver(id)));
      return ends.flatMap((end) => (end.status === 'fulfilled' ? webhooks.shown(end.value) : []));
    },
    list: () => webhookOverviews(host),
    listDeliveries: (filter = {}) => filteredDeliveries(webhooks, filter),
    deliverySummaries: (filter = {}) => deliverySummaries(webhooks, filter),
    secrets: (webhookId) => signingSecrets(webhooks.subscriptions.find(webhookId), state.clock.now()),
    samples: () => samplesOf(state),
    trigger: (kind, overrides, options) => trigger(host, faults, kind, overrides, options),
    verify: (input) => verifyGiven(webhooks.subscriptions, state.clock, input),
    verifyDelivery(deliveryId) {
      const delivery = webhooks.deliveries.find(({ id }) => id === deliveryId);
      return delivery && verifySent(webhooks.subscriptions, webhooks.shown(delivery));
    },
    disableAfter(attempts) {
      if (attempts !== null && !isCount(attempts, 1)) {
        throw new TypeError('webhooks.disableAfter: attempts must be a whole number of 1 or more, or null');
      }
      webhooks.failing.limit = attempts ?? undefined;
    },
    faults,
    idle() {
      state.clock.catchUp();
      return webhooks.idle();
    },
  };
}
