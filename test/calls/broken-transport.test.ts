import { describe, expect, it } from 'vitest';
import { PartnerClient, PartnerError, type Transport } from '../../src/index.js';

/** Says of its connection neither that it is pipelined nor that it is not. */
const broken: Transport = {
  name: 'broken',
  connect: () => ({
    get pipelined(): boolean {
      throw new Error('not even that');
    },
    send: () => ({ abandon() {}, destroy() {} }),
    close: async () => {},
  }),
};

describe('a transport of the caller that fails where it must not', () => {
  it('fails the call with a typed error, and leaves nothing running', async () => {
    const client = new PartnerClient({
      baseUrl: 'https://api.example.com',
      apiKey: 'broken-transport',
      apiSecret: 'c2VjcmV0',
      transport: broken,
    });
    const error: unknown = await client.users.get('USER-OF-TESTS-0001').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartnerError);
    expect(error).toMatchObject({ cause: { message: 'not even that' } });
    expect(client.stats()).toMatchObject({ running: 0, failed: 1 });
    await client.close();
  });
});
