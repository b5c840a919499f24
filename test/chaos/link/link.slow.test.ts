import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchTransport, PartnerClient, PartnerError, undiciTransport } from '../../../src/index.js';
import { certificateFor } from '../../support/certificate.js';
import type { Fate, Strike } from './fate.js';
import { ChaosLink } from './link.js';

const PEACE: Fate = {
  ...{ refused: false, silences: false, garblesFirst: false, lateBy: undefined, strikes: [] },
  ...{ opensAfter: 0, jitter: () => 0 },
};

const strike = (kind: Strike['kind'], direction: Strike['direction'], at: number, holds = 0): Strike => {
  return { kind, direction, at, holds };
};

const closing: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service that answers each chunk as it is told, and keeps what it was sent. */
class Far {
  readonly received: string[] = [];
  readonly endings: string[] = [];
  readonly #server: Server;

  constructor(answer: (socket: Socket, chunk: string) => void = () => {}) {
    this.#server = createServer({ noDelay: true }, (socket) => {
      const place = this.received.push('') - 1;
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        this.received[place] += chunk;
        answer(socket, chunk);
      });
      socket.on('error', () => {});
      socket.on('close', () => this.endings.push('closed'));
    });
  }

  async through(...fates: readonly Partial<Fate>[]): Promise<ChaosLink> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    const fateOf = (connection: number) => ({ ...PEACE, ...fates[connection] });
    const link = await ChaosLink.start(port, { seed: 1, phase: 'test', fateOf });
    closing.push(
      () => this.#server.close(),
      () => link.close(),
    );
    return link;
  }
}

/** A client's end of a connection, and what came over it. */
async function open(link: ChaosLink): Promise<{ socket: Socket; received: () => string; closed: Promise<string> }> {
  const socket = connect({ port: Number(new URL(link.url).port), host: '127.0.0.1', noDelay: true });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  let how = 'fin';
  socket.on('error', (error: NodeJS.ErrnoException) => {
    how = error.code ?? 'error';
  });
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(how)));
  closing.push(() => socket.destroy());
  await new Promise((resolve) => socket.on('connect', resolve).on('close', resolve));
  return { socket, received: () => text, closed };
}

/** A client's connection with this fate, to a service that answers each chunk as it is told. */
async function connected(fate: Partial<Fate>, answer?: (socket: Socket, chunk: string) => void) {
  const far = new Far(answer);
  const link = await far.through(fate);
  return { far, link, ...(await open(link)) };
}

const requestOf = (name: string, body = '') =>
  `POST /${name} HTTP/1.1\r\nhost: x\r\napi-key: k\r\napi-nonce: ${name}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe('a connection that nothing strikes', () => {
  it('carries all bytes in order, and the link writes down each request however it was cut into chunks', async () => {
    const { link, socket, received } = await connected({ jitter: () => Math.random() * 3 }, (socket, chunk) =>
      socket.write(chunk.toUpperCase()),
    );
    const all = [requestOf('1', 'POST /no HTTP/1.1\r\n\r\n'), requestOf('2'), requestOf('3', '{}')].join('');
    for (let place = 0; place < all.length; place += 7) {
      socket.write(all.slice(place, place + 7));
      await new Promise(setImmediate);
    }
    await expect.poll(() => received()).toBe(all.toUpperCase());
    expect(link.wire.map(({ path, nonce, apiKey }) => [path, nonce, apiKey])).toEqual([
      ['/1', '1', 'k'],
      ['/2', '2', 'k'],
      ['/3', '3', 'k'],
    ]);
  });

  it('is at rest when the client has closed it', async () => {
    const { far, link, socket } = await connected({});
    await expect.poll(() => link.open).toBe(1);
    expect(link.atRest).toBe(false);
    socket.write('x');
    socket.end();
    await expect.poll(() => link.atRest).toBe(true);
    expect(link.open).toBe(0);
    expect(far.received).toEqual(['x']);
  });

  it('is overtaken by one that opens sooner', async () => {
    const order: string[] = [];
    const far = new Far((_socket, chunk) => order.push(chunk));
    const link = await far.through({ opensAfter: 1_500 }, {});
    const first = await open(link);
    first.socket.write('first');
    const second = await open(link);
    second.socket.write('second');
    await expect.poll(() => order).toEqual(['second', 'first']);
  });
});

describe('a connection that breaks', () => {
  it.each([
    ['reset', 'ECONNRESET'],
    ['fin', 'fin'],
  ] as const)('by %s: what is before the place arrives, what is behind it does not', async (kind, how) => {
    const { far, link, socket, closed } = await connected({ strikes: [strike(kind, 'up', 3)] });
    socket.write('abcdef');
    expect(await closed).toBe(how);
    await expect.poll(() => link.atRest).toBe(true);
    expect(far.received).toEqual(['abc']);
    expect([...link.faults.keys()]).toEqual([`${kind} up`]);
  });

  it('may bring what was written after all, late and in order', async () => {
    const { far, link, socket, closed } = await connected({ strikes: [strike('reset', 'up', 3)], lateBy: 50 });
    socket.write('abc');
    socket.write('def');
    await closed;
    await expect.poll(() => far.received).toEqual(['abcdef']);
    await expect.poll(() => link.atRest).toBe(true);
    expect(link.faults.get('late arrival')).toBe(1);
  });

  it('gives half an answer, and then no more', async () => {
    const { socket, received, closed } = await connected({ strikes: [strike('half', 'down', 3, 50)] }, (socket) =>
      socket.write('answer'),
    );
    socket.write('x');
    await closed;
    expect(received()).toBe('ans');
  });

  it('when the service breaks it', async () => {
    const { link, socket, closed } = await connected({}, (socket) => socket.resetAndDestroy());
    socket.write('x');
    expect(await closed).toBe('ECONNRESET');
    await expect.poll(() => link.atRest).toBe(true);
  });

  it('before a byte has passed', async () => {
    const { far, link, closed } = await connected({ refused: true });
    expect(await closed).toBe('ECONNRESET');
    await expect.poll(() => link.atRest).toBe(true);
    expect(far.received.join('')).toBe('');
  });
});

it('a connection that stalls brings the rest later', async () => {
  const chunks: string[] = [];
  const { socket } = await connected({ strikes: [strike('stall', 'up', 3, 1_000)] }, (_socket, chunk) =>
    chunks.push(chunk),
  );
  socket.write('abcdef');
  await expect.poll(() => chunks).toEqual(['abc', 'def']);
});

describe('a garbled request', () => {
  it('is none that a service could read, and breaks its connection; those before it arrive', async () => {
    const first = requestOf('1', 'body');
    const { far, link, socket, received, closed } = await connected(
      { strikes: [strike('garble', 'up', 5)], opensAfter: 50 },
      (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    socket.write(first + requestOf('2'));
    await closed;
    await expect.poll(() => link.atRest).toBe(true);
    expect(far.received).toEqual([`${first}${'\x01'.repeat(6)}${requestOf('2').slice(6)}`]);
    expect(received()).toBe('');
  });

  it('may be the first of its connection: the service says what it thinks of it', async () => {
    const { far, socket, received, closed } = await connected({ garblesFirst: true }, (socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    socket.write(requestOf('1'));
    await closed;
    expect(received()).toContain('400');
    expect(far.received[0]?.startsWith('\x01')).toBe(true);
  });
});

describe('a garbled answer is noticed by the client, wherever it is garbled', () => {
  const VALUE = JSON.stringify({ data: { amount: '100.00', name: 'a b' } });
  const FIELDS = `Content-Type: application/json\r\nContent-Length: ${VALUE.length}\r\nIdempotent-Replayed: true\r\n`;
  const ANSWER = `HTTP/1.1 200 OK\r\n${FIELDS}\r\n${VALUE}`;

  it.each([
    ['undici', undiciTransport],
    ['fetch', fetchTransport],
  ])(
    '%s',
    async (_name, transportOf) => {
      const far = new Far((socket) => socket.end(ANSWER));
      const fates = Array.from(ANSWER, (_, at) => ({ strikes: [strike('garble', 'down', at)] }));
      const link = await far.through(...fates);
      // A connection for each place, in their order: what is garbled in its head or its body is not used again. A call
      // that found only a connection that had ended made no new one, and says nothing about a place.
      const noticed: string[] = [];
      while (link.made < ANSWER.length) {
        const keys = { apiKey: 'k', apiSecret: 'c2VjcmV0' };
        await using client = new PartnerClient({ baseUrl: link.url, ...keys, transport: transportOf() });
        const call = client.request({ method: 'POST', path: '/v1/things', body: {}, maxRetries: 0, timeout: 5_000 });
        const ended = await call.then(
          (value) => JSON.stringify(value),
          (error: unknown) => (error instanceof PartnerError ? error.outcome : String(error)),
        );
        noticed[link.made - 1] ??= ended;
      }
      expect(Object.keys(noticed)).toHaveLength(ANSWER.length);
      const places = [...noticed.keys()].filter((place) => !['unknown', 'applied'].includes(noticed[place] ?? ''));
      // The text behind the status says nothing, and a garbled end of its line becomes a part of it.
      for (const place of places) {
        expect(noticed[place]).toBe(JSON.stringify(JSON.parse(VALUE).data));
        expect(place).toBeGreaterThanOrEqual(ANSWER.indexOf('OK'));
        expect(place).toBeLessThan(ANSWER.indexOf('\n'));
      }
    },
    60_000,
  );
});

describe('a link of TLS', () => {
  const certificate = certificateFor('localhost');

  /** What a client hears of an echo over TLS, and how its connection ended. */
  async function echoed(fate: Partial<Fate>): Promise<{ text: string; link: ChaosLink }> {
    const far = createTlsServer(certificate, (socket) => socket.on('error', () => {}).pipe(socket));
    far.on('tlsClientError', () => {});
    far.listen(0, '127.0.0.1');
    await once(far, 'listening');
    const { port } = far.address() as AddressInfo;
    const fateOf = () => ({ ...PEACE, ...fate });
    const link = await ChaosLink.start(port, { seed: 1, phase: 'x', encrypted: true, fateOf });
    closing.push(
      () => far.close(),
      () => link.close(),
    );
    const { hostname, port: near } = new URL(link.url);
    const socket = connectTls({ host: hostname, servername: hostname, port: Number(near), ca: certificate.cert });
    let text = '';
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.length >= REQUEST.length) socket.end();
    });
    socket.write(REQUEST);
    await new Promise<void>((resolve) => socket.on('close', () => resolve()));
    return { text, link };
  }

  const REQUEST = requestOf('1', 'body');

  it('passes everything, and reads no request', async () => {
    const { text, link } = await echoed({});
    expect(text).toBe(REQUEST);
    expect(link.wire).toEqual([]);
  });

  it.each([
    ['garbled handshake', { garblesFirst: true }],
    ['garbled request', { strikes: [strike('garble', 'up', 420)] }],
    ['garbled answer', { strikes: [strike('garble', 'down', 300)] }],
  ] as const)('breaks its connection by whatever it alters: %s', async (fault, fate) => {
    const { text, link } = await echoed(fate);
    expect(text).toBe('');
    expect([...link.faults.keys()]).toEqual([fault]);
  });
});

it('a link may stop to listen for a while; what is open goes on', async () => {
  const { far, link, socket } = await connected({ silences: true });
  await expect.poll(() => link.faults.get('refusing')).toBe(1);
  expect((await open(link)).socket.readyState).toBe('closed');
  socket.write('x');
  await expect.poll(() => far.received).toEqual(['x']);
  await expect.poll(async () => (await open(link)).socket.readyState).toBe('open');
});
