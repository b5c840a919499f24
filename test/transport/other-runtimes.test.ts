import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError, fetchTransport, PartnerClient, undiciTransport } from '../../src/index.js';

// Bun and Deno themselves are tried in CI, with the installed package. Here it is seen what Node is told in their place.

const { versions } = process;
afterEach(() => {
  vi.unstubAllGlobals();
  Object.defineProperty(process, 'versions', { value: versions });
});

type Init = RequestInit & { readonly client?: unknown };

/** Sends a read and two writes through `fetch`, the global one or a given one, and returns what it was told of each. */
async function initsOf(given: 'global' | 'given'): Promise<Record<string, Init>> {
  const inits: Record<string, Init> = {};
  const fetch = async (_url: string, init: Init) => {
    inits[String(init.method)] = init;
    return Response.json({ data: {} });
  };
  vi.stubGlobal('fetch', fetch);
  const transport = fetchTransport(given === 'given' ? { fetch: fetch as typeof globalThis.fetch } : {});
  const client = new PartnerClient({ baseUrl: 'https://api.test', apiKey: 'k', apiSecret: 'c2VjcmV0', transport });
  for (const method of ['GET', 'POST', 'DELETE'] as const) await client.request({ method, path: '/v1/things' });
  await client.close();
  return inits;
}

describe('a fetch that sends a request again when its connection breaks', () => {
  it('gives each write a new connection in Bun, and a read one that may have been used', async () => {
    vi.stubGlobal('Bun', {});
    const { GET, POST, DELETE } = await initsOf('global');
    expect([POST?.keepalive, DELETE?.keepalive]).toEqual([false, false]);
    expect(GET).not.toHaveProperty('keepalive');
  });

  it('does so in Deno by a client that keeps no connection, and that is closed with the PartnerClient', async () => {
    const http = { close: vi.fn() };
    const createHttpClient = vi.fn(() => http);
    vi.stubGlobal('Deno', { createHttpClient });
    const { GET, POST, DELETE } = await initsOf('global');
    expect(createHttpClient.mock.calls).toEqual([[{ poolMaxIdlePerHost: 0 }]]);
    expect([POST?.client, DELETE?.client]).toEqual([http, http]);
    expect(GET).not.toHaveProperty('client');
    expect(http.close).toHaveBeenCalledOnce();
  });

  it('is not told so where it sends a request once, nor if it is the caller’s own', async () => {
    const names = Object.keys((await initsOf('global'))['POST'] ?? {});
    vi.stubGlobal('Bun', {});
    const { POST = {} } = await initsOf('given');
    expect(Object.keys(POST)).toEqual(names);
    expect(names).not.toContain('keepalive');
  });
});

describe('connections that the SDK opens itself', () => {
  const inBun = (bun: string) => Object.defineProperty(process, 'versions', { value: { ...versions, bun } });

  it.each(['1.1.0', '1.3.12', '1.3.14'])('are refused in Bun %s, which does not verify hosts', (version) => {
    inBun(version);
    expect(() => undiciTransport()).toThrow(ConfigurationError);
    expect(() => undiciTransport({ dispatcher: { dispatch: () => true } as never })).not.toThrow();
  });

  it.each(['1.4.0', '1.4.5', '1.10.0', '2.0.0'])('are used in Bun %s', (version) => {
    inBun(version);
    expect(undiciTransport().name).toBe('undici');
  });
});
