import { describe, expect, it } from 'vitest';
import type { ApiPromise, Page, Transport } from '../../../src/index.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { answerWith, bytesOf, clientOver, fakeTransport } from '../../support/fake-transport.js';

const PAGE = {
  data: [{ id: 'ep_1', url: 'https://p.example', created_at: '2026', updated_at: '2026', events: [] }],
};

/** Answers everything with the same, in a chunk of its own each time. */
function answering(chunks: WeakRef<Uint8Array>[]): Transport {
  return fakeTransport((listener) => {
    const chunk = bytesOf(PAGE);
    chunks.push(new WeakRef(chunk));
    answerWith(listener, chunk);
  });
}

async function collect(chunks: readonly WeakRef<Uint8Array>[]): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }
  return chunks.filter((chunk) => chunk.deref() !== undefined).length;
}

describe('the bytes of an answer', () => {
  it('are not kept by the promise of its call, nor by its page', async () => {
    const chunks: WeakRef<Uint8Array>[] = [];
    const client = clientOver(answering(chunks));
    const promises: ApiPromise<unknown>[] = [];
    const pages: Page<unknown>[] = [];
    for (let call = 0; call < 5; call++) {
      const promise = client.request({ method: 'GET', path: '/v1/webhooks' });
      await promise;
      promises.push(promise);
      pages.push(await client.webhooks.list());
    }
    expect(await collect(chunks)).toBe(0);
    expect(pages.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
    expect((await promises[0]?.withResponse())?.response.status).toBe(200);
    await client.close();
  });
});
