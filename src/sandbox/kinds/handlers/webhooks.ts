import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  testWebhook,
  updateWebhook,
  type WebhookCreateBody,
  type WebhookListParams,
  type WebhookUpdateBody,
} from '../../../resources/webhooks.js';
import type { Operation } from '../../../schema/operation.js';
import { notFound } from '../../core/refusal.js';
import type { State } from '../../core/state.js';
import { newestFirst } from './conversions.js';
import { type Handler, handle } from '../../core/handler.js';

interface WebhookParams {
  readonly webhook_id: string;
}

/** Returns the id of a webhook that is there. Throws 404 for any other. */
function known({ webhooks }: State, { webhook_id: id }: WebhookParams, operation: Operation): string {
  if (webhooks.subscriptions.find(id) === undefined) throw notFound(operation);
  return id;
}

export const webhookHandlers: readonly Handler[] = [
  handle<unknown, WebhookListParams>(listWebhooks, (state, { query }) => {
    const items = state.webhooks.subscriptions.list();
    const page = state.pager.page({ scope: [listWebhooks.name], items, ...newestFirst }, query);
    return { ...page, data: page.data.map(({ subscription }) => subscription) };
  }),
  handle<unknown, unknown, WebhookCreateBody>(createWebhook, (state, { body: { url, events, description } }) => ({
    data: state.webhooks.subscriptions.register({ url, events, description }),
  })),
  handle<WebhookParams, unknown, WebhookUpdateBody>(updateWebhook, (state, { params, body }) => {
    const { events, description, disabled } = body;
    return { data: state.webhooks.update(known(state, params, updateWebhook), { events, description, disabled }) };
  }),
  handle<WebhookParams>(deleteWebhook, (state, { params }) => {
    const id = known(state, params, deleteWebhook);
    return { data: { webhook_id: id, deleted_at: state.webhooks.remove(id) } };
  }),
  handle<WebhookParams>(testWebhook, (state, { params }) => {
    const tested = state.webhooks.test(known(state, params, testWebhook));
    return tested.then((data) => ({ data }));
  }),
];
