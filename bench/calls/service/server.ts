/**
 * The process of the service: `node server.js [CERTIFICATE]` answers every request at once, and counts them. With the
 * file of a certificate and its key, as JSON, it does so over TLS.
 */
import { readFileSync } from 'node:fs';
import { answerTo } from './answers.js';
import { startRawServer } from './raw-server.js';
import { type Certificate, startTlsServer } from './tls-server.js';

/** The counts of the service so far. */
export interface ServiceCounts {
  readonly requests: number;
  readonly cpuMicroseconds: number;
  /** Request line and headers of the last request. */
  readonly lastHead: string;
}

let requests = 0;
let lastHead = '';

const [certificateFile] = process.argv.slice(2);
const origin = certificateFile === undefined ? await startRawServer(counted) : await startOverTls(certificateFile);

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const counts: ServiceCounts = { requests, cpuMicroseconds: user + system, lastHead };
  process.send?.({ value: counts });
});
process.on('disconnect', () => process.exit());

process.send?.({ value: origin });

function startOverTls(file: string): Promise<string> {
  return startTlsServer(counted, JSON.parse(readFileSync(file, 'utf8')) as Certificate);
}

function counted(head: string): Buffer {
  requests++;
  lastHead = head;
  return answerTo(head);
}
