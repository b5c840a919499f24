import * as z from 'zod/mini';
import type { ListOptions, PagedList } from '../call/caller.js';
import { defineOperation, type Operation, type PageBody } from '../schema/operation.js';
import { input, output, page, paging } from '../schema/schema.js';
import { Resource } from './resource.js';

/** One registered webhook. Its signing secret is shown once, at registration, and never here. */
export interface WebhookSubscription {
  /** Prefix `ep_`. */
  id: string;
  /** The partner's delivery address. */
  url: string;
  description?: string | undefined;
  /** Present only when disabled. */
  disabled?: boolean | undefined;
  /** ISO 8601, UTC, microseconds. It stays text, since a `Date` would lose the microseconds. */
  created_at: string;
  /** ISO 8601, UTC, microseconds. */
  updated_at: string;
  /** Subscribed event kinds. */
  events: string[];
}

/** Page of the list of webhooks. */
export interface WebhookListParams {
  /** 1 to 25; the service's default is 20. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

const listParams = input<WebhookListParams>()(() => z.object(paging(25)));

const subscription = output<WebhookSubscription>()(() =>
  z.looseObject({
    id: z.string(),
    url: z.string(),
    description: z.optional(z.string()),
    disabled: z.optional(z.boolean()),
    created_at: z.string(),
    updated_at: z.string(),
    events: z.array(z.string()),
  }),
);

export const listWebhooks: Operation<PageBody<WebhookSubscription>> = defineOperation({
  name: 'webhooks.list',
  title: 'List webhooks',
  stability: 'specified',
  route: 'GET /v1/webhooks',
  query: listParams,
  answer: page(subscription),
  cursor: 'page_token',
});

/** `client.webhooks`: webhook subscriptions. `partner-sdk/webhooks` verifies deliveries. */
export class Webhooks extends Resource {
  /**
   * Lists all webhooks of the partner's domain, without signing secrets.
   *
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params?: WebhookListParams, options?: ListOptions): PagedList<WebhookSubscription> {
    return this.caller.list(listWebhooks, { query: params }, options);
  }
}
