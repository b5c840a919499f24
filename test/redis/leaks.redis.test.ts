import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisServer } from '../support/redis.js';

const run = promisify(execFile);
const leaver = fileURLToPath(new URL('./support/leaver.ts', import.meta.url));

describe('nothing is left over:', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await RedisServer.start();
  });

  afterAll(() => server.stop());

  it.each(['closed', 'open'])('a process whose clients are %s ends by itself', { timeout: 60_000 }, async (ending) => {
    const command = ['--import', 'tsx', leaver, String(server.port), ending];
    // A process that does not end is killed, and that is a failure here.
    const { stdout } = await run(process.execPath, command, { timeout: 40_000, killSignal: 'SIGKILL' });
    expect(JSON.parse(stdout)).toEqual({ left: 0, nonces: [true, true] });
  });
});
