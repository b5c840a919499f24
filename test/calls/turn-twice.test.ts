import { expect, it } from 'vitest';
import { PartnerClient, type Transport } from '../../src/index.js';

/** It says twice that all before an exchange have been answered. */
const transport: Transport = {
  name: 'stuttering',
  connect: () => ({
    pipelined: true,
    send: (_request, listener) => {
      setImmediate(() => {
        listener.onSent();
        listener.onTurn();
        listener.onTurn();
        listener.onHead(200, {});
        listener.onData(new TextEncoder().encode('{"data":"here"}'));
        listener.onEnd();
      });
      return { abandon: () => {}, destroy: () => {} };
    },
    close: async () => {},
  }),
};

const runningTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('a transport that tells an exchange twice of its turn leaves no timer behind', async () => {
  const client = new PartnerClient({ baseUrl: 'https://api.test', apiKey: 'turn', apiSecret: 'c2VjcmV0', transport });
  const before = runningTimers();
  expect(await client.request({ method: 'GET', path: '/v1/here' })).toBe('here');
  expect(runningTimers()).toBe(before);
  await client.close();
});
