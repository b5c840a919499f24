import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startListening } from './support/command.js';
import { directory } from './support/directory.js';

/** A folder with a program of this name that notes its words, and ends with a code. */
async function opener(code: number): Promise<{ readonly PATH: string; readonly noted: () => string }> {
  const folder = await directory();
  const [program, note] = [join(folder, 'xdg-open'), join(folder, 'opened')];
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$*" > '${note}'\nexit ${code}\n`);
  chmodSync(program, 0o755);
  return { PATH: `${folder}:/usr/bin:/bin`, noted: () => (existsSync(note) ? readFileSync(note, 'utf8') : '') };
}

test('it says where its page is', async () => {
  const command = await startListening();
  const page = `${command.variable('PARTNER_BASE_URL')}/_sandbox/`;
  expect(command.lines[1]).toBe(`# inspector ${page}`);
  expect((await fetch(page)).headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test.runIf(process.platform === 'linux').each([
  { words: ['--open'], more: {} },
  { words: [], more: { PARTNER_SANDBOX_OPEN: '1' } },
])('$words $more opens the page in the browser', async ({ words, more }) => {
  const { PATH, noted } = await opener(0);
  const command = await startListening(words, { PATH, ...more });
  await expect.poll(noted).toBe(`${command.variable('PARTNER_BASE_URL')}/_sandbox/`);
  expect(command.stderr).toBe('');
});

test.runIf(process.platform === 'linux').each([
  ['fails', async () => (await opener(3)).PATH, 'xdg-open exited with 3'],
  ['is not there', directory, 'spawn xdg-open ENOENT'],
])('a browser that %s is one line, and the sandbox goes on', async (_, path, why) => {
  const command = await startListening(['--open'], { PATH: await path() });
  const page = `${command.variable('PARTNER_BASE_URL')}/_sandbox/`;
  const line = `partner-sandbox: the browser cannot be opened (${why}): open ${page} yourself\n`;
  await expect.poll(() => command.stderr).toBe(line);
  expect((await fetch(page)).status).toBe(200);
});
