import { describe, expect, it } from 'vitest';
import { type Connections, PartnerClient, PartnerError, type Slot, type Transport } from '../../src/index.js';
import { answerWith, bytesOf, fakeTransport } from '../support/fake-transport.js';

const USER = 'USER-OF-TESTS-0001';
const right = fakeTransport((listener) => answerWith(listener, bytesOf({ data: { id: USER } })));

const fail = (): never => {
  throw new Error('not even that');
};

/** A transport whose connections are those of one that works, but for some members. */
function withConnections(broken: (connections: Connections) => Partial<Connections>): Transport {
  return {
    name: 'broken',
    connect(origin, options) {
      const connections = right.connect(origin, options);
      return Object.assign(connections, broken(connections));
    },
  };
}

function withSlots(broken: Partial<Slot>): Transport {
  return withConnections((connections) => {
    const reserve = connections.reserve.bind(connections);
    return {
      reserve(waiting, fragile) {
        const slot = reserve(waiting, fragile);
        return slot && Object.assign(slot, broken);
      },
    };
  });
}

const BROKEN: readonly (readonly [string, Transport])[] = [
  ['connect()', { name: 'broken', connect: fail }],
  ['reserve()', withConnections(() => ({ reserve: fail }))],
  ['send()', withSlots({ send: fail })],
];

describe('a transport of the caller that fails where it must not', () => {
  it.each(BROKEN)('%s: the call fails with a typed error, and nothing is left running', async (place, transport) => {
    const client = new PartnerClient({
      baseUrl: 'https://api.example.com',
      apiKey: `broken-transport-${place.replace(' ', '-')}`,
      apiSecret: 'c2VjcmV0',
      transport,
      maxRetries: 0,
    });
    const error: unknown = await client.users.get(USER).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartnerError);
    expect(error).toMatchObject({ outcome: 'not_applied', cause: { message: 'not even that' } });
    expect(client.stats()).toMatchObject({ running: 0, failed: 1 });
    await client.close();
  });
});
