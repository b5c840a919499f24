import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { bash } from './support/bash.js';
import { call, offerQuote } from './support/caller.js';
import { COMMAND, end, start, startListening } from './support/command.js';
import { directory } from './support/directory.js';

const isRefused = (url: string): Promise<boolean> =>
  fetch(url)
    .then(() => false)
    .catch(() => true);

test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s ends it well, with idle connections open',
  async (signal) => {
    const command = await startListening();
    await (await call(command, { path: '/v1/webhooks', nonce: 1n })).json();
    await end(command, signal);
    expect(command.stderr).toBe('');
    expect(command.lines.at(-1)).toBe(`# stopped: ${signal}`);
  },
);

test('it does not wait for answers that are held back, and what these requests have done is saved', async () => {
  const file = join(await directory(), 'state.json');
  const command = await startListening(['--trouble', '{"does": {"delayMs": 600000}}', '--state', file]);
  const key = randomUUID();
  const held = offerQuote(command, 1n, key);
  await command.until(({ stdout }) => stdout.includes('accounts.quotes.create'));
  command.kill('SIGINT');
  await expect(held).rejects.toThrow();
  expect(await command.ended()).toEqual({ code: 0, signal: null });
  expect(readFileSync(file, 'utf8')).toContain(key);
});

test.each([[[]], [['--json']], [['--verbose']]])(
  'a signal ends it within seconds, although nobody reads its output: %j',
  async (words) => {
    const command = await startListening(words);
    const url = command.variable('PARTNER_BASE_URL');
    command.child.stdout.pause();
    // More than a pipe and the buffers of both sides take.
    for (let count = 0; count < 60; count += 1)
      await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/${'x'.repeat(1000)}`)));
    const exited = once(command.child, 'exit');
    command.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);

test('a signal that follows at once, as npx sends it, is the same Ctrl-C', async () => {
  // While it saves; and two of the same kind might arrive as one.
  const command = await startListening(['--state', join(await directory(), 'state.json')]);
  command.kill('SIGINT');
  command.kill('SIGTERM');
  expect(await command.ended()).toEqual({ code: 0, signal: null });
});

test.each<[NodeJS.Signals, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('a second %s ends it at once, though the output waits for a reader', async (signal, code) => {
  const state = join(await directory(), 'state.json');
  const command = await startListening(['--verbose', '--state', state]);
  const url = command.variable('PARTNER_BASE_URL');
  command.child.stdout.pause();
  // More than a pipe and the buffers of both sides take.
  for (let count = 0; count < 400; count += 1) await fetch(`${url}/${'x'.repeat(1000)}`);
  command.kill(signal);
  await expect.poll(() => isRefused(url)).toBe(true);
  // It has ended but for its output.
  await sleep(500);
  expect(command.child.exitCode).toBeNull();
  command.kill(signal);
  await expect.poll(() => command.child.exitCode).toBe(code);
  expect(existsSync(`${state}.lock`)).toBe(false);
  command.child.stdout.resume();
});

test('with head behind it, the shell gets the first line and no complaint', async () => {
  const words = [...COMMAND, '--port', '0'].map((text) => `'${text}'`).join(' ');
  const script = `set -o pipefail; { ${words}; echo "code $?" >&2; } | { head -1; }`;
  const shell = spawn(...bash('-c', script), { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  onTestFinished(() => {
    if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
  });
  let [line, complaints] = ['', ''];
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    line += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  await expect.poll(() => line).toContain('\n');
  const [, url = ''] = /^# partner-sandbox \S+ listens on (\S+) \(press Ctrl-C to stop it\)\n$/.exec(line) ?? [];
  expect(url).not.toBe('');
  // Nothing is asked of it: no further line is written.
  await expect.poll(() => complaints).toMatch(/code \d+\n$/);
  expect(complaints).toBe('partner-sandbox: nobody reads the output any more\ncode 0\n');
});

test('a signal while it still starts ends it well, too', async () => {
  const state = join(await directory(), 'state.json');
  const command = start(['--port', '0', '--state', state]);
  // The first thing that it does, long before it listens.
  await expect.poll(() => existsSync(`${state}.lock`), { interval: 1 }).toBe(true);
  await end(command);
  expect(existsSync(`${state}.lock`)).toBe(false);
});

test('an error that nobody expected is one line, and leaves no lock behind', async () => {
  const state = join(await directory(), 'state.json');
  // As soon as it is under way.
  const bug = `import { existsSync } from 'node:fs';
    setInterval(() => { if (existsSync(${JSON.stringify(`${state}.lock`)})) throw new Error('a bug\\nin two lines'); }, 5)`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(bug)}`;
  const command = start(['--port', '0', '--state', state], { NODE_OPTIONS });
  expect(await command.ended()).toEqual({ code: 1, signal: null });
  expect(command.stderr).toBe('partner-sandbox: a bug\\u000ain two lines\n');
  expect(existsSync(`${state}.lock`)).toBe(false);
});
