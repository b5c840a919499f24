import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PAGE_URL, QUOTE_PATH, WRITE_BODY, WRITE_PATH } from '../measured/requests.js';
import { answerTo } from './answers.js';

const body = JSON.stringify(WRITE_BODY);

/** Each kind of request that clients send. */
const REQUESTS: readonly { readonly head: string; readonly body: string }[] = [
  { head: `GET ${QUOTE_PATH} HTTP/1.1\r\nhost: bench`, body: '' },
  { head: `POST ${WRITE_PATH} HTTP/1.1\r\ncontent-length: ${body.length}`, body },
  { head: `GET ${PAGE_URL} HTTP/1.1\r\nhost: bench`, body: '' },
  { head: 'GET /nothing HTTP/1.1\r\nhost: bench', body: '' },
];

const SENT = Buffer.from(REQUESTS.map(({ head, body }) => `${head}\r\n\r\n${body}`).join(''));
const EXPECTED = Buffer.concat(REQUESTS.map(({ head }) => answerTo(head)));

/** The service must answer all requests, once and in order, however their bytes come; throws when it does not. */
export async function checkService(origin: string): Promise<void> {
  await check(origin, [SENT]);
  await check(
    origin,
    Array.from(SENT, (byte) => Buffer.of(byte)),
  );
}

async function check(origin: string, pieces: readonly Buffer[]): Promise<void> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const answered = readAll(socket, EXPECTED.length);
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise(setImmediate);
  }
  const answer = await answered;
  socket.destroy();
  if (!answer.equals(EXPECTED)) throw new Error(`the service answers wrongly to ${pieces.length} pieces: ${answer}`);
}

async function readAll(socket: Socket, length: number): Promise<Buffer> {
  const read: Buffer[] = [];
  let size = 0;
  socket.setTimeout(5_000, () => socket.end());
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    read.push(chunk);
    size += chunk.length;
    if (size >= length) break;
  }
  return Buffer.concat(read);
}
