import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PATIENCE } from '../sandbox/support/partner.js';
import { control, end, type RunningCommand, startListening } from './support/command.js';
import { directory } from './support/directory.js';

test('what the control plane changes is a line, and is saved while it runs', async () => {
  const state = join(await directory(), 'state.json');
  const command = await startListening(['--state', state]);
  await control(command, 'wallets/rejectAddress', ['an-address-of-mine']);
  await expect.poll(() => readFile(state, 'utf8'), PATIENCE).toContain('an-address-of-mine');
  await command.until(({ lines }) => /^\S+Z +control wallets\.rejectAddress +200$/.test(lines.at(-1) ?? ''));
  await control(command, 'accounts/convert', ['no-such\naccount', {}]);
  await command.until(({ lines }) =>
    /^\S+Z +control accounts\.convert +400 {2}accounts\.convert: .+$/.test(lines.at(-1) ?? ''),
  );
});

test('--still: the clock moves by the control plane alone, also after a restart', async () => {
  const state = join(await directory(), 'state.json');
  const first = await startListening(['--still', '--state', state]);
  const now = async (command: RunningCommand): Promise<number> => {
    const answer = await fetch(`${command.variable('PARTNER_BASE_URL')}/_sandbox/clock/now`);
    return ((await answer.json()) as { data: number }).data;
  };
  const began = await now(first);
  await control(first, 'clock/advance', [60_000]);
  expect(await now(first)).toBe(began + 60_000);
  await end(first);
  expect(await now(await startListening(['--still', '--state', state]))).toBe(began + 60_000);
});
