import { listWebhooks, type WebhookListParams } from '../../resources/webhooks.js';
import { newestFirst } from './conversions.js';
import { type Handler, handle } from './handler.js';

export const webhookHandlers: readonly Handler[] = [
  handle<unknown, WebhookListParams>(listWebhooks, (state, { query }) =>
    state.pager.page({ scope: [listWebhooks.name], items: state.webhooks, ...newestFirst }, query),
  ),
];
