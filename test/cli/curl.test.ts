import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bash } from './support/bash.js';
import { startListening } from './support/command.js';
import { directory } from './support/directory.js';

const guide = readFileSync(new URL('../../docs/sandbox/sandbox-command.md', import.meta.url), 'utf8');
const [, example = ''] = /<!-- curl: begin -->\s*```bash\n(.*?)```\s*<!-- curl: end -->/s.exec(guide) ?? [];

test('curl and openssl alone call the sandbox: the example of docs/sandbox/sandbox-command.md, run twice', {
  timeout: 60_000,
}, async () => {
  const command = await startListening();
  const cwd = await directory();
  await writeFile(join(cwd, 'sandbox.log'), command.stdout);
  const run = () => promisify(execFile)(...bash('-euo', 'pipefail', '-c', example), { cwd });
  const { stdout, stderr } = await run();
  expect(stderr).toBe('');
  const [conversions, quote] = stdout
    .split('}{')
    .map((text, index) => JSON.parse(index === 0 ? `${text}}` : `{${text}`));
  expect(conversions.data).toHaveLength(1);
  expect(quote.data).toMatchObject({ status: 'offered', from: { amount: '100.00' } });
  // A later nonce, the same key: it has happened once.
  expect((await run()).stdout).toBe(stdout);
  await command.until(({ lines }) => / accounts\.quotes\.create +200 replayed /.test(lines.at(-1) ?? ''));
});
