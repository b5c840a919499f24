import { describe, expect, it } from 'vitest';
import { ACCOUNT, GET, KEYED, type Setup, saveBody, scene, USER } from '../../support/scene.js';
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
});

it.each(['', '/'])('a path prefix of the address is sent and signed, with "%s" at its end', (slash) =>
  scene({}, async ({ service, connect }) => {
    const client = connect({ baseUrl: `${service.url}/partner/eu%20west${slash}` });
    await GET.invoke(client);
    await client.request({ method: 'GET', path: '/v1/things', query: { a: 'b c' } });
    const [first, second] = service.requests;
    expect(first?.path).toBe(`/partner/eu%20west/v1/users/${USER}`);
    expect(second?.path).toMatch(/^\/partner\/eu%20west\/v1\/things\?a=b(%20|\+)c$/);
    expect(service.requests.map(({ signed }) => signed)).toEqual([true, true]);
  }),
);
