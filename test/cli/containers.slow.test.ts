import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from './support/caller.js';
import { control, start, startListening } from './support/command.js';
import { directory } from './support/directory.js';

/** As a container does it: each process is the first of its own world and sees no other. */
const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const;
const hasContainers = spawnSync(CONTAINER[0], [...CONTAINER.slice(1), 'true']).status === 0;

test.skipIf(!hasContainers)(
  'of two containers on one volume the second is refused, and nothing of the first is lost (needs unshare and its rights)',
  { timeout: 60_000 },
  async () => {
    const state = join(await directory(), 'state.json');
    const words = ['--port', '0', '--state', state];
    const first = start(words, {}, CONTAINER);
    await first.until(({ lines }) => lines.length > 0);
    const second = start(words, {}, CONTAINER);
    expect(await second.ended()).toEqual({ code: 1, signal: null });
    expect(second.stdout).toBe('');
    expect(second.stderr).toMatch(/the state is in use by .* in another container: end that one/);
    await control(first, 'wallets/rejectAddress', ['of the first']);
    await expect.poll(() => readFileSync(state, 'utf8')).toContain('of the first');
  },
);

test('a sandbox whose state another has taken over ends, says so, and undoes nothing of the other', async () => {
  const state = join(await directory(), 'state.json');
  const command = await startListening(['--state', state]);
  writeFileSync(`${state}.lock`, '1 of-another elsewhere\n');
  writeFileSync(state, 'what the other has saved');
  await call(command, { path: '/v1/webhooks', nonce: 1n });
  expect(await command.ended()).toEqual({ code: 1, signal: null });
  expect(command.stderr).toMatch(
    /^partner-sandbox: another sandbox has taken over ".*state\.json": this one ends, .*\n$/,
  );
  expect(readFileSync(state, 'utf8')).toBe('what the other has saved');
  expect(readFileSync(`${state}.lock`, 'utf8')).toBe('1 of-another elsewhere\n');
});
