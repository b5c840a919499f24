import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give out, so that no connection gets one of these meanwhile. */
const LOWEST = 10_000;
const HIGHEST = 32_000;

/** A port that nothing listens on, for a program that must be told its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  await once(probe.close(), 'close');
  return true;
}
