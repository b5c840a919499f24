import type { PartnerClient } from '../../../src/index.js';
import { webhook } from './samples.js';
import { json, type Received, type Service } from './service.js';

/** Ids of the items of a list with pages of these sizes. */
export const idsOf = (sizes: readonly number[]): string[] =>
  sizes.flatMap((size, page) => Array.from({ length: size }, (_, item) => `ep_${page}_${item}`));

/** The answer with page `index` of a list; every page but the last carries a token. */
export function pageAnswer(sizes: readonly number[], index: number, end: { next_page_token?: null } = {}): Response {
  const data = Array.from({ length: sizes[index] ?? 0 }, (_, item) => ({ ...webhook, id: `ep_${index}_${item}` }));
  return json({ data, ...(index < sizes.length - 1 ? { next_page_token: `page ${index + 1}` } : end) });
}

/** Which page a request asks for. */
export const pageAsked = ({ query }: Received): number => Number(query.get('page_token')?.slice('page '.length) ?? 0);

/** Serves a list of webhooks with pages of these sizes. */
export function servePages(service: Service, sizes: readonly number[], end: { next_page_token?: null } = {}): void {
  service.answer((request) => pageAnswer(sizes, pageAsked(request), end));
}

export async function idsOfLoop(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

/** Lets everything that is under way go on: a request of the service takes some turns of the event loop. */
export const settle = (ms = 40): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export type WebhookList = ReturnType<PartnerClient['webhooks']['list']>;
