import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2, constants } from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { certificateFor } from '../../support/certificate.js';
import { TAG } from '../judge/evidence.js';
import { Http2Edge } from './http2.js';
import { SerialEdge } from './serial.js';
import { protocolOf, type SessionFate, sessionFateOf } from './session-fate.js';

const certificate = certificateFor('localhost');
const closing: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service that notes the paths of requests, and answers as it is told; the path of each by default, at once. */
async function serviceOf(answer: RequestListener = (request, response) => response.end(request.url)) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { paths, port: (server.address() as AddressInfo).port };
}

describe('an edge that takes requests in turn', () => {
  async function open(answer?: RequestListener, swaps = false) {
    const service = await serviceOf(answer);
    const edge = await SerialEdge.start(service.port, { swaps });
    closing.push(() => edge.close());
    const line = (): { socket: Socket; received: () => string } => {
      const socket = connect({ port: edge.port, host: '127.0.0.1', noDelay: true });
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('error', () => {});
      closing.push(() => socket.destroy());
      return { socket, received: () => text };
    };
    return { ...service, edge, line };
  }

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const post = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

  it('passes the next request of a connection on only after the answer to the one before; other connections go on', async () => {
    const held: ServerResponse[] = [];
    const { paths, line } = await open((_request, response) => void held.push(response));
    const { socket, received } = line();
    socket.write(`${post('/1', 'GET /no')}${get('/2')}${get('/3').slice(0, 9)}`);
    socket.write(get('/3').slice(9));
    await expect.poll(() => paths).toEqual(['/1']);
    line().socket.write(get('/other'));
    await expect.poll(() => paths).toEqual(['/1', '/other']);
    held[0]?.end('one');
    await expect.poll(() => paths).toEqual(['/1', '/other', '/2']);
    expect(received()).toContain('one');
    held[2]?.end('two');
    await expect.poll(() => paths).toEqual(['/1', '/other', '/2', '/3']);
  });

  it('passes the body on, and what the service answers', async () => {
    const { line } = await open((request, response) => {
      response.writeHead(418, { 'x-back': request.headers['x-there'] });
      request.pipe(response);
    });
    const { socket, received } = line();
    socket.write('POST / HTTP/1.1\r\nhost: x\r\nx-there: 7\r\ncontent-length: 4\r\n\r\nbody');
    await expect.poll(received).toMatch(/^HTTP\/1.1 418 .*x-back: 7.*body/s);
  });

  it('answers 502 when the service breaks off before an answer, and breaks off itself when it does so in the middle', async () => {
    const { line, edge } = await open((request, response) => {
      if (request.url === '/half') response.writeHead(200, { 'content-length': '9' }).write('half');
      setTimeout(() => response.destroy(), 20);
    });
    const whole = line();
    whole.socket.write(get('/none'));
    await expect.poll(whole.received).toMatch(/^HTTP\/1.1 502 .*502 Bad Gateway/s);
    const half = line();
    half.socket.write(get('/half'));
    await expect.poll(() => half.socket.closed).toBe(true);
    expect(half.received()).toMatch(/half$/);
    await expect.poll(() => edge.atRest).toBe(true);
  });

  it('closes a connection that has been idle for a second, and none before', async () => {
    const { line } = await open();
    const { socket, received } = line();
    socket.write(get('/1'));
    await expect.poll(received).toMatch(/\/1$/);
    await sleep(500);
    socket.write(get('/2'));
    await expect.poll(received).toMatch(/\/2$/);
    expect(socket.closed).toBe(false);
    await expect.poll(() => socket.readableEnded).toBe(true);
    expect(received()).not.toMatch(/keep-alive: timeout/i);
  });

  it('refuses what is no request, and closes', async () => {
    const { paths, line } = await open();
    const { socket, received } = line();
    socket.write(`\x01\x01\x01\x01\x01\x01 HTTP/1.1\r\nhost: x\r\n\r\n${get('/2')}`);
    await expect.poll(() => socket.closed).toBe(true);
    expect(received()).toMatch(/^HTTP\/1.1 400 /);
    expect(paths).toEqual([]);
  });

  it('drops what the service answers when the client has gone', async () => {
    const held: IncomingMessage[] = [];
    const { line, edge } = await open((request) => void held.push(request));
    const { socket } = line();
    socket.write(get('/1'));
    await expect.poll(() => held.length).toBe(1);
    expect(edge.atRest).toBe(false);
    socket.destroy();
    await expect.poll(() => edge.atRest).toBe(true);
  });

  it('gives two answers each to the other’s request when it is broken on purpose', async () => {
    const { line } = await open(undefined, true);
    const [one, other] = [line(), line()];
    one.socket.write(get('/one'));
    other.socket.write(get('/other'));
    await expect.poll(one.received).toMatch(/\/other$/);
    await expect.poll(other.received).toMatch(/\/one$/);
  });
});

/** A fate in which nothing happens. */
const PEACE: SessionFate = { maxStreams: 100, end: 'goaway', endsAfter: 1e9, holds: 0, faultOf: () => undefined };

describe('an edge that speaks HTTP/2', () => {
  async function open(fate: Partial<SessionFate>, answer?: RequestListener, protocol: 'h2' | 'http/1.1' = 'h2') {
    const service = await serviceOf(answer);
    const edge = await Http2Edge.start(service.port, {
      ...{ seed: 1, phase: 'test', certificate, swaps: false },
      ...{ fateOf: () => ({ ...PEACE, ...fate }), protocolOf: () => protocol },
    });
    closing.push(() => edge.close());
    const session = () => new Session(edge.port);
    return { ...service, edge, session };
  }

  /** A client of node:http2, and what it hears. */
  class Session {
    readonly http2: ClientHttp2Session;
    /** The last stream of each GOAWAY. */
    readonly goaways: number[] = [];

    constructor(port: number) {
      this.http2 = connectHttp2(`https://localhost:${port}`, { ca: certificate.cert });
      this.http2.on('goaway', (_code, last) => this.goaways.push(last));
      this.http2.on('error', () => {});
      closing.push(() => this.http2.destroy());
    }

    /** Resolves with the answer's body, or the code of the stream's end. */
    get(path: string, headers = {}): Promise<string | number> {
      return this.ended(this.http2.request({ ':path': path, ...headers }));
    }

    ended(stream: ClientHttp2Stream): Promise<string | number> {
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      let whole = false;
      stream.on('error', () => {});
      stream.on('end', () => {
        whole = stream.rstCode === 0 && !stream.aborted;
      });
      return new Promise((resolve) => stream.on('close', () => resolve(whole ? text : (stream.rstCode ?? -1))));
    }
  }

  const slow: RequestListener = (request, response) => void setTimeout(() => response.end(request.url), 30);

  it('serves both protocols, and writes down what arrives', async () => {
    const { edge, session } = await open({});
    expect(await session().get('/2', { [TAG]: '5.0', 'api-nonce': '7', 'idempotency-key': 'k' })).toBe('/2');
    const agent = new Agent({ connect: { ca: certificate.cert } });
    closing.push(() => agent.close());
    const response = await fetch(`https://localhost:${edge.port}/1`, { method: 'POST', body: 'x', dispatcher: agent });
    expect(await response.text()).toBe('/1');
    expect(edge.wire).toMatchObject([
      { connection: 0, method: 'GET', path: '/2', tag: '5.0', nonce: '7', key: 'k' },
      { connection: 1, method: 'POST', path: '/1' },
    ]);
    expect(edge.faults.size).toBe(0);
  });

  it('may choose HTTP/1.1 where HTTP/2 was offered', async () => {
    const { session } = await open({}, undefined, 'http/1.1');
    const { http2 } = session();
    await new Promise<void>((resolve) => http2.on('close', resolve));
    expect(http2.alpnProtocol).not.toBe('h2');
  });

  it('answers every stream up to the last one of its GOAWAY, serves none above it, and closes', async () => {
    const { paths, session } = await open({ end: 'goaway', endsAfter: 3 }, slow);
    const client = session();
    const ends = await Promise.all(['/1', '/2', '/3', '/4', '/5'].map((path) => client.get(path)));
    expect(ends).toEqual(['/1', '/2', '/3', constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_REFUSED_STREAM]);
    expect(paths).toEqual(['/1', '/2', '/3']);
    expect(client.goaways[0]).toBe(5);
    await expect.poll(() => client.http2.destroyed).toBe(true);
  });

  it('may announce its GOAWAY: what comes before the second one is served', async () => {
    const { paths, session } = await open({ end: 'graceful', endsAfter: 2 }, slow);
    const client = session();
    const ends = await Promise.all(['/1', '/2', '/3'].map((path) => client.get(path)));
    expect(ends).toEqual(['/1', '/2', '/3']);
    expect(paths).toHaveLength(3);
    expect(client.goaways.slice(0, 2)).toEqual([2 ** 31 - 1, 5]);
  });

  it('may break the session after its GOAWAY: streams up to the last one are lost, those above it were not served', async () => {
    // The service never answers: what is lost does not depend on how busy the machine is.
    const { paths, session } = await open({ end: 'goaway and reset', endsAfter: 3, holds: 300 }, () => {});
    const client = session();
    const ends = await Promise.all(['/1', '/2', '/3', '/4'].map((path) => client.get(path)));
    expect(ends.slice(2)).toEqual([constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_REFUSED_STREAM]);
    expect(ends.slice(0, 2)).not.toContain(constants.NGHTTP2_REFUSED_STREAM);
    expect(ends).not.toContain('/1');
    expect(paths).toEqual(['/1', '/2']);
    expect(client.goaways[0]).toBe(3);
  });

  it('may break the session without a word', async () => {
    const { session } = await open({ end: 'reset', endsAfter: 2 }, slow);
    const client = session();
    const ends = await Promise.all(['/1', '/2'].map((path) => client.get(path)));
    expect(ends).not.toContain('/1');
    expect(ends).not.toContain(constants.NGHTTP2_REFUSED_STREAM);
    expect(client.goaways).toEqual([]);
  });

  it('may begin with nothing for a while', async () => {
    const { paths, session } = await open({ end: 'stall', endsAfter: 1, holds: 300 });
    const client = session();
    const ended = Promise.all([client.get('/1'), client.get('/2')]);
    await sleep(100);
    expect(paths).toEqual([]);
    expect(await ended).toEqual(['/1', '/2']);
    expect(await client.get('/3')).toBe('/3');
  });

  it.each([
    ['refused', 0, constants.NGHTTP2_REFUSED_STREAM],
    ['reset before', 0, constants.NGHTTP2_INTERNAL_ERROR],
    ['reset after', 1, constants.NGHTTP2_INTERNAL_ERROR],
  ] as const)(
    '%s: the service sees %d requests, the client code %d, and other streams go on',
    async (fault, seen, code) => {
      let streams = 0;
      const { edge, paths, session } = await open({ faultOf: () => (streams++ === 1 ? fault : undefined) }, slow);
      const client = session();
      const ends = await Promise.all(['/1', '/2', '/3'].map((path) => client.get(path)));
      expect(ends).toEqual(['/1', code, '/3']);
      expect(paths.filter((path) => path === '/2')).toHaveLength(seen);
      expect(edge.faults).toEqual(new Map([[`edge: ${fault}`, 1]]));
    },
  );

  it('takes no more streams at once than it says', async () => {
    let [running, most] = [0, 0];
    const { session } = await open({ maxStreams: 2 }, (request, response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.end(request.url);
      }, 10);
    });
    const client = session();
    await client.get('/first');
    await Promise.all(Array.from({ length: 9 }, (_, place) => client.get(`/${place}`)));
    expect(most).toBe(2);
  });

  it('closes a connection of HTTP/1.1 after an answer that says so', async () => {
    const { edge, session: _ } = await open({ endsAfter: 2 });
    const agent = new Agent({ connect: { ca: certificate.cert }, connections: 1 });
    closing.push(() => agent.close());
    for (const path of ['/1', '/2', '/3']) {
      const response = await fetch(`https://localhost:${edge.port}${path}`, { dispatcher: agent });
      expect(await response.text()).toBe(path);
    }
    expect(edge.wire.map(({ connection }) => connection)).toEqual([0, 0, 1]);
  });

  it('has every end and every fault among the fates of a seed', () => {
    const fates = Array.from({ length: 200 }, (_, session) => sessionFateOf(1, 'test', session));
    const ends = ['goaway', 'graceful', 'goaway and reset', 'reset', 'stall'];
    expect(new Set(fates.map(({ end }) => end))).toEqual(new Set(ends));
    const faults = fates.flatMap(({ faultOf }) => [faultOf(), faultOf(), faultOf()]);
    expect(new Set(faults)).toEqual(new Set([undefined, 'refused', 'reset before', 'reset after']));
    const protocols = Array.from({ length: 100 }, (_, handshake) => protocolOf(1, 'test', handshake));
    expect(new Set(protocols)).toEqual(new Set(['h2', 'http/1.1']));
    expect(sessionFateOf(1, 'test', 7)).toMatchObject({ endsAfter: fates[7]?.endsAfter, holds: fates[7]?.holds });
  });
});
