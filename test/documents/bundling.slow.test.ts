import { execFile } from 'node:child_process';
import { mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.js';
import { blocksIn, readDocument } from './support/blocks.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A partner's project with the package installed. Inside ours, where the dependencies are found. */
const PROJECT = join(ROOT, `node_modules/.cache/bundling-${process.pid}`);

const HANDLER = `
import { PartnerClient } from 'partner-sdk';
const client = new PartnerClient();
console.log((await client.users.get(process.argv[2])).id);
await client.close();
`;

const commands = blocksIn('docs/bundling.md', readDocument('docs/bundling.md')).map(({ code }) => code);

beforeAll(async () => {
  const installed = join(PROJECT, 'node_modules/partner-sdk');
  await mkdir(installed, { recursive: true });
  await build({
    entryPoints: { index: join(ROOT, 'src/index.ts') },
    outdir: installed,
    bundle: true,
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
  });
  await writeFile(
    join(installed, 'package.json'),
    '{"name": "partner-sdk", "type": "module", "exports": "./index.js"}',
  );
  // Else its scope would be this package's, and `partner-sdk` what was last built.
  await writeFile(join(PROJECT, 'package.json'), '{"private": true}');
  await writeFile(join(PROJECT, 'handler.ts'), HANDLER);
  await mkdir(join(PROJECT, 'node_modules/.bin'));
  await symlink(join(ROOT, 'node_modules/esbuild/bin/esbuild'), join(PROJECT, 'node_modules/.bin/esbuild'));
});
afterAll(() => rm(PROJECT, { recursive: true, force: true }));

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  promisify(execFile)(program, args, { cwd: PROJECT, env });

/** Makes a bundle by the command and runs it. Returns what it prints. */
async function bundled(command: string): Promise<string> {
  await run('bash', ['--norc', '-euo', 'pipefail', '-c', command.replace('npx esbuild', 'node_modules/.bin/esbuild')]);
  await using sandbox = createSandbox();
  const { url } = await sandbox.listen();
  const { apiKey, apiSecret } = sandbox.credentials;
  const env = { ...process.env, PARTNER_BASE_URL: url, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret };
  const { stdout } = await run(process.execPath, ['handler.mjs', sandbox.fixtures.userId], env);
  expect(stdout.trim()).toBe(sandbox.fixtures.userId);
  return stdout;
}

describe('a bundle of docs/bundling.md', () => {
  it.each(commands)('starts and calls the service: %s', async (command) => {
    expect(await bundled(command)).not.toBe('');
  });

  it('is as large as the document says, within 5 %', async () => {
    const [, said] = /Minified with esbuild [\d.]+ this is ([\d.]+) MB/.exec(readDocument('docs/bundling.md')) ?? [];
    await bundled(commands[0] ?? '');
    const { size } = await stat(join(PROJECT, 'handler.mjs'));
    expect(size / (Number(said) * 1e6)).toBeGreaterThan(0.95);
    expect(size / (Number(said) * 1e6)).toBeLessThan(1.05);
  });

  it('as ESM without a require does not start', async () => {
    const [command = ''] = commands;
    // Minified, Node would print all of it as the line that fails.
    const bare = command.replace(/ \\\n.*$/s, '').replace(' --minify', '');
    expect(bare).not.toContain('createRequire');
    await expect(bundled(bare)).rejects.toThrow('Dynamic require of "node:assert" is not supported');
  });
});
