import type { WebhookOverview } from '../../../../sandbox/webhooks/controls/reports.js';
import { BASE } from '../../../wire/api.js';

const PATH = `${BASE}inbox/`;

/** The address of an inbox as the browser reaches it. */
export const inboxUrl = (name: string): string => location.origin + PATH + name;

/** The name of the inbox that an address leads to. */
export function inboxNameOf(url: string): string | undefined {
  const { pathname } = new URL(url);
  const name = pathname.slice(PATH.length);
  return pathname.startsWith(PATH) && /^[\w-]+$/.test(name) ? name : undefined;
}

/** The inboxes that webhooks lead to, each once. */
export function inboxesOf(webhooks: readonly WebhookOverview[]): string[] {
  return [...new Set(webhooks.flatMap(({ url }) => inboxNameOf(url) ?? []))];
}
