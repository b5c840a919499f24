/** The process of the service: answers every request at once and in order, and counts them. */
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
  socket.on('data', (chunk) => {
    const heads = reader.read(chunk);
    requests += heads.length;
    lastHead = heads.at(-1) ?? lastHead;
    socket.cork();
    for (const head of heads) socket.write(answerTo(head));
    socket.uncork();
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
