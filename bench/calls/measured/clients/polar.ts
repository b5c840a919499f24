import { Polar } from '@polar-sh/sdk';
import { type CreateClient, measured } from '../client.js';
import { HOOK, PAGE_SIZE } from '../requests.js';

/** Checks every answer with zod, and makes dates. It knows its own resources alone: 25 webhook endpoints are 11 kB. */
export const create: CreateClient = (origin) => {
  const { webhooks } = new Polar({ accessToken: 'polar_x', serverURL: origin });
  const hook = { url: 'https://example.invalid/hooks', format: 'raw', events: ['order.created', 'order.paid'] };
  return {
    quote: measured(
      () => webhooks.getWebhookEndpoint({ id: HOOK }),
      ({ url }) => lastPart(url),
    ),
    page: measured(
      () => webhooks.listWebhookEndpoints({ limit: PAGE_SIZE }),
      ({ result }) => lastPart(result.items[24]?.url),
    ),
    write: measured(
      () => webhooks.createWebhookEndpoint(hook),
      ({ url }) => lastPart(url),
    ),
  };
};

const lastPart = (url: string | undefined) => url?.split('/').at(-1);
