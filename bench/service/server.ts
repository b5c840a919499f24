/**
 * The process of the service: answers every request at once, and counts them. It handles the requests of a connection in turn, as the
 * edges do that services stand behind: the next one is read when the answer to the one before has left. A proxy would do the same
 * and cost a process more.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { answerTo } from './answers.js';
import { RequestReader } from './request-reader.js';

/** What the service has seen so far. */
export interface ServiceCounts {
  readonly requests: number;
  readonly cpuMicroseconds: number;
  /** Request line and headers of the last request. */
  readonly lastHead: string;
}

let requests = 0;
let lastHead = '';

const server = createServer({ noDelay: true }, (socket) => {
  const reader = new RequestReader();
  let isAnswering = false;
  const answerNext = () => {
    const head = reader.next();
    isAnswering = head !== undefined;
    if (head === undefined) return;
    requests++;
    lastHead = head;
    socket.write(answerTo(head), answerNext);
  };
  socket.on('data', (chunk) => {
    reader.add(chunk);
    if (!isAnswering) answerNext();
  });
  // A measured process ends as soon as it has said its figures.
  socket.on('error', () => socket.destroy());
});

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const counts: ServiceCounts = { requests, cpuMicroseconds: user + system, lastHead };
  process.send?.({ value: counts });
});
process.on('disconnect', () => process.exit());

await once(server.listen(0, '127.0.0.1'), 'listening');
process.send?.({ value: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
