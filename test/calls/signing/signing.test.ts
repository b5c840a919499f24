import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartnerClient } from '../../../src/index.js';
import { ACCOUNT, failure, GET, KEYED, type Setup, saveBody, scene, USER } from '../../support/scene.js';
import type { Service } from '../../support/service.js';
import { signature } from '../../support/signature.js';

const SECRET = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==';
const published = {
  path: '/0/private/AddOrder',
  nonce: 1616492376594n,
  body: 'nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25',
  sign: '4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==',
};
const computed = {
  path: '/v1/assets?type=crypto&page_size=20',
  nonce: 1700000000000000000n,
  sign: 'txNfsoUV0IQtb5tQsNEYoN2+9I02TR45WEOKycLVg+pHFWkJTohzAw7ogw+iPCIZ0ewaLoe4hngABjsHOr2UaA==',
};

const isWellFormed = (text: string): boolean => Buffer.from(text, 'utf8').toString('utf8') === text;

/** A client with the secret of the vectors, whose nonces are given. */
function vectorSetup(service: Service, ...nonces: bigint[]): Setup {
  service.secrets.set('vector', SECRET);
  return { client: { apiKey: 'vector', apiSecret: SECRET, nonce: { next: () => nonces.shift() ?? 0n } } };
}

describe('the default signer', () => {
  it('the service of these tests agrees with the published vector', () => {
    expect(signature(SECRET, published.path, String(published.nonce), Buffer.from(published.body))).toBe(
      published.sign,
    );
    expect(signature(SECRET, computed.path, String(computed.nonce), Buffer.alloc(0))).toBe(computed.sign);
  });

  it('gives the vector without a body, seen on the wire', () =>
    scene({}, async ({ service, connect }) => {
      const client = connect(vectorSetup(service, computed.nonce).client);
      await client.request({ method: 'GET', path: '/v1/assets', query: { type: 'crypto', page_size: 20 } });
      const [request] = service.requests;
      expect(request?.path).toBe(computed.path);
      expect(request?.headers['api-key']).toBe('vector');
      expect(request?.headers['api-nonce']).toBe(String(computed.nonce));
      expect(request?.headers['api-sign']).toBe(computed.sign);
    }));

  it('gives the published vector for its very bytes', async () => {
    const { HmacSigner } = await import('../../../src/signing/signer.js');
    const { path, nonce, body, sign } = published;
    const input = { method: 'POST', path, nonce: String(nonce), body: Buffer.from(body) };
    expect(await new HmacSigner().sign({ ...input, apiKey: 'vector', apiSecret: SECRET })).toBe(sign);
  });

  it('signs the exact bytes of the body, non-ASCII text and an empty object too', () =>
    scene({}, async ({ service, client }) => {
      const address = 'straße-日本-🏦-\u2028"\\';
      await client.funds.withdrawalAddresses.save(ACCOUNT, { ...saveBody, address });
      await client.request({ method: 'POST', path: '/v1/things', body: {} });
      const [first, second] = service.requests;
      expect(JSON.parse(first?.body.toString('utf8') ?? '')).toEqual({ ...saveBody, address });
      expect(first?.headers['content-length']).toBe(String(first?.body.length));
      expect(first?.headers['content-type']).toMatch(/^application\/json/);
      expect(second?.body.toString('utf8')).toBe('{}');
      expect(service.requests.map(({ signed }) => signed)).toEqual([true, true]);
    }));

  it('sends no body and no content-type with a GET and a DELETE', () =>
    scene({}, async ({ service, client }) => {
      await client.users.get(USER);
      await client.funds.addresses.delete(ACCOUNT, 'ABcdefg-hijkl-mnopqr');
      for (const { body, headers } of service.requests) {
        expect(body).toHaveLength(0);
        expect(headers['content-type']).toBeUndefined();
        expect(headers['transfer-encoding']).toBeUndefined();
      }
    }));

  it('signs the path as it is sent, whatever characters ids and query values have', () =>
    scene({}, async ({ service, client }) => {
      const text = fc.string({ unit: 'grapheme', minLength: 14, maxLength: 20 }).filter((id) => id.length <= 42);
      const value = fc.string({ unit: 'grapheme', maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(text, value, async (id, filter) => {
          fc.pre(isWellFormed(id) && isWellFormed(filter));
          await client.users.get(id);
          const read = service.requests.at(-1);
          expect(read?.signed).toBe(true);
          expect(read?.path).toMatch(/^\/v1\/users\/[!-~]+$/);
          expect(decodeURIComponent(read?.path.slice('/v1/users/'.length) ?? '')).toBe(id);
          await client.request({ method: 'GET', path: '/v1/things', query: { filter } });
          const asked = service.requests.at(-1);
          expect(asked?.signed).toBe(true);
          expect(new URLSearchParams(asked?.path.split('?')[1] ?? '').get('filter')).toBe(filter);
        }),
        { numRuns: 60 },
      );
    }));

  it('a nonce is a decimal in nanoseconds since the epoch', () =>
    scene({}, async ({ service, client }) => {
      const before = BigInt(Date.now()) * 1_000_000n;
      await GET.invoke(client);
      const after = BigInt(Date.now() + 1) * 1_000_000n;
      const text = service.requests[0]?.headers['api-nonce'] ?? '';
      expect(text).toMatch(/^[0-9]{19}$/);
      expect(BigInt(text)).toBeGreaterThanOrEqual(before);
      expect(BigInt(text)).toBeLessThanOrEqual(after);
    }));
});

describe('a signer of the caller', () => {
  it('gets all parts of the request, and its text is sent', () => {
    const seen: Record<string, unknown>[] = [];
    const sign = async (input: object) => {
      seen.push({ ...input });
      return `signature-${seen.length}`;
    };
    return scene({ service: { signatures: false }, client: { signer: { sign } } }, async ({ service, client }) => {
      await KEYED.invoke(client);
      await GET.invoke(client);
      const [write, read] = service.requests;
      expect(seen[0]).toMatchObject({
        method: 'POST',
        path: write?.path,
        nonce: String(write?.nonce),
        apiKey: service.apiKey,
        apiSecret: service.apiSecret,
      });
      const body = seen[0]?.['body'];
      expect(body).toBeInstanceOf(Uint8Array);
      expect(Buffer.from(body as Uint8Array).equals(write?.body ?? Buffer.alloc(0))).toBe(true);
      expect(seen[1]).toMatchObject({ method: 'GET', path: read?.path, nonce: String(read?.nonce) });
      expect(service.requests.map(({ headers }) => headers['api-sign'])).toEqual(['signature-1', 'signature-2']);
    });
  });

  it('is asked anew for every attempt', () => {
    const nonces: string[] = [];
    const sign = ({ nonce }: { nonce: string }) => {
      nonces.push(nonce);
      return 'text';
    };
    const answers = [{ status: 503, headers: { 'retry-after': '0' } }, { fault: 'reset' as const }];
    return scene(
      { answers, service: { signatures: false }, client: { signer: { sign } } },
      async ({ service, client }) => {
        await KEYED.invoke(client);
        expect(service.requests).toHaveLength(3);
        expect(service.requests.map(({ nonce }) => String(nonce))).toEqual(nonces);
      },
    );
  });

  it('a secret may be a function, asynchronous too', () =>
    scene({}, async ({ service, connect }) => {
      const { apiKey, apiSecret } = service;
      await GET.invoke(connect({ apiKey, apiSecret: async () => apiSecret }));
      await GET.invoke(connect({ apiKey, apiSecret: () => apiSecret }));
      expect(service.requests.map(({ signed }) => signed)).toEqual([true, true]);
    }));
});

describe('headers of the caller', () => {
  it('go with the request, those of the call over those of the client', () =>
    scene({ client: { headers: { 'X-Team': 'client', 'X-Desk': '7' } } }, async ({ service, client }) => {
      await GET.invoke(client, { headers: { 'x-team': 'call' } });
      expect(service.requests[0]?.headers).toMatchObject({ 'x-team': 'call', 'x-desk': '7' });
    }));

  it.each(['API-Key', 'api-sign', 'Api-Nonce', 'Idempotency-Key', 'Host', 'Content-Length', 'Transfer-Encoding'])(
    '%s is never taken from them',
    (name) =>
      scene({}, async ({ service, client }) => {
        const end = await KEYED.invoke(client, { headers: { [name]: 'mine' } }).catch((error: unknown) => error);
        if (end instanceof Error) {
          expect(end).toMatchObject({ outcome: 'not_applied' });
          expect(service.requests).toHaveLength(0);
        } else {
          expect(service.requests[0]?.headers[name.toLowerCase()]).not.toBe('mine');
          expect(service.requests[0]?.signed).toBe(true);
        }
      }),
  );

  it('a line break in a header is refused before sending', () =>
    scene({}, async ({ service, client }) => {
      const error = await failure(KEYED.invoke(client, { headers: { 'x-team': 'a\r\nAPI-Key: b' } }));
      expect(error.outcome).toBe('not_applied');
      expect(service.requests).toHaveLength(0);
    }));
});

describe('the address of the service', () => {
  const secrets = { apiKey: 'key', apiSecret: 'c2VjcmV0' };
  const make =
    (baseUrl: string, more: object = {}) =>
    () =>
      new PartnerClient({ baseUrl, ...secrets, ...more });

  it.each([
    'https://api.example.com',
    'https://api.example.com/',
    'https://api.example.com/partner/eu',
    'https://api.example.com:8443',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:3000/prefix',
  ])('%s is accepted', (baseUrl) => {
    expect(make(baseUrl)).not.toThrow();
  });

  it.each([
    'http://api.example.com',
    'http://10.0.0.1',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'ftp://api.example.com',
    'api.example.com',
    '',
    '/v1',
    'https://api.example.com?tenant=1',
    'https://api.example.com/?',
    'https://api.example.com/v#top',
    'https://user:pass@api.example.com',
    'https://user@api.example.com',
  ])('%s is a ConfigurationError', (baseUrl) => {
    expect(make(baseUrl)).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
  });

  it('plain http elsewhere needs allowInsecureHttp', () => {
    expect(make('http://api.example.com', { allowInsecureHttp: true })).not.toThrow();
  });

  it('a wrong address is not shown with its credentials', () => {
    expect(make('https://user:hunter2@api.example.com')).not.toThrow(/hunter2/);
  });

  for (const slash of ['', '/']) {
    it(`a path prefix is sent and signed (${slash === '' ? 'without' : 'with'} a slash at its end)`, () =>
      scene({}, async ({ service, connect }) => {
        const client = connect({ baseUrl: `${service.url}/partner/eu%20west${slash}` });
        await GET.invoke(client);
        await client.request({ method: 'GET', path: '/v1/things', query: { a: 'b c' } });
        const [first, second] = service.requests;
        expect(first?.path).toBe(`/partner/eu%20west/v1/users/${USER}`);
        expect(second?.path).toMatch(/^\/partner\/eu%20west\/v1\/things\?a=b(%20|\+)c$/);
        expect(service.requests.map(({ signed }) => signed)).toEqual([true, true]);
      }));
  }
});
