import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  testWebhook,
  updateWebhook,
  type WebhookCreateBody,
  type WebhookListParams,
  type WebhookUpdateBody,
} from '../../resources/webhooks.js';
import type { Operation } from '../../schema/operation.js';
import { type Handler, handle } from '../core/kind/handler.js';
import { newestFirst } from '../core/request/paging.js';
import { notFound } from '../core/request/refusal.js';
import { unknownKinds } from './delivery/subscriptions.js';
import type { WebhookDispatcher } from './dispatcher.js';

interface WebhookParams {
  readonly webhook_id: string;
}

/** Returns the id of an existing webhook. Throws 404 for any other. */
function known(webhooks: WebhookDispatcher, { webhook_id: id }: WebhookParams, operation: Operation): string {
  if (webhooks.subscriptions.find(id) === undefined) throw notFound(operation);
  return id;
}

/** The operations of webhooks. */
export const webhookHandlers = (webhooks: WebhookDispatcher): readonly Handler[] =>
  handlersOf(webhooks).map((one) => ({ ...one, nameOf: (id) => webhooks.subscriptions.find(id)?.subscription.url }));

const handlersOf = (webhooks: WebhookDispatcher): readonly Handler[] => [
  handle<unknown, WebhookListParams>(listWebhooks, (state, { query }) => {
    const items = webhooks.subscriptions.list();
    const page = state.pager.page({ scope: [listWebhooks.name], items, ...newestFirst }, query);
    return { ...page, data: page.data.map(({ subscription }) => subscription) };
  }),
  {
    ...handle<unknown, unknown, WebhookCreateBody>(createWebhook, (_state, { body: { url, events, description } }) => ({
      data: webhooks.subscriptions.register({ url, events, description }),
    })),
    warnings: ({ body }) => unknownKinds((body as WebhookCreateBody).events),
  },
  {
    ...handle<WebhookParams, unknown, WebhookUpdateBody>(updateWebhook, (_state, { params, body }) => {
      const { events, description, disabled } = body;
      return { data: webhooks.update(known(webhooks, params, updateWebhook), { events, description, disabled }) };
    }),
    warnings: ({ body }) => unknownKinds((body as WebhookUpdateBody).events),
  },
  handle<WebhookParams>(deleteWebhook, (_state, { params }) => {
    const id = known(webhooks, params, deleteWebhook);
    return { data: { webhook_id: id, deleted_at: webhooks.remove(id) } };
  }),
  handle<WebhookParams>(testWebhook, (_state, { params }) => {
    const tested = webhooks.test(known(webhooks, params, testWebhook));
    return tested.then((data) => ({ data }));
  }),
];
