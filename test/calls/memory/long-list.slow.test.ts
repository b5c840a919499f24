import { describe, expect, it } from 'vitest';
import { program, run } from '../../support/processes/program.js';
import { scene } from '../../support/scene.js';
import { json, type Service } from '../../support/service.js';
import { STRETCHES } from '../support/long-list-stretches.js';

const script = program('test/calls/support/long-list.ts');

/** Pages between two looks at the heap. */
const PAGES = 1_500;

/** What a page may leave behind, in bytes: nothing. The rest is how exactly a heap can be measured; a page that is kept takes over 900. */
const NOISE = 100;

const WAYS = ['items', 'items, prefetched', 'page by page'];

const webhook = {
  id: 'ep_1',
  url: 'https://partner.example/hook',
  created_at: '2026-01-15T12:00:00.000000Z',
  updated_at: '2026-01-15T12:00:00.000000Z',
  events: ['quote.executed'],
};

function endless(service: Service): void {
  service.script = (request) => {
    // The service remembers everything it was sent.
    service.requests.length = 0;
    const page = Number(/page_token=page-(\d+)/.exec(request.path)?.[1] ?? 0);
    return json(200, { data: [webhook], next_page_token: `page-${page + 1}` });
  };
}

async function goThrough(service: Service, way: string): Promise<{ seen: number; perPage: number }> {
  const { url, apiKey, apiSecret } = service;
  const given = [url, apiKey, apiSecret, way, String(PAGES)];
  const { stdout } = await run(script, given, { node: ['--expose-gc'], patience: 500_000 });
  return JSON.parse(stdout) as { seen: number; perPage: number };
}

describe('however long a list is, its pages leave nothing behind', () => {
  it.each(WAYS)('%s', { timeout: 600_000 }, (way) =>
    scene({}, async ({ service }) => {
      endless(service);
      const { seen, perPage } = await goThrough(service, way);
      expect(seen).toBe(PAGES * (STRETCHES + 1));
      expect(perPage, 'bytes left per page').toBeLessThan(NOISE);
    }),
  );
});
