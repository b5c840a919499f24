import { describe, expect, it } from 'vitest';
import { AbortedError, type PartnerClient, type PartnerError, TimeoutError } from '../../../src/index.js';
import { watched } from '../../support/fake-transport.js';
import {
  type ClientOptions,
  failure,
  GET,
  KEYED,
  type Scene,
  scene,
  transportFor,
  UNKEYED,
  WAYS,
} from '../../support/scene.js';
import { type Answer, rightAnswer } from '../../support/service.js';
import { gate, until } from '../../support/until.js';

const odd = { method: 'GET', path: '/v1/odd' } as const;

/** 4 MB in 400 pieces, for about two seconds and more. */
const streaming: Answer = { body: 'x'.repeat(4_000_000), chunked: true, trickle: { pieces: 400, every: 5 } };
/** A byte every ten milliseconds, for 30 seconds and more: far longer than what nobody waits for may hold the lane. */
const trickling: Answer = { body: 'x'.repeat(3_000), trickle: { pieces: 3_000, every: 10 } };

/** Adds, to a scene, whether a part of the answer to `odd` has come. */
function listening(over: (typeof WAYS)[number], client: ClientOptions, run: (main: Listening) => Promise<void>) {
  const { opened: begins, open } = gate();
  const answer = { begun: false, begins };
  return scene({ over }, async ({ service, connect }) => {
    const transport = watched(transportFor(service), (_request, listener) => {
      const onData = listener.onData.bind(listener);
      listener.onData = (chunk) => {
        answer.begun = true;
        open();
        onData(chunk);
      };
    });
    await run({ service, client: connect({ ...client, transport }), connect, answer });
  });
}

interface Listening extends Scene {
  readonly answer: { readonly begun: boolean; readonly begins: Promise<void> };
}

/** Ends while its answer comes. On a busy machine its time may be up before that: then another call gets more of it. */
async function timedOut(client: PartnerClient, answer: { readonly begun: boolean }): Promise<PartnerError> {
  for (let timeout = 60; ; timeout *= 2) {
    const error = await failure(client.request({ ...odd, timeout }));
    if (answer.begun) return error;
  }
}

const nothingInFlight = (client: PartnerClient) =>
  until(() => client.stats().lanes[0]?.inFlight === 0, 'nothing is in flight');

describe.concurrent.each(WAYS)('an abandoned answer (%s)', (over) => {
  it.each(['before its head', 'while its body comes'] as const)(
    'that is large, aborted %s: nothing more of it is read, the next calls succeed',
    (when) =>
      listening(over, {}, async ({ service, client, answer }) => {
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
        await nothingInFlight(client);
        await until(() => service.openRequests === 0, 'the service gives it up');
        await Promise.all([GET, KEYED, UNKEYED].map((kind) => kind.invoke(client)));
        expect(service.requests.filter(({ path }) => path === '/v1/things')).toHaveLength(1);
        // A stream is reset, which its session survives.
        if (over === 'http2') expect(service.connections).toBe(1);
      }),
  );

  it.each(['abort', 'timeout'] as const)('that trickles on and on does not hold up the lane: ended by %s', (ending) =>
    listening(over, { attemptTimeout: 700, maxRetries: 0 }, async ({ service, client, answer }) => {
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
      await nothingInFlight(client);
      const patient = { attemptTimeout: 15_000, timeout: 15_000, maxRetries: 3 };
      await Promise.all([GET, KEYED, UNKEYED].map((kind) => kind.invoke(client, patient)));
      expect(service.requests.filter(({ path }) => path === '/v1/things')).toHaveLength(1);
      await until(() => service.openRequests === 0, 'the service gives it up');
    }),
  );

  it('takes no place from others: as many as fit into a lane are abandoned, then as many are answered', () =>
    scene({ over, service: { nonces: 'any' }, client: { timeout: 10_000 } }, async ({ service, client }) => {
      service.script = () => ({ fault: 'silent' });
      const controller = new AbortController();
      const calls = Array.from({ length: 64 }, () => failure(client.request({ ...odd, signal: controller.signal })));
      await service.arrived(64);
      controller.abort();
      for (const error of await Promise.all(calls)) expect(error).toBeInstanceOf(AbortedError);
      service.script = rightAnswer;
      await Promise.all(Array.from({ length: 64 }, () => GET.invoke(client)));
      expect(client.stats()).toMatchObject({ succeeded: 64, lanes: [{ waiting: 0 }] });
    }));
});
