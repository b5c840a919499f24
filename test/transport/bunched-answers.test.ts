import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { undiciTransport } from '../../src/transport/undici.js';
import { startLink } from '../support/link.js';
import { seeded } from '../support/random.js';
import { LOCAL } from '../support/tls.js';
import { Driver } from './support/driver.js';

const random = seeded(1);
const BODY = 'x'.repeat(188);

it('answers over HTTP/2 are whole when a restless link brings heads and bodies of many at once', async () => {
  const server = createSecureServer({ key: LOCAL.key, cert: LOCAL.cert });
  server.on('stream', (stream) => {
    setTimeout(
      () => {
        if (stream.destroyed) return;
        stream.respond({ ':status': 200, 'content-length': BODY.length });
        stream.end(BODY);
      },
      5 + 10 * random(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link = await startLink((server.address() as AddressInfo).port, { fresh: [1, 5], jitter: 6 });
  const driver = new Driver(undiciTransport({ tls: { ca: LOCAL.cert } }), `https://127.0.0.1:${link.port}`);
  const ends = new Map<string, number>();
  const caller = async () => {
    for (let left = 30; left > 0; left--) {
      const { end, statuses, body } = await driver.call('/answer');
      const what = `${end} ${statuses.join()} ${body === BODY ? 'whole' : body}`;
      ends.set(what, (ends.get(what) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 64 }, caller));
  expect([...ends]).toEqual([['answered 200 whole', 64 * 30]]);
  await driver.close();
  await link.close();
  server.close();
});
