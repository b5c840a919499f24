import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** A process that has been prepared with `before` is written to a file; each start goes on with `after`. */
async function clones(folder: string, imports: string, before: string, after: string): Promise<string[]> {
  const [entry, blob] = [join(folder, 'entry.cjs'), join(folder, 'image.blob')];
  const contents = `${imports}
    import { startupSnapshot } from 'node:v8';
    ${before}
    startupSnapshot.setDeserializeMainFunction(() => { ${after} });`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    write: false,
    logLevel: 'error',
  });
  await writeFile(entry, outputFiles[0]?.contents ?? '');
  await run(process.execPath, ['--snapshot-blob', blob, '--build-snapshot', entry]);
  const starts = [1, 2].map(async () => (await run(process.execPath, ['--snapshot-blob', blob])).stdout.trim());
  return Promise.all(starts);
}

const REDIS = `import { redisKeyLeases, redisReplayGuard } from './src/redis/index.js';
  // Prints the name under which the process asks. What Redis answers does not matter.
  const redis = { eval: async (_script, { arguments: [name] }) => { console.log(name); throw new Error('no answer'); } };`;

describe('clones of a process image', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clones-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  // The service would take the second clone's payout for a retry of the first one's, and make none.
  it.each(['crypto', 'crypto.edge'])('draw different idempotency keys: %s', async (file) => {
    const imports = `import { randomUuid } from './src/runtime/${file}.js';`;
    const drawn = await clones(folder, imports, 'randomUuid();', 'console.log(randomUuid());');
    expect(new Set(drawn).size).toBe(2);
    for (const one of drawn) expect(one).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  // Two holders of one name would both use an API key, or end each other's claim on a delivery.
  it.each([
    ['redisKeyLeases', "redisKeyLeases(redis, { acquireTimeout: 1 }); source.open(['key'])", "source.next('key')"],
    ['redisReplayGuard', 'redisReplayGuard(redis)', "source.seen('id')"],
  ])('have different names in Redis: %s', async (_, before, after) => {
    const use = `${after}.catch(() => process.exit())`;
    const names = await clones(folder, REDIS, `const source = ${before};`, use);
    for (const name of names) expect(name).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(names).size).toBe(2);
  });
});
