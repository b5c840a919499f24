import { expect, it } from 'vitest';
import { PartnerClient } from '../../../src/index.js';
import { answerWith, bytesOf, fakeTransport } from '../../support/fake-transport.js';

const runningTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('a transport that says twice that the bytes leave is heard once, and leaves no timer behind', async () => {
  const transport = fakeTransport((listener) => {
    listener.onSent();
    answerWith(listener, bytesOf({ data: 'here' }));
  });
  let sent = 0;
  const client = new PartnerClient({
    baseUrl: 'https://api.test',
    apiKey: 'sent-twice',
    apiSecret: 'c2VjcmV0',
    transport,
    hooks: { onRequest: () => void sent++ },
  });
  const before = runningTimers();
  expect(await client.request({ method: 'GET', path: '/v1/here' })).toBe('here');
  expect(runningTimers()).toBe(before);
  expect(sent).toBe(1);
  await client.close();
});
