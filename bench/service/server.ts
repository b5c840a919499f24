/** The process of the service: answers every request at once, and counts them. */
import { answerTo } from './answers.js';
import { startRawServer } from './raw-server.js';

/** The counts of the service so far. */
export interface ServiceCounts {
  readonly requests: number;
  readonly cpuMicroseconds: number;
  /** Request line and headers of the last request. */
  readonly lastHead: string;
}

let requests = 0;
let lastHead = '';

const { origin } = await startRawServer((head) => {
  requests++;
  lastHead = head;
  return answerTo(head);
});

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const counts: ServiceCounts = { requests, cpuMicroseconds: user + system, lastHead };
  process.send?.({ value: counts });
});
process.on('disconnect', () => process.exit());

process.send?.({ value: origin });
