import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { PATIENCE } from '../../sandbox/support/partner.js';
import { call, offerQuote } from '../support/caller.js';
import { complaint, control, end, runToEnd, startListening } from '../support/command.js';
import { directory } from '../support/directory.js';

const NO_STATE = /^partner-sandbox: ".*state\.json" is not a state of a sandbox \(.+\): choose another file .*\n$/;

test('everything survives SIGTERM: credentials, ids, nonces, remembered keys, what was written', async () => {
  const state = join(await directory(), 'state.json');
  const first = await startListening(['--state', state, '--seed', '7']);
  const key = randomUUID();
  const { data: quote } = (await (await offerQuote(first, 100n, key)).json()) as { data: { id: string } };
  await end(first, 'SIGTERM');

  const second = await startListening(['--state', state]);
  for (const name of ['PARTNER_API_KEY', 'PARTNER_API_SECRET'] as const) {
    expect(second.variable(name)).toBe(first.variable(name));
  }
  expect(second.fixture('accountId')).toBe(first.fixture('accountId'));
  expect((await call(second, { path: '/v1/webhooks', nonce: 100n })).status).toBe(401);
  const replayed = await offerQuote(second, 101n, key);
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(await replayed.json()).toMatchObject({ data: { id: quote.id } });
  const path = `/v1/accounts/${second.fixture('accountId')}/quotes/${quote.id}`;
  expect((await call(second, { path, nonce: 102n })).status).toBe(200);
});

test('a kill loses the last second alone', async () => {
  const state = join(await directory(), 'state.json');
  const first = await startListening(['--state', state]);
  const [kept, lost] = [randomUUID(), randomUUID()];
  await offerQuote(first, 100n, kept);
  await sleep(1_500);
  await offerQuote(first, 200n, lost);
  first.kill('SIGKILL');
  await first.ended();

  // The lock of the killed process is taken over.
  const second = await startListening(['--state', state]);
  const isReplayed = async (nonce: bigint, key: string): Promise<boolean> => {
    const { status, headers } = await offerQuote(second, nonce, key);
    expect(status).toBe(200);
    return headers.has('idempotent-replayed');
  };
  expect((await call(second, { path: '/v1/webhooks', nonce: 100n })).status).toBe(401);
  expect(await isReplayed(101n, kept)).toBe(true);
  expect(await isReplayed(102n, lost)).toBe(false);
});

/** Later than the save after the request. */
const TIMER_MS = 3_000;

test('what a timer has changed is saved, too', async () => {
  const state = join(await directory(), 'state.json');
  const executionTimes = { 'conversion.settle': TIMER_MS, 'conversion.complete': TIMER_MS };
  const command = await startListening(['--state', state, '--set', JSON.stringify({ executionTimes })]);
  const conversion = {
    from: { type: 'balance', symbol: 'BTC', amount: '0.001' },
    to: { type: 'bank', symbol: 'USD' },
  };
  const answer = await control(command, 'accounts/convert', [command.fixture('accountId'), conversion]);
  const { data } = (await answer.json()) as { data: { id: string } };
  const isDue = async () => JSON.stringify(JSON.parse(await readFile(state, 'utf8')).clock.agenda).includes(data.id);
  await expect.poll(isDue, PATIENCE).toBe(true);
  await expect.poll(isDue, PATIENCE).toBe(false);
});

test('the file is there as soon as it listens, for nobody else to read, and a program can go on from it', async () => {
  const state = join(await directory(), 'state.json');
  const command = await startListening(['--state', state, '--seed', '9']);
  expect(command.stdout).toContain(`# Its state is saved in ${state}.`);
  expect((await stat(state)).mode & 0o777).toBe(0o600);
  await using sandbox = createSandbox({ snapshot: JSON.parse(await readFile(state, 'utf8')) });
  expect(sandbox.credentials.apiKey).toBe(command.variable('PARTNER_API_KEY'));
});

test('nothing else is left beside the file', async () => {
  const folder = await directory();
  await writeFile(join(folder, 'state.json.tmp'), 'left by a crash', { mode: 0o644 });
  const command = await startListening(['--state', join(folder, 'state.json')]);
  await end(command);
  expect(await readdir(folder)).toEqual(['state.json']);
  expect((await stat(join(folder, 'state.json'))).mode & 0o777).toBe(0o600);
});

test('a link stays a link to the file', async () => {
  const folder = await directory();
  await writeFile(join(folder, 'real.json'), JSON.stringify(createSandbox({ seed: 3 }).snapshot()));
  await symlink('real.json', join(folder, 'link.json'));
  await end(await startListening(['--state', join(folder, 'link.json')]));
  expect(await realpath(join(folder, 'link.json'))).toBe(await realpath(join(folder, 'real.json')));
});

const snapshot = JSON.stringify(createSandbox({ seed: 1 }).snapshot());

test.each([
  ['no JSON', 'seed: 1\n'],
  ['truncated', snapshot.slice(0, 5_000)],
  ['null', 'null'],
  ['a list', '[]'],
  ['of another program', '{"name":"my-app","version":1}'],
  ['of a later version', snapshot.replace('"version":1', '"version":2')],
  ['without its keys', snapshot.replace('"keys":', '"keyz":')],
])('a state file that is %s is one clear line, and stays as it is', async (_, content) => {
  const folder = await directory();
  const state = join(folder, 'state.json');
  await writeFile(state, content);
  expect(await complaint(['--port', '0', '--state', state])).toMatch(NO_STATE);
  expect(await readFile(state, 'utf8')).toBe(content);
  expect(await readdir(folder)).toEqual(['state.json']);
});

test.each([
  ['name of a fixture', '"fixtures":{', '"fixtures":{"x\\nexport EVIL=$(exit 3)\\n#":"x",'],
  ['API key', '"apiKey":"', '"apiKey":"x\\nexport EVIL=$(exit 3)\\n'],
])('a state file puts no line of its own, as the %s, among those for a shell', async (_, member, forged) => {
  const state = join(await directory(), 'state.json');
  expect(snapshot).toContain(member);
  const edited = snapshot.replace(member, () => forged);
  await writeFile(state, edited);
  expect(await complaint(['--port', '0', '--state', state])).toMatch(NO_STATE);
});

test('another seed than that of the state is one clear line, the same seed is fine', async () => {
  const state = join(await directory(), 'state.json');
  await writeFile(state, snapshot);
  const stderr = await complaint(['--port', '0', '--state', state, '--seed', '2']);
  expect(stderr).toMatch(/^partner-sandbox: ".*" has the seed 1, not 2: leave out --seed, or choose another file\n$/);
  expect(await readFile(state, 'utf8')).toBe(snapshot);
  await end(await startListening(['--state', state, '--seed', '1']));
});

test.each([
  ['a folder', '.'],
  ['in a folder that is not there', 'nowhere/state.json'],
  ['below a file', 'file/state.json'],
])('a state file that cannot be, %s, is one clear line', async (_, name) => {
  const folder = await directory();
  await writeFile(join(folder, 'file'), '');
  const stderr = await complaint(['--port', '0', '--state', join(folder, name)]);
  expect(stderr).toMatch(/^partner-sandbox: .*state.*\n$/);
  expect(stderr.split('\n')).toHaveLength(2);
});

test('a second sandbox on the same state is refused while the first runs, and starts after it', async () => {
  const state = join(await directory(), 'state.json');
  const first = await startListening(['--state', state]);
  const stderr = await complaint(['--port', '0', '--state', state]);
  expect(stderr).toMatch(
    new RegExp(`^partner-sandbox: the state is in use by process ${first.child.pid}: .*\\.lock" .*\n$`),
  );
  await end(first);
  await end(await startListening(['--state', state]));
});

test('a lock that names no process is refused, and stays', async () => {
  const state = join(await directory(), 'state.json');
  await writeFile(`${state}.lock`, 'a file of mine');
  const stderr = await complaint(['--port', '0', '--state', state]);
  expect(stderr).toMatch(/^partner-sandbox: the state is in use by another process: .*\.lock" if it is not a .*\n$/);
  expect(await readFile(`${state}.lock`, 'utf8')).toBe('a file of mine');
});

test.each(['', '\n'])('a state file that is empty, as %j, is as good as none', async (content) => {
  const state = join(await directory(), 'state.json');
  await writeFile(state, content, { mode: 0o600 });
  const command = await startListening(['--state', state]);
  expect(JSON.parse(await readFile(state, 'utf8'))).toMatchObject({ format: 'partner-sandbox' });
  await end(command);
});

test('a taken port leaves no state file behind', async () => {
  const folder = await directory();
  const blocker = await startListening();
  const { port } = new URL(blocker.variable('PARTNER_BASE_URL'));
  expect((await runToEnd(['--port', port, '--state', join(folder, 'state.json')])).code).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test('when it can no longer save, it says so, goes on serving, and fails at the end', async () => {
  const folder = await directory();
  const state = join(folder, 'state.json');
  const command = await startListening(['--state', state]);
  // No file can take the place of a folder: not even for root.
  await unlink(state);
  await mkdir(join(state, 'full'), { recursive: true });
  await call(command, { path: '/v1/webhooks', nonce: 1n });
  await expect.poll(() => command.stderr).toMatch(/^partner-sandbox: the state cannot be saved in .*\n$/);
  expect((await call(command, { path: '/v1/webhooks', nonce: 2n })).status).toBe(200);
  command.kill('SIGINT');
  expect((await command.ended()).code).toBe(1);
  expect(command.stderr.trim().split('\n').at(-1)).toContain('the state cannot be saved in');
});
