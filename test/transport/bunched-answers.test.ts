import { createSecureServer } from 'node:http2';
import { expect, it } from 'vitest';
import { startLink } from '../support/link.js';
import { seeded } from '../support/random.js';
import { CERTIFICATE } from '../support/raw-server.js';
import { openings } from './support/openings.js';

const { closing, drive, listen } = openings();
const random = seeded(1);
const BODY = 'x'.repeat(188);

it('answers over HTTP/2 are whole when a restless link brings heads and bodies of many at once', async () => {
  const server = createSecureServer(CERTIFICATE);
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
  const { port } = new URL(await listen(server));
  const link = closing(await startLink(Number(port), { fresh: [1, 5], jitter: 6 }));
  const driver = drive(link.url);
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
});
