import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give out, so that no connection gets one of these meanwhile. */
const LOWEST = 10_000;
const HIGHEST = 32_000;

/** A port that nothing listens on, for a program that must be told its port. */
export async function freePort() {
  for (;;) {
    const probe = createServer().listen(LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST)), '127.0.0.1');
    const port = await once(probe, 'listening').then(
      () => probe.address().port,
      () => undefined,
    );
    if (port === undefined) continue;
    await once(probe.close(), 'close');
    return port;
  }
}
