import { expect, it } from 'vitest';
import { connectionsOf, createTransport } from '../../../src/transport/transport.js';
import { answerWith, bytesOf, clientOver, fakeTransport } from '../../support/fake-transport.js';

const MILLISECONDS = 250;
const answer = bytesOf({ data: 'here' });

/** The connection is opened for the first place that is asked for, and takes a while. */
const slowToOpen = createTransport('slow to open', (origin, options) => {
  const fake = fakeTransport((listener) => answerWith(listener, answer));
  const connections = connectionsOf(fake, origin, options);
  const reserve = connections.reserve.bind(connections);
  let state: 'none' | 'opening' | 'open' = 'none';
  connections.reserve = (waiting, notRetryable) => {
    if (state === 'none') {
      setTimeout(() => {
        state = 'open';
        options.onReady();
      }, MILLISECONDS);
      state = 'opening';
    }
    return state === 'open' ? reserve(waiting, notRetryable) : undefined;
  };
  return connections;
});

/** A dispatcher may open its connection for a request that it has already been given. */
const slowToSend = fakeTransport((listener) => void setTimeout(() => answerWith(listener, answer), MILLISECONDS));

it.each([
  ['before the request is signed', slowToOpen],
  ['after it', slowToSend],
])(
  'a connection slower than attemptTimeout is waited for %s, also with an asynchronous signer',
  async (_, transport) => {
    const asynchronous = { nonce: { next: async () => 1n }, signer: { sign: async () => 'signature' } };
    await using client = clientOver(transport, { attemptTimeout: 60, ...asynchronous });
    const { data, response } = await client.request({ method: 'GET', path: '/v1/slow' }).withResponse();
    expect(data).toBe('here');
    expect(response.attempts).toBe(1);
  },
);
