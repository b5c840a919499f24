import type { Choices } from '../../parts/forms/schema.js';
import { useReading } from '../../parts/hooks.js';
import { addressed, hrefOf } from '../../wire/address.js';
import { BASE } from '../../wire/api.js';
import type { WebhookOverview, WebhookSample } from '../../wire/sandbox.js';

/** What is listed: `events`, `endpoints` or `inbox`. */
export const show = addressed('show', 'events');

/** The link to a list, or to an item in it, with this query alone. */
export const hrefTo = (query: Readonly<Record<string, string>>, ...id: readonly string[]): string =>
  `${hrefOf('webhooks', ...id)}?${new URLSearchParams(query)}`;

/** The webhooks, and the kinds of events, each with a payload. */
export function useEndpoints() {
  const { data: all = [] } = useReading<readonly WebhookOverview[]>('webhooks');
  const { data: samples = [] } = useReading<readonly WebhookSample[]>('webhooks/samples');
  /** Those of the seed receive nothing. */
  const own = all.filter(({ receives }) => receives);
  /** Names an endpoint by the id of its webhook. */
  const nameOf = (id: string): string => shortUrl(all.find((one) => one.id === id)?.url ?? `${id} (removed)`);
  return { all, own, samples, kinds: samples.map(({ kind }) => kind), nameOf };
}

export type NameOf = ReturnType<typeof useEndpoints>['nameOf'];

export const endpointChoices = (webhooks: readonly WebhookOverview[]): Choices =>
  webhooks.map(({ id, url }) => [id, shortUrl(url)]);

const INBOXES = `${BASE}inbox/`;

/** `inbox shop`, or an address without its scheme. */
function shortUrl(url: string): string {
  const [, host = '', path = ''] = /^https?:\/\/([^/]*)(.*?)\/?$/.exec(url) ?? ['', '', url];
  return path.startsWith(INBOXES) ? `inbox ${path.slice(INBOXES.length)}` : host + path;
}
