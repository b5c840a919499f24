import { once } from 'node:events';
import { createServer as createHttp2Server, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { answerInTurn } from './raw-server.js';

/** Key and certificate as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Starts a server over TLS with the answers of `startRawServer`. It speaks HTTP/2 and HTTP/1.1. */
export async function startTlsServer(answerTo: (head: string) => Buffer, certificate: Certificate): Promise<string> {
  const http2 = createHttp2Server();
  const framed = cachedByAnswer(framesOf);
  http2.on('stream', (stream, headers) => {
    const { fields, body } = framed(answerTo(headOf(headers)));
    stream.respond(fields);
    stream.end(body);
  });
  const server = createTlsServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'], noDelay: true }, (socket) => {
    if (socket.alpnProtocol === 'h2') http2.emit('connection', socket);
    else answerInTurn(socket, answerTo);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the head of the request as HTTP/1.1 has it. */
function headOf(headers: IncomingHttpHeaders): string {
  const lines = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  return [
    `${headers[':method']} ${headers[':path']} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n');
}

/** Headers that HTTP/2 forbids. */
const FORBIDDEN = ['connection'];

function framesOf(answer: Buffer): { readonly fields: Record<string, string>; readonly body: Buffer } {
  const end = answer.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = answer.toString('latin1', 0, end).split('\r\n');
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const status = statusLine.split(' ')[1] ?? '';
  const allowed = fields.filter(([name]) => !FORBIDDEN.includes(name));
  return { fields: { ':status': status, ...Object.fromEntries(allowed) }, body: answer.subarray(end + 4) };
}

/** Computes a value once for each answer: the answers are made before the first request. */
function cachedByAnswer<T>(compute: (answer: Buffer) => T): (answer: Buffer) => T {
  const known = new Map<Buffer, T>();
  return (answer) => {
    const value = known.get(answer) ?? compute(answer);
    known.set(answer, value);
    return value;
  };
}
