import { beforeAll, describe, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.js';
import { blocksIn, readDocument, titleOf } from '../documents/support/blocks.js';
import { compile, run } from '../documents/support/run.js';
import { RedisServer } from '../support/redis.js';

const document = 'docs/operate/several-processes.md';
const blocks = blocksIn(document, readDocument(document)).filter(({ code }) => code.includes("'partner-sdk/redis'"));

describe('a program of the documents runs with a Redis, and ends as it says', () => {
  beforeAll(() => compile(blocks));

  it.each(blocks.map((block) => [titleOf(block), block] as const))('%s', async (_, block) => {
    const redis = await RedisServer.start();
    const sandbox = createSandbox();
    onTestFinished(async () => {
      await sandbox.close();
      await redis.stop();
    });
    process.env['PARTNER_BASE_URL'] = (await sandbox.listen()).url;
    process.env['REDIS_URL'] = redis.url;
    process.env['PARTNER_CREDENTIALS'] = JSON.stringify([sandbox.credentials]);
    const before = process.listeners('SIGTERM');
    await run(block);
    for (const end of process.listeners('SIGTERM').filter((listener) => !before.includes(listener))) {
      process.removeListener('SIGTERM', end);
      await end('SIGTERM');
    }
  });
});
