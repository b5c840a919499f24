import { describe, expect, it } from 'vitest';
import { AbortedError } from '../../../src/index.js';
import { until } from '../../support/until.js';
import { pageAnswer, pageAsked, servePages, settle } from '../support/pages.js';
import { failure, rejection, type Service, startService } from '../support/service.js';

const service = startService();
const prefetch = true;

/** A client that keeps what it tells about failures. */
function watched(from: Service) {
  const errors: unknown[] = [];
  const lines: string[] = [];
  const client = from.client({
    hooks: { onError: ({ error }) => void errors.push(error) },
    logger: { error: (message) => void lines.push(message), warn: (message) => void lines.push(message) },
  });
  return { client, errors, lines };
}

/** Serves two pages, the second of them slowly. */
function slowSecondPage(): void {
  service.answer(async (request) => {
    if (pageAsked(request) > 0) await settle(60);
    return pageAnswer([2, 1], pageAsked(request));
  });
}

describe('leaving a prefetching loop is no failure', () => {
  it.each(['items', 'pages'] as const)('of %s, with the next page under way', async (what) => {
    slowSecondPage();
    const { client, errors, lines } = watched(service);
    const list = client.webhooks.list({}, { prefetch });
    for await (const _ of what === 'items' ? list : list.pages()) {
      await until(() => service.received.length === 2);
      break;
    }
    await until(() => client.stats().running === 0);
    await settle(100);
    expect(errors).toEqual([]);
    expect(lines).toEqual([]);
    expect(client.stats()).toMatchObject({ failed: 0, running: 0 });
  });

  it('before the next page is sent', async () => {
    servePages(service, [2, 1]);
    const { client, errors, lines } = watched(service);
    for await (const _ of client.webhooks.list({}, { prefetch })) break;
    await settle();
    expect([errors, lines]).toEqual([[], []]);
    expect(client.stats().failed).toBe(0);
  });

  it('toArray() with its limit reached', async () => {
    slowSecondPage();
    const { client, errors, lines } = watched(service);
    expect(await client.webhooks.list({}, { prefetch }).toArray({ limit: 1 })).toHaveLength(1);
    await settle(100);
    expect([errors, lines]).toEqual([[], []]);
    expect(client.stats().failed).toBe(0);
  });

  it('while the caller\u2019s own abort is one, and is told once', async () => {
    slowSecondPage();
    const { client, errors } = watched(service);
    const controller = new AbortController();
    const error = await rejection(async () => {
      for await (const _ of client.webhooks.list({}, { prefetch, signal: controller.signal })) {
        await until(() => service.received.length === 2);
        controller.abort();
      }
    });
    expect(error).toBeInstanceOf(AbortedError);
    expect(errors).toEqual([error]);
    expect(client.stats().failed).toBe(1);
  });

  it('while a page that failed by itself is one', async () => {
    service.answer((request) => (pageAsked(request) > 0 ? failure(500, 'internal') : pageAnswer([2, 1], 0)));
    const { client, errors } = watched(service);
    await rejection(client.webhooks.list({}, { prefetch }).toArray({ limit: 3 }));
    expect(errors).toHaveLength(1);
    expect(client.stats().failed).toBe(1);
  });
});
