import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program, run } from '../support/processes/program.js';
import { RedisServer } from '../support/redis.js';

const leaver = program('test/redis/support/leaver.ts');

describe('nothing is left over:', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await RedisServer.start();
  });

  afterAll(() => server.stop());

  it.each(['closed', 'open'])('a process whose clients are %s ends by itself', { timeout: 180_000 }, async (ending) => {
    // A process that does not end is killed, and that is a failure here.
    const { stdout } = await run(leaver, [String(server.port), ending], { patience: 150_000 });
    expect(JSON.parse(stdout)).toEqual({ left: 0, nonces: [true, true] });
  });
});
