import { describe, expect, it } from 'vitest';
import {
  AbortedError,
  type PartnerClient,
  type PartnerError,
  TimeoutError,
  type Transport,
  undiciTransport,
} from '../../src/index.js';
import { eventually, failure, GET, gate, KEYED, scene, UNKEYED } from '../support/scene.js';
import { type Answer, rightAnswer } from '../support/service.js';

const odd = { method: 'GET', path: '/v1/odd' } as const;

/** 4 MB in 400 pieces, for about two seconds and more. */
const streaming: Answer = { body: 'x'.repeat(4_000_000), chunked: true, trickle: { pieces: 400, every: 5 } };
/** A byte every ten milliseconds, for three seconds and more: far longer than what nobody waits for may hold the lane. */
const trickling: Answer = { body: 'x'.repeat(300), trickle: { pieces: 300, every: 10 } };

/** The default transport, and whether a part of any answer's body has come. */
function listening() {
  const { opened: begins, open } = gate();
  const answer = { begun: false, begins };
  const inner = undiciTransport();
  const transport: Transport = {
    name: inner.name,
    connect(origin, options) {
      const connection = inner.connect(origin, options);
      const send = connection.send.bind(connection);
      connection.send = (request, listener) => {
        const onData = listener.onData.bind(listener);
        listener.onData = (chunk) => {
          answer.begun = true;
          open();
          onData(chunk);
        };
        return send(request, listener);
      };
      return connection;
    },
  };
  return { transport, answer };
}

/** Ends while its answer comes. On a busy machine its time may be up before that: then another call gets more of it. */
async function timedOut(client: PartnerClient, answer: { readonly begun: boolean }): Promise<PartnerError> {
  for (let timeout = 60; ; timeout *= 2) {
    const error = await failure(client.request({ ...odd, timeout }));
    if (answer.begun) return error;
  }
}

describe.concurrent('an abandoned answer', () => {
  for (const when of ['before its head', 'while its body comes'] as const) {
    it(`that goes on beyond maxResponseBytes, aborted ${when}: its connection is closed, the next calls succeed`, () => {
      const { transport, answer } = listening();
      return scene({ client: { maxResponseBytes: 100_000, transport } }, async ({ service, client }) => {
        const head = gate();
        service.script = (request) =>
          request.path === odd.path ? { ...streaming, hold: head.opened } : rightAnswer(request);
        const controller = new AbortController();
        const call = failure(client.request({ ...odd, signal: controller.signal }));
        await service.arrived(1);
        if (when === 'while its body comes') {
          head.open();
          await answer.begins;
        }
        controller.abort();
        expect(await call).toBeInstanceOf(AbortedError);
        head.open();
        await Promise.all([GET, KEYED, UNKEYED].map((kind) => kind.invoke(client)));
        // On the first connection the answer would have been drained to its end.
        expect(service.connections).toBe(2);
        await eventually(() => service.openConnections === 1, 'the first connection is closed');
        expect(service.requests.filter(({ path }) => path === '/v1/things')).toHaveLength(1);
        expect(service.refused).toEqual([]);
        await eventually(() => client.stats().lanes[0]?.inFlight === 0, 'nothing is in flight');
      });
    });
  }

  it('that is small enough is drained: the connection stays', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => {
        if (request.path !== odd.path) return rightAnswer(request);
        return { body: 'x'.repeat(1_000), trickle: { pieces: 5, every: 10 } };
      };
      const controller = new AbortController();
      const call = failure(client.request({ ...odd, signal: controller.signal }));
      await service.arrived(1);
      controller.abort();
      await call;
      await Promise.all([GET, KEYED, UNKEYED].map((kind) => kind.invoke(client)));
      expect(service.connections).toBe(1);
    }));

  for (const ending of ['abort', 'timeout'] as const) {
    it(`that trickles on and on does not block the lane: ended by ${ending}`, () => {
      const { transport, answer } = listening();
      return scene({ client: { attemptTimeout: 700, maxRetries: 0, transport } }, async ({ service, client }) => {
        service.script = (request) => (request.path === odd.path ? trickling : rightAnswer(request));
        if (ending === 'timeout') {
          expect(await timedOut(client, answer)).toBeInstanceOf(TimeoutError);
        } else {
          const controller = new AbortController();
          const call = failure(client.request({ ...odd, signal: controller.signal }));
          await answer.begins;
          controller.abort();
          expect(await call).toBeInstanceOf(AbortedError);
        }
        const patient = { attemptTimeout: 15_000, timeout: 15_000, maxRetries: 3 };
        await Promise.all([GET, KEYED, UNKEYED].map((kind) => kind.invoke(client, patient)));
        // What waited until the answer had trickled to its end would have come on the same connection.
        const abandoned = service.requests.findLast(({ path }) => path === odd.path)?.connection;
        const writes = service.requests.filter(({ path }) => path === '/v1/things');
        expect(writes).toHaveLength(1);
        expect(writes[0]?.connection).toBeGreaterThan(abandoned ?? Number.POSITIVE_INFINITY);
        expect(service.refused).toEqual([]);
      });
    });
  }
});
