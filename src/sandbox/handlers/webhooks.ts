import { listWebhooks, type WebhookListParams } from '../../resources/webhooks.js';
import { newestFirst } from './conversions.js';
import { type Handler, handle } from './handler.js';

export const webhookHandlers: readonly Handler[] = [
  handle<unknown, WebhookListParams>(listWebhooks, (state, { query }) => {
    const items = state.webhooks.subscriptions.list();
    const page = state.pager.page({ scope: [listWebhooks.name], items, ...newestFirst }, query);
    return { ...page, data: page.data.map(({ subscription }) => subscription) };
  }),
];
