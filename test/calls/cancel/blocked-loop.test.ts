import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Deadline } from '../../../src/call/deadline.js';
import { fetchTransport, TimeoutError, undiciTransport } from '../../../src/index.js';
import { type ClientOptions, failure, GET, KEYED, scene, UNKEYED, USER } from '../../support/scene.js';
import { type Protocol, rightAnswer, status, type WireRequest } from '../../support/service.js';

/** In ms. A limit that passes while the event loop is blocked. */
const LIMIT = 400;
const BLOCKED = LIMIT + 100;

function block(): void {
  const end = performance.now() + BLOCKED;
  while (performance.now() < end);
}

/** Responds, and blocks the event loop before the client can read the response. */
function respondAndBlock(request: WireRequest) {
  setImmediate(block);
  return rightAnswer(request);
}

const ways: readonly (readonly [string, Protocol, () => ClientOptions])[] = [
  ['HTTP/1.1', 'http', () => ({ transport: undiciTransport() })],
  ['HTTP/1.1 over TLS', 'https', () => ({})],
  ['HTTP/2', 'http2', () => ({})],
  ['fetch', 'http', () => ({ transport: fetchTransport() })],
];

// One after the other: each of them blocks all that runs in this process.
describe.each(ways)('a response that came while the event loop was blocked counts (%s)', (_, over, options) => {
  it.each([
    ['attemptTimeout passed meanwhile, for a read', GET, { attemptTimeout: LIMIT }],
    ['attemptTimeout passed meanwhile, for a write', UNKEYED, { attemptTimeout: LIMIT }],
    ['timeout passed meanwhile', UNKEYED, { timeout: LIMIT }],
    ['both limits passed meanwhile', KEYED, { attemptTimeout: LIMIT, timeout: LIMIT }],
  ] as const)('although %s', (_, kind, limits) =>
    scene({ over, client: options() }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = respondAndBlock;
      const { response } = await kind.invoke(client, limits).withResponse();
      expect(response.attempts).toBe(1);
      expect(service.requests).toHaveLength(2);
    }),
  );

  it('and one that has not come does not', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = () => {
        setImmediate(block);
        return { fault: 'silent' };
      };
      await failure(UNKEYED.invoke(client, { attemptTimeout: LIMIT }), TimeoutError, { outcome: 'unknown' });
      await failure(UNKEYED.invoke(client, { timeout: LIMIT }), TimeoutError, { outcome: 'unknown' });
    }));

  it('nor one of which a byte comes whenever the sockets are read', () =>
    scene({ over, client: options() }, async ({ service, client }) => {
      const body = JSON.stringify({ data: 'x'.repeat(100_000) });
      service.script = () => ({ body, trickle: { pieces: body.length, every: 0 } });
      await failure(UNKEYED.invoke(client, { attemptTimeout: LIMIT, timeout: 2 * LIMIT }), TimeoutError);
    }));
});

describe('a call whose timeout passed while the event loop was blocked', () => {
  it('is never sent if it waited for its turn', () =>
    scene({ over: 'http2', client: { nonceOrder: 'strict' } }, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = respondAndBlock;
      const first = GET.invoke(client);
      await failure(KEYED.invoke(client, { timeout: LIMIT }), TimeoutError, { outcome: 'not_applied' });
      await first;
      service.script = rightAnswer;
      await GET.invoke(client);
      expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
    }));

  it('is not retried, though the response that was read says that it may be', () =>
    scene({ client: { timeout: LIMIT } }, async ({ service, client }) => {
      await GET.invoke(client, { timeout: 10_000 });
      service.script = () => {
        setImmediate(block);
        return status(429, { 'retry-after': '0' });
      };
      await failure(UNKEYED.invoke(client), undefined, { outcome: 'not_applied' });
      await sleep(50);
      expect(service.requests).toHaveLength(2);
    }));
});

it('a signature that came while the event loop was blocked counts, although attemptTimeout passed', () => {
  const sign = () =>
    new Promise<string>((resolve) => {
      setImmediate(() => {
        // The event loop comes to its timers before it comes to the signature.
        setImmediate(() => resolve('signature'));
        block();
      });
    });
  return scene({ service: { signatures: false }, client: { signer: { sign } } }, async ({ client }) => {
    expect(await GET.invoke(client, { attemptTimeout: LIMIT })).toMatchObject({ id: USER });
  });
});

it('while the sockets are read before a call times out, what is waited for next ends at once', async () => {
  const deadline = new Deadline(20, undefined);
  const ends: string[] = [];
  deadline.onCancel({ awaitsResponse: true, onCancelled: ({ kind }) => ends.push(kind) });
  // Node runs timers of the same time one after the other, before it reads the sockets.
  await new Promise((resolve) => setTimeout(resolve, 20));
  deadline.onCancel(undefined);
  deadline.onCancel({ onCancelled: ({ kind }) => ends.push(`next ${kind}`) });
  expect(ends).toEqual(['next timed_out']);
});
