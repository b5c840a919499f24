import { once as emitted } from 'node:events';
import { createServer, type IncomingMessage, request as nodeRequest, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, nodeWebhookHandler, signWebhook } from '../../../src/webhooks/index.js';
import { gate, until } from '../../support/until.js';
import { executed, listening, type Options, recording, SECRET } from '../support/receiving.js';

const body = JSON.stringify(executed('evt_1'));
const headers = signWebhook({ body, secret: SECRET });
/** Without it nothing of the body is read. */
const signature = `X-Signature: ${headers['X-Signature']}\r\n`;
type Prepare = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Resolves when it is over, in whatever way. */
const closed = (stream: IncomingMessage | ServerResponse): Promise<void> =>
  new Promise((resolve) => stream.once('close', resolve));

interface Server extends Omit<ReturnType<typeof recording>, 'options'> {
  readonly url: string;
  /** Settled handler calls. */
  readonly settled: () => number;
  readonly requests: IncomingMessage[];
}

interface Setup extends Options {
  /** What stands before the handler, a body parser say. */
  readonly prepare?: Prepare;
}

/** A server of `node:http`. */
async function serve({ prepare, ...more }: Setup, use: (server: Server) => Promise<void>): Promise<void> {
  const { options, ...recorded } = recording(more);
  const requests: IncomingMessage[] = [];
  let settled = 0;
  const handler = nodeWebhookHandler(options);
  const server = createServer(async (request, response) => {
    requests.push(request);
    await prepare?.(request, response);
    await handler(request, response);
    settled++;
  });
  await listening(server, (url) => use({ url, ...recorded, settled: () => settled, requests }));
}

const deliver = async (url: string): Promise<number> => (await fetch(url, { method: 'POST', body, headers })).status;

/** What a body parser leaves: the bytes read, and something in their place. */
const parsedTo =
  (member: string, parse: (raw: string) => unknown): Prepare =>
  async (request) => {
    const raw = await text(request);
    Object.assign(request, { [member]: parse(raw) });
  };

describe('a rejection before the body has arrived', () => {
  it('has ended when the handler resolves: Koa writes a response of its own into one that is open', async () => {
    const handler = nodeWebhookHandler(recording({}).options);
    const server = createServer(async (request, response) => {
      await handler(request, response);
      if (!response.writableEnded) response.end('Not Found');
    });
    await listening(server, async (url) => {
      const { port, hostname } = new URL(url);
      const socket = connect(Number(port), hostname);
      socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nthe beginning');
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/content-length: 14\r\n(.*\r\n)*\r\nmissing_header$/i);
    });
  });
});

describe('a body that a parser has read', () => {
  it('and kept as bytes in body is verified', () =>
    serve({ prepare: parsedTo('body', (raw) => new TextEncoder().encode(raw)) }, async ({ url, handled, errors }) => {
      expect(await deliver(url)).toBe(200);
      expect([handled, errors]).toEqual([['evt_1'], []]);
    }));

  it('is bounded, too', () =>
    serve({ maxBodyBytes: body.length - 1, prepare: parsedTo('body', Buffer.from) }, async ({ url, handled }) => {
      expect(await deliver(url)).toBe(413);
      expect(handled).toEqual([]);
    }));

  it.each([
    ['parsed to an object (express.json)', parsedTo('body', JSON.parse)],
    ['thrown away', parsedTo('other', JSON.parse)],
  ])('and %s is answered 500, and the program is told what to do', (_, prepare) =>
    serve({ prepare }, async ({ url, handled, rejected, errors }) => {
      const response = await fetch(url, { method: 'POST', body, headers });
      expect([response.status, await response.text()]).toEqual([500, 'failed']);
      expect([handled, rejected]).toEqual([[], []]);
      expect(errors).toEqual([expect.any(ConfigurationError)]);
      for (const hint of ['express.raw', "parseAs: 'buffer'", 'before express.json()']) {
        expect(String(errors[0])).toContain(hint);
      }
      expect(String(errors[0])).not.toContain('evt_1');
    }),
  );

  it('in part cannot be verified either', () => {
    const prepare: Prepare = async (request) => {
      await emitted(request, 'readable');
      request.read(1);
    };
    return serve({ prepare }, async ({ url, errors }) => {
      expect(await deliver(url)).toBe(500);
      expect(errors).toEqual([expect.any(ConfigurationError)]);
    });
  });
});

describe('a body that nobody has read', () => {
  it('is read beside an empty object in body, as Express 4 puts it there for other content types', () =>
    serve({ prepare: (request) => Object.assign(request, { body: {} }) }, async ({ url, handled }) => {
      expect(await deliver(url)).toBe(200);
      expect(handled).toEqual(['evt_1']);
    }));

  it('is read as text where the program has asked for text', () =>
    serve({ prepare: (request) => request.setEncoding('utf8') }, async ({ url, handled }) => {
      expect(await deliver(url)).toBe(200);
      expect(handled).toEqual(['evt_1']);
    }));

  it('is put together from any pieces', () =>
    serve({}, async ({ url, handled }) => {
      const request = nodeRequest(url, { method: 'POST', headers });
      for (const piece of body) {
        request.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      request.end();
      const [response] = (await emitted(request, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      response.resume();
      expect(handled).toEqual(['evt_1']);
    }));

  it('leaves no listener behind', async () => {
    let before: number[] = [];
    const counts = (request: IncomingMessage) =>
      ['data', 'end', 'error', 'close'].map((name) => request.listenerCount(name));
    const prepare: Prepare = (request) => {
      before = counts(request);
    };
    await serve({ prepare }, async ({ url, settled, requests }) => {
      await deliver(url);
      await until(() => settled() === 1);
      expect(requests.map(counts)).toEqual([before]);
    });
  });
});

/** Sends text on a connection of its own. */
async function sending(url: string, head: string, use: (socket: Socket) => Promise<void>): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`POST /webhooks HTTP/1.1\r\nHost: partner.test\r\n${head}\r\n`);
  try {
    await use(socket);
  } finally {
    socket.destroy();
  }
}

describe('a sender', () => {
  const half = `${signature}Content-Length: ${body.length}\r\n`;

  it('that goes away in the middle of the body is told of, and the endpoint goes on', () =>
    serve({}, async ({ url, handled, rejected, errors, settled, requests }) => {
      await sending(url, half, async (socket) => {
        socket.write(body.slice(0, 10));
        await until(() => requests.length === 1);
        socket.destroy();
        await until(() => settled() === 1);
      });
      expect(rejected).toMatchObject([{ reason: 'incomplete' }]);
      expect(await deliver(url)).toBe(200);
      expect([handled, errors]).toEqual([['evt_1'], []]);
    }));

  it('that went away before its body is read holds nothing up', () =>
    serve({ prepare: closed }, async ({ url, rejected, settled, requests }) => {
      await sending(url, half, async (socket) => {
        await until(() => requests.length === 1);
        socket.destroy();
        await until(() => settled() === 1);
      });
      expect(rejected).toMatchObject([{ reason: 'incomplete' }]);
    }));

  it('that stalls in the middle of the body is answered 408, and its connection closed', () =>
    serve({ bodyTimeout: 50 }, async ({ url, handled, rejected }) => {
      await sending(url, half, async (socket) => {
        socket.write(body.slice(0, 10));
        const answer = await text(socket);
        expect(answer).toMatch(/^HTTP\/1.1 408 /);
        expect(answer).toMatch(/\r\nconnection: close\r\n/i);
        expect(answer).toMatch(/too_slow$|too_slow\r\n/);
      });
      expect(rejected).toMatchObject([{ status: 408, reason: 'too_slow' }]);
      expect(handled).toEqual([]);
    }));

  it('whose endless body is too large is answered 413 in the end', () =>
    serve({ maxBodyBytes: 100, bodyTimeout: 200 }, async ({ url, rejected }) => {
      await sending(url, `${signature}Transfer-Encoding: chunked\r\n`, async (socket) => {
        const answer = text(socket);
        let over = false;
        void answer.then(() => {
          over = true;
        });
        while (!over) {
          socket.write(`64\r\n${'x'.repeat(100)}\r\n`);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        expect(await answer).toMatch(/^HTTP\/1.1 413 /);
      });
      expect(rejected).toMatchObject([{ status: 413, reason: 'too_large' }]);
    }));

  it('that goes away while its event is handled changes nothing: the event is handled', () => {
    const [work, gone] = [gate(), gate()];
    const handled: string[] = [];
    let begun = false;
    const onEvent = async ({ id }: { id?: string | undefined }) => {
      begun = true;
      await work.opened;
      handled.push(String(id));
    };
    const prepare: Prepare = (_, response) => void closed(response).then(gone.open);
    return serve({ onEvent, prepare }, async ({ url, errors, settled }) => {
      await sending(url, half, async (socket) => {
        socket.write(body);
        await until(() => begun);
        socket.destroy();
        await gone.opened;
        work.open();
        await until(() => settled() === 1);
      });
      expect([handled, errors]).toEqual([['evt_1'], []]);
      expect(await deliver(url)).toBe(200);
      expect(handled).toEqual(['evt_1']);
    });
  });

  it('gets no second answer where the program has answered in the meantime', () => {
    let answer = () => {};
    const prepare: Prepare = (_, response) => {
      answer = () => void response.writeHead(202).end('mine');
    };
    return serve({ onEvent: () => answer(), prepare }, async ({ url, errors, settled }) => {
      expect(await deliver(url)).toBe(202);
      await until(() => settled() === 1);
      expect(errors).toEqual([]);
    });
  });
});

it('a request that the program itself ends while its body is read holds nothing up', () => {
  const prepare: Prepare = (request) => void setImmediate(() => request.destroy());
  return serve({ prepare }, async ({ url, rejected, settled }) => {
    await sending(url, `${signature}Content-Length: 10\r\n`, async () => until(() => settled() === 1));
    expect(rejected).toMatchObject([{ reason: 'incomplete' }]);
  });
});

describe('nodeWebhookHandler with what is not of Node', () => {
  it('says which handler takes a fetch-style request, and does not reject', async () => {
    const { options, errors } = recording();
    const request = new Request('https://partner.test', { method: 'POST', body, headers });
    await (nodeWebhookHandler(options) as unknown as (request: Request) => Promise<void>)(request);
    expect(errors.at(-1)).toBeInstanceOf(ConfigurationError);
    expect(String(errors.at(-1))).toContain('webhookHandler');
  });
});
