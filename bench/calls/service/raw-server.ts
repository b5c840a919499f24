import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { RequestReader } from './request-reader.js';

/**
 * Starts a server, and returns its origin. It gives each request the bytes that `answerTo` makes of its head. It costs
 * little, so the client is what is measured. It handles the requests of a connection in turn, as the
 * edges do that services stand behind: it reads the next one when the answer to the one before has
 * left. A proxy would do the same and cost one more process.
 */
export async function startRawServer(answerTo: (head: string) => Buffer): Promise<string> {
  const server = createServer({ noDelay: true }, (socket) => answerInTurn(socket, answerTo));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers the requests of a connection, one after the other. */
export function answerInTurn(socket: Socket, answerTo: (head: string) => Buffer): void {
  const reader = new RequestReader();
  let isAnswering = false;
  const answerNext = () => {
    const head = reader.next();
    isAnswering = head !== undefined;
    if (head !== undefined) socket.write(answerTo(head), answerNext);
  };
  socket.on('data', (chunk) => {
    reader.add(chunk);
    if (!isAnswering) answerNext();
  });
  // A measured process ends as soon as it has said its figures.
  socket.on('error', () => socket.destroy());
}
