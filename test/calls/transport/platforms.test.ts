import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PartnerClient, undiciTransport } from '../../../src/index.js';
import { GET, scene } from '../../support/scene.js';
import { LOCAL } from '../../support/tls.js';

afterEach(() => void vi.unstubAllGlobals());

describe('where the platform is not quite Node', () => {
  it('timers may be numbers: Electron, jsdom', () =>
    scene({}, async ({ client, service }) => {
      const { setTimeout: ofNode } = globalThis;
      vi.stubGlobal('setTimeout', (run: () => void, ms?: number) => Number(ofNode(run, ms)));
      // The second call finds the connection of the first, which was watched meanwhile.
      for (let call = 0; call < 2; call++) await GET.invoke(client);
      expect(service.requests).toHaveLength(2);
    }));

  it('certificates may be bytes of another realm: Jest, Vitest with jsdom', async () => {
    const bytes = runInNewContext('Uint8Array.from(text, (one) => one.charCodeAt(0))', { text: LOCAL.cert });
    expect(bytes).not.toBeInstanceOf(Uint8Array);
    expect(() => undiciTransport({ tls: { ca: bytes } })).not.toThrow();
  });
});

describe('withOptions()', () => {
  it('of a subclass gives the subclass', async () => {
    class Payouts extends PartnerClient {
      readonly purpose = 'payouts';
    }
    const client = new Payouts({ baseUrl: 'https://partner.invalid', apiKey: 'key', apiSecret: 'c2VjcmV0' });
    const patient = client.withOptions({ timeout: 120_000 });
    expect(patient).toBeInstanceOf(Payouts);
    expect(patient.purpose).toBe('payouts');
    await client.close();
    await patient.close();
  });
});
