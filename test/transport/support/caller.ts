/**
 * A process that makes two calls over a transport and leaves it open, with an unused connection if it is HTTP/1.1: it
 * must end by itself. It prints how each call ended, and how many sockets keep the process running, as JSON. Arguments:
 * origin and certificate.
 */
import { undiciTransport } from '../../../src/transport/undici.js';
import { Driver } from './driver.js';

const [origin = '', ca = ''] = process.argv.slice(2);
// Node makes it at its first use.
const { stdout } = process;
const driver = new Driver(undiciTransport(origin.startsWith('https') ? { tls: { ca } } : {}), origin);
const ends = [await driver.call('/a'), await driver.call('/b', { body: 'body' })];
const { connections } = driver;
if (connections.way === 'http1') {
  const used = connections.reserve(1, false);
  connections.reserve(1, false);
  while (connections.open === 1) await new Promise((resolve) => setImmediate(resolve));
  used?.release();
}
const sockets = process.getActiveResourcesInfo().filter((name) => name.includes('TCP')).length;
stdout.write(JSON.stringify([...ends.map(({ end, body }) => `${end} ${body}`), sockets]));
