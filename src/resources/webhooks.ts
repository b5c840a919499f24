import type { ApiPromise, ListOptions, PagedList, RequestOptions, UnkeyedRequestOptions } from '../call/caller.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';
import { isPrivateHost } from '../util/loopback.js';
import { isHttpsUrl, type PageParams } from './common.js';
import { defineList, defineOperation } from './define-operation.js';
import { Resource } from './resource.js';
import { WEBHOOK_KINDS } from './webhook-kinds.js';

/** One registered webhook. Its signing secret is shown once, at registration, and never here. */
export interface WebhookSubscription {
  /** Prefix `ep_`. */
  id: string;
  /** The partner's delivery address. */
  url: string;
  description: string;
  /** Present only when disabled. */
  disabled?: boolean | undefined;
  /** ISO 8601, UTC, microseconds. It stays a string, since a `Date` would lose the microseconds. */
  created_at: string;
  /** ISO 8601, UTC, microseconds. */
  updated_at: string;
  /** Subscribed event kinds. */
  events: string[];
}

/** Page of the list of webhooks. */
export interface WebhookListParams extends PageParams {
  /** 1 to 25; the service's default is 20. */
  page_size?: number | undefined;
}

/** A webhook to register. Members that the service does not document are sent unchanged. */
export interface WebhookCreateBody {
  /**
   * The address for deliveries: an https URL of at most 2,048 characters, without credentials. The
   * sandbox also takes http to hosts that the internet cannot reach: loopback, private addresses,
   * names without a dot such as `application`, and names below `localhost`, `internal` and `local`.
   * A client whose `baseUrl` is not loopback sends http URLs beyond loopback only with
   * `allowInsecureHttp`.
   */
  url: string;
  /**
   * Kinds of events, for example `quote.executed`. The default is not documented. A kind that this
   * version does not know is sent unchanged, and the logger gets a `warn`; without a logger, the
   * process emits a warning.
   */
  events?: readonly string[] | undefined;
  description?: string | undefined;
  [member: string]: unknown;
}

/** The members of a webhook to change. A member that you leave out stays unchanged. */
export interface WebhookUpdateBody {
  /** Replaces all kinds of events. An unknown kind causes a warning, as in `create`. */
  events?: readonly string[] | undefined;
  /** If `true`, the webhook receives no deliveries. */
  disabled?: boolean | undefined;
  description?: string | undefined;
  [member: string]: unknown;
}

/** A webhook after a change. The service does not document further members. */
export interface UpdatedWebhookSubscription extends WebhookSubscription {
  [member: string]: unknown;
}

/** A webhook as its registration returns it. */
export interface RegisteredWebhookSubscription extends UpdatedWebhookSubscription {
  /**
   * The secret with which `partner-sdk/webhooks` verifies deliveries. It is shown once, here, so
   * store it where you store the API secret. No error and no log of this package shows it.
   */
  signing_secret: string;
}

/** A webhook that was deleted. */
export interface DeletedWebhook {
  webhook_id: string;
  /** ISO 8601, UTC. */
  deleted_at?: string | undefined;
}

/** The result of a test delivery. If the receiver fails, the call still succeeds. */
export interface WebhookTest {
  test_id: string;
  /** `success` in the sample of the reference. Further values are not documented. */
  result?: string | undefined;
  /** HTTP status of the receiver's response. */
  http_status?: number | undefined;
  /** Body of the receiver's response. */
  response_body?: string | undefined;
  /** `null` if nothing went wrong. */
  error_message?: string | null | undefined;
  /** The body that was sent, as a string. */
  payload_sent?: string | undefined;
  /** The signature that was sent with it. */
  signature_header?: string | undefined;
}

const MAX_URL_LENGTH = 2048;
const URL_RULE = `must be an https URL without credentials, at most ${MAX_URL_LENGTH} characters (http only to this machine or a private network)`;

function isWebhookUrl(text: string): boolean {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  // Receivers in development, which only the sandbox can reach.
  const isPrivate = /^http:\/\/\S+$/i.test(text) && isPrivateHost(hostname);
  return (isHttpsUrl(text) || isPrivate) && username === '' && password === '';
}

const kinds = () => z.optional(s.readonlyList(z.array(z.string())));

const members = () => ({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  disabled: z.optional(z.boolean()),
  created_at: z.string(),
  updated_at: z.string(),
  events: z.array(z.string()),
});

const subscription = s.output<WebhookSubscription>()(() => z.looseObject(members()));
const updated = s.output<UpdatedWebhookSubscription>()(() => z.looseObject(members()));
const registered = s.output<RegisteredWebhookSubscription>()(() =>
  z.looseObject({ ...members(), signing_secret: z.string() }),
);
const deleted = s.output<DeletedWebhook>()(() =>
  z.looseObject({ webhook_id: z.string(), deleted_at: s.optionalText() }),
);
const test = s.output<WebhookTest>()(() =>
  z.looseObject({
    test_id: z.string(),
    result: s.optionalText(),
    http_status: z.optional(z.number()),
    response_body: s.optionalText(),
    error_message: z.nullish(z.string()),
    payload_sent: s.optionalText(),
    signature_header: s.optionalText(),
  }),
);

export const listWebhooks = defineList('webhooks.list', 'GET /v1/webhooks', {
  query: s.input<WebhookListParams>()(() => z.object(s.paging({ max: 25, default: 20 }))),
  answer: s.page(subscription),
});

export const createWebhook = defineOperation('webhooks.create', 'POST /v1/webhooks', {
  body: s.input<WebhookCreateBody>()(() =>
    z.looseObject({
      url: z.string().check(z.refine(isWebhookUrl, URL_RULE)),
      events: kinds(),
      description: s.optionalText(),
    }),
  ),
  answer: s.data(registered),
  retrySafety: 'keyed',
  secretMember: 'signing_secret',
  receiver: 'url',
  knownTexts: { events: WEBHOOK_KINDS },
});

export const updateWebhook = defineOperation('webhooks.update', 'PATCH /v1/webhooks/{webhook_id}', {
  body: s.input<WebhookUpdateBody>()(() =>
    z.looseObject({
      events: kinds(),
      disabled: z.optional(z.boolean()),
      description: s.optionalText(),
    }),
  ),
  answer: s.data(updated),
  retrySafety: 'keyed',
  knownTexts: { events: WEBHOOK_KINDS },
  correlation: [{ member: ['id'], param: 'webhook_id' }],
});

export const deleteWebhook = defineOperation('webhooks.delete', 'DELETE /v1/webhooks/{webhook_id}', {
  answer: s.data(deleted),
  correlation: [{ member: ['webhook_id'], param: 'webhook_id' }],
});

export const testWebhook = defineOperation('webhooks.test', 'POST /v1/webhooks/{webhook_id}/test', {
  answer: s.data(test),
  retrySafety: 'keyed',
});

/** `client.webhooks`: webhook subscriptions. `partner-sdk/webhooks` verifies deliveries. */
export class Webhooks extends Resource {
  /**
   * Lists all webhooks of the partner's domain, without signing secrets.
   *
   * @example
   * for await (const { id, url, disabled } of client.webhooks.list()) {
   *   if (disabled) console.log(id, url);
   * }
   *
   * @stability specified
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params?: WebhookListParams, options?: ListOptions): PagedList<WebhookSubscription> {
    return this.api.list(listWebhooks, [params], options);
  }

  /**
   * Registers a webhook. The response has the `signing_secret` of its deliveries, which the service
   * shows only here, so store it before you do anything else. Sent with an `Idempotency-Key`.
   *
   * An older edition of the reference has `enabled`, with the default `false`, instead of
   * `disabled`, so if a new webhook receives nothing, send `enabled: true`.
   *
   * If the response is lost, `client.settle()` requests it again with the same idempotency key.
   * Without that idempotency key, the secret is lost, so delete the webhook and register another.
   *
   * @example
   * const url = 'https://partner.example/webhooks';
   * const idempotencyKey = idempotencyKeyFor('setup', 'webhooks.create', url);
   * const body = { url, events: ['quote.executed', 'withdrawal.completed', 'withdrawal.failed'] };
   * const { id, signing_secret } = await client.webhooks.create(body, { idempotencyKey });
   *
   * @stability partial
   * @throws RequestValidationError for another URL than https, with credentials or of more than
   *   2,048 characters, and the errors of every call.
   */
  create(body: WebhookCreateBody, options?: RequestOptions): ApiPromise<RegisteredWebhookSubscription> {
    return this.api.call(createWebhook, [body], options);
  }

  /**
   * Changes the kinds of events, state or description of a webhook. Sent with an `Idempotency-Key`.
   *
   * The service does not document the response. It is read as the changed webhook.
   *
   * @example
   * const events = ['deposit.completed', 'quote.executed'];
   * await client.webhooks.update(webhookId, { events, disabled: false });
   *
   * @stability partial
   * @param webhookId At least one character: the `id` that `create` or `list` returned.
   * @throws RequestValidationError when `webhookId` is empty, and the errors of every call.
   */
  update(webhookId: string, body: WebhookUpdateBody, options?: RequestOptions): ApiPromise<UpdatedWebhookSubscription> {
    return this.api.call(updateWebhook, [webhookId, body], options);
  }

  /**
   * Deletes a webhook. It receives no further deliveries, and its secret becomes invalid.
   *
   * @example
   * await client.webhooks.delete(webhookId);
   *
   * @stability documented
   * @param webhookId At least one character: the `id` that `create` or `list` returned.
   * @throws NotFoundError for an unknown webhook. Its `outcome` is `unknown` if an earlier attempt
   *   of the call may have deleted it. RequestValidationError when `webhookId` is empty, and the
   *   errors of every call.
   */
  delete(webhookId: string, options?: UnkeyedRequestOptions): ApiPromise<DeletedWebhook> {
    return this.api.call(deleteWebhook, [webhookId], options);
  }

  /**
   * Makes the service deliver a `webhook.test` event, and returns how the receiver responded. Sent
   * with an `Idempotency-Key`.
   *
   * The service may wait up to 30 s for the receiver. If yours is slow, pass an `attemptTimeout`
   * and a `timeout`, of 40 s, for example.
   *
   * @example
   * const { result, http_status, error_message } = await client.webhooks.test(webhookId);
   * if (http_status !== 200) console.log(result, http_status, error_message);
   *
   * @stability documented
   * @param webhookId At least one character: the `id` that `create` or `list` returned.
   * @throws RequestValidationError when `webhookId` is empty, and the errors of every call.
   */
  test(webhookId: string, options?: RequestOptions): ApiPromise<WebhookTest> {
    return this.api.call(testWebhook, [webhookId], options);
  }
}
