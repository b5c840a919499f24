import { describe, expect, it } from 'vitest';
import { AbortedError, InternalError } from '../../../src/index.js';
import { until } from '../../support/until.js';
import { idsOf, pageAnswer, pageAsked, servePages, settle } from '../support/pages.js';
import { failure, rejection, type Service, startService, watchUnhandled } from '../support/service.js';

const service = startService();
const prefetch = true;
const list = (signal?: AbortSignal, client = service.client()) => client.webhooks.list({}, { prefetch, signal });

watchUnhandled();

describe('a list with prefetch', () => {
  it('asks for one page ahead while a page is read, and never for more', async () => {
    servePages(service, [2, 2, 2, 2]);
    const iterator = list()[Symbol.asyncIterator]();
    const requests = [];
    for (let item = 0; item < 8; item++) {
      await iterator.next();
      const ahead = Math.min(4, Math.floor(item / 2) + 2);
      await until(() => service.received.length >= ahead);
      await settle(15);
      requests.push(service.received.length);
    }
    expect(requests).toEqual([2, 2, 3, 3, 4, 4, 4, 4]);
    expect(await iterator.next()).toMatchObject({ done: true });
  });

  it('asks for one page ahead over pages too', async () => {
    servePages(service, [1, 1, 1]);
    const iterator = list().pages()[Symbol.asyncIterator]();
    await iterator.next();
    await until(() => service.received.length === 2);
    await settle();
    expect(service.received).toHaveLength(2);
    await iterator.return?.();
  });

  it('does not ask for a page that toArray() cannot need', async () => {
    servePages(service, [2, 2, 2]);
    expect(await list().toArray({ limit: 2 })).toHaveLength(2);
    await settle();
    expect(service.received.length).toBeLessThanOrEqual(2);
  });

  it('shows the failure of a page after all items before it', async () => {
    service.answer((request) =>
      pageAsked(request) === 2 ? failure(500, 'internal') : pageAnswer([2, 1, 1], pageAsked(request)),
    );
    const seen: string[] = [];
    await rejection(async () => {
      for await (const { id } of list()) {
        seen.push(id);
        await settle(20);
      }
    }, InternalError);
    expect(seen).toEqual(idsOf([2, 1]));
    expect(service.received).toHaveLength(3);
  });

  it('a failed page that nobody reaches is nobody\u2019s error', async () => {
    service.answer((request) => (pageAsked(request) === 1 ? failure(500, 'internal') : pageAnswer([2, 1], 0)));
    for await (const _ of list()) {
      await until(() => service.received.length === 2);
      await settle();
      break;
    }
    expect(service.received).toHaveLength(2);
  });

  it('an abort after a break disturbs nobody', async () => {
    const controller = new AbortController();
    servePages(service, [1, 1]);
    for await (const _ of list(controller.signal)) break;
    controller.abort();
  });
});

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

async function expectNothingTold({ client, errors, lines }: ReturnType<typeof watched>): Promise<void> {
  await settle(100);
  expect([errors, lines]).toEqual([[], []]);
  expect(client.stats()).toMatchObject({ failed: 0, running: 0 });
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
    const watching = watched(service);
    const items = list(undefined, watching.client);
    for await (const _ of what === 'items' ? items : items.pages()) {
      await until(() => service.received.length === 2);
      break;
    }
    await until(() => watching.client.stats().running === 0);
    await expectNothingTold(watching);
  });

  it('before the next page is sent', async () => {
    servePages(service, [2, 1]);
    const watching = watched(service);
    for await (const _ of list(undefined, watching.client)) break;
    await expectNothingTold(watching);
  });

  it('toArray() with its limit reached', async () => {
    slowSecondPage();
    const watching = watched(service);
    expect(await list(undefined, watching.client).toArray({ limit: 1 })).toHaveLength(1);
    await expectNothingTold(watching);
  });

  it('while the caller\u2019s own abort is one, and is told once', async () => {
    slowSecondPage();
    const { client, errors } = watched(service);
    const controller = new AbortController();
    const error = await rejection(async () => {
      for await (const _ of list(controller.signal, client)) {
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
    await rejection(list(undefined, client).toArray({ limit: 3 }));
    expect(errors).toHaveLength(1);
    expect(client.stats().failed).toBe(1);
  });
});
