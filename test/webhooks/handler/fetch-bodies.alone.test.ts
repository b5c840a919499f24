import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError, signWebhook, webhookHandler } from '../../../src/webhooks/index.js';
import { executed, type Options, recording, SECRET } from '../support/receiving.js';

const body = JSON.stringify(executed('evt_1'));
const headers = signWebhook({ body, secret: SECRET });

afterEach(() => void vi.useRealTimers());

function receiver(more: Options = {}) {
  const { options, ...recorded } = recording(more);
  return { handler: webhookHandler(options), ...recorded };
}

const requestOf = (given: string | ReadableStream<Uint8Array>): Request =>
  new Request('https://partner.test', { method: 'POST', body: given, headers, duplex: 'half' });

/** A body that comes in pieces, and what becomes of it: by `pull` a piece, the end, an error, or nothing at all. */
function streamed(pull: (controller: ReadableStreamDefaultController<Uint8Array>, piece: number) => void) {
  const state = { pieces: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => pull(controller, state.pieces++),
      cancel: () => {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, state };
}

describe('a request of another implementation of fetch', () => {
  const like = (members: object) => ({ method: 'POST', headers, bodyUsed: false, ...members }) as unknown as Request;
  const arrayBuffer = async () => new TextEncoder().encode(body).buffer;
  const never = () => new Promise<never>(() => {});

  it('without a stream is read as a whole', async () => {
    const { handler, handled } = receiver();
    expect((await handler(like({ arrayBuffer }))).status).toBe(200);
    expect(handled).toEqual(['evt_1']);
  });

  it('with a stream of Node is read: node-fetch', async () => {
    const { handler, handled } = receiver();
    const stream = Readable.from([body.slice(0, 10), Buffer.from(body.slice(10))], { objectMode: false });
    expect((await handler(like({ arrayBuffer, body: stream }))).status).toBe(200);
    expect(handled).toEqual(['evt_1']);
    expect(stream.destroyed).toBe(true);
  });

  it.each([
    ['without a stream', () => ({ arrayBuffer: never })],
    ['with a stream of Node', () => ({ arrayBuffer, body: new Readable({ read: () => {} }) })],
  ])('%s that stalls is answered 408', async (_, members) => {
    const { handler, rejected } = receiver({ bodyTimeout: 20 });
    expect((await handler(like(members()))).status).toBe(408);
    expect(rejected).toMatchObject([{ reason: 'too_slow' }]);
  });

  it.each([
    ['without a stream', () => ({ arrayBuffer })],
    ['with a stream of Node', () => ({ arrayBuffer, body: Readable.from([body]) })],
  ])('%s is bounded', async (_, members) => {
    const { handler, handled } = receiver({ maxBodyBytes: body.length - 1 });
    expect((await handler(like(members()))).status).toBe(413);
    expect(handled).toEqual([]);
  });
});

describe('a streamed body', () => {
  it('is put together from any pieces', async () => {
    const { handler, handled } = receiver();
    const bytes = new TextEncoder().encode(body);
    const { stream } = streamed((controller, piece) => {
      if (piece < bytes.length) controller.enqueue(bytes.subarray(piece, piece + 1));
      else controller.close();
    });
    expect((await handler(requestOf(stream))).status).toBe(200);
    expect(handled).toEqual(['evt_1']);
  });

  it('that breaks off is answered 400 and told of', async () => {
    const { handler, handled, rejected, errors } = receiver();
    const { stream } = streamed((controller, piece) => {
      if (piece === 0) controller.enqueue(new Uint8Array(10));
      else controller.error(new TypeError('terminated'));
    });
    expect((await handler(requestOf(stream))).status).toBe(400);
    expect(rejected).toMatchObject([{ status: 400, reason: 'incomplete' }]);
    expect([handled, errors]).toEqual([[], []]);
  });

  it('that is too large is answered 413, also when it stalls behind that', async () => {
    const { handler, rejected } = receiver({ maxBodyBytes: 9, bodyTimeout: 20 });
    const { stream, state } = streamed((controller, piece) => {
      if (piece === 0) controller.enqueue(new Uint8Array(10));
      else return new Promise<void>(() => {}) as unknown as undefined;
    });
    expect((await handler(requestOf(stream))).status).toBe(413);
    expect(rejected).toMatchObject([{ status: 413, reason: 'too_large' }]);
    expect(state.cancelled).toBe(true);
  });

  it('that stalls is answered 408 and let go', async () => {
    const { handler, rejected } = receiver({ bodyTimeout: 20 });
    const { stream, state } = streamed((controller, piece) => {
      if (piece === 0) controller.enqueue(new Uint8Array(10));
      else return new Promise<void>(() => {}) as unknown as undefined;
    });
    expect((await handler(requestOf(stream))).status).toBe(408);
    expect(rejected).toMatchObject([{ status: 408, reason: 'too_slow' }]);
    expect(state.cancelled).toBe(true);
  });

  it('that is too large is not read to its end', async () => {
    const { handler } = receiver({ maxBodyBytes: 1000 });
    const { stream, state } = streamed((controller) => controller.enqueue(new Uint8Array(100)));
    expect((await handler(requestOf(stream))).status).toBe(413);
    expect(state.pieces).toBeLessThan(20);
    expect(state.cancelled).toBe(true);
  });
});

describe('a body that the program has taken away', () => {
  it.each([
    ['read', (request: Request) => request.json()],
    [
      'read by a reader that was let go',
      async (request: Request) => {
        const reader = request.body?.getReader();
        await reader?.read();
        reader?.releaseLock();
      },
    ],
    ['locked by a reader', async (request: Request) => void request.body?.getReader()],
  ])('%s is answered 500, and the program is told what to do', async (_, take) => {
    const { handler, handled, rejected, errors } = receiver();
    const request = requestOf(body);
    await take(request);
    expect((await handler(request)).status).toBe(500);
    expect([handled, rejected]).toEqual([[], []]);
    expect(errors).toEqual([expect.any(ConfigurationError)]);
    expect(String(errors[0])).toContain('c.req.raw');
  });

  it('leaves another copy of it to be verified', async () => {
    const { handler, handled } = receiver();
    const request = requestOf(body);
    const copy = request.clone();
    await copy.json();
    expect((await handler(request)).status).toBe(200);
    expect(handled).toEqual(['evt_1']);
  });
});

describe('webhookHandler', () => {
  it('says by header which method is allowed', async () => {
    const { handler } = receiver();
    const response = await handler(new Request('https://partner.test'));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    const allowed = await handler(requestOf(body));
    expect(allowed.headers.get('allow')).toBeNull();
    expect(allowed.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { handler } = receiver();
    const { stream } = streamed((controller) => controller.error(new TypeError('terminated')));
    const answers = [handler(requestOf(body)), handler(requestOf(stream)), handler(requestOf('x'.repeat(2 ** 21)))];
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 400, 413]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
