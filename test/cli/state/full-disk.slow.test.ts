import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answering, Receiver } from '../../sandbox/webhooks/support/receiver.js';
import { program } from '../../support/processes/program.js';
import { call, offerQuote } from '../support/caller.js';
import { control, end, type RunningCommand, startListening } from '../support/command.js';
import { directory } from '../support/directory.js';

const hasLimits = spawnSync('prlimit', ['--version']).status === 0;

/** No file of the process may be longer, as on a disk that is full. */
function limitFiles({ child }: RunningCommand, bytes: number | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`]);
  if (status !== 0) throw new Error(String(stderr));
}

/** While it is there, the state cannot be saved as a whole. */
const blocker = (state: string): string => join(`${state}.tmp`, 'folder');

const unblock = (state: string): Promise<void> => rm(`${state}.tmp`, { recursive: true });

async function quotesOf(command: RunningCommand): Promise<number> {
  const answer = await control(command, 'resources/list', ['quotes', { account: command.fixture('accountId') }]);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: object[] }).data.length;
}

/** A read of the API. */
function quote(command: RunningCommand, nonce: bigint): Promise<Response> {
  const path = `/v1/accounts/${command.fixture('accountId')}/quotes/${command.fixture('quoteId')}`;
  return call(command, { path, nonce });
}

const deposit = (command: RunningCommand): Promise<Response> =>
  control(command, 'accounts/deposit', [command.fixture('accountId'), { symbol: 'USD', amount: '10' }]);

async function deposited(command: RunningCommand): Promise<number> {
  const answer = await fetch(`${command.variable('PARTNER_BASE_URL')}/_sandbox/accounts/books`);
  const { data } = (await answer.json()) as { data: { outside: Record<string, string> } };
  return -Number(data.outside['fiat:USD'] ?? '0');
}

test.skipIf(!hasLimits)(
  'on a full disk a write gets 500 and is undone, further ones get 503, reads go on; with space, all goes on',
  async () => {
    const state = join(await directory(), 'state.json');
    const command = await startListening(['--state', state]);
    await mkdir(blocker(state), { recursive: true });
    expect((await offerQuote(command, 1n, randomUUID())).status).toBe(200);
    const count = await quotesOf(command);
    const text = await readFile(`${state}.log`, 'utf8');
    // A part of the next line has space.
    limitFiles(command, text.length + 100);
    const key = randomUUID();
    const refused = await offerQuote(command, 3n, key);
    expect([refused.status, await refused.json()]).toMatchObject([500, { error: { code: 'internal' } }]);
    const later = await offerQuote(command, 4n, key);
    expect([later.status, later.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await deposit(command)).status).toBe(503);
    expect(await quotesOf(command)).toBe(count);
    expect((await quote(command, 5n)).status).toBe(200);
    expect((await control(command, 'clock/now', [])).status).toBe(200);
    expect(await readFile(`${state}.log`, 'utf8')).toBe(text);
    // Now the disk is full for the state, too.
    await unblock(state);
    await expect.poll(() => command.stderr).toContain('the state cannot be saved in');
    await expect.poll(() => command.stderr).toContain('EFBIG');
    expect((await offerQuote(command, 6n, key)).status).toBe(503);

    limitFiles(command, 'unlimited');
    let nonce = 10n;
    await expect.poll(async () => (await offerQuote(command, nonce++, key)).status).toBe(200);
    expect(await quotesOf(command)).toBe(count + 1);
    command.kill('SIGKILL');
    await command.ended();
    const next = await startListening(['--state', state]);
    expect(await quotesOf(next)).toBe(count + 1);
    expect((await offerQuote(next, nonce++, key)).headers.get('idempotent-replayed')).toBe('true');
  },
);

test.skipIf(!hasLimits)('what a webhook is sent on request is refused as other writes on a full disk', async () => {
  const state = join(await directory(), 'state.json');
  const command = await startListening(['--state', state, '--webhook', 'http://127.0.0.1:9/']);
  const { data } = (await (await call(command, { path: '/v1/webhooks', nonce: 1n })).json()) as {
    data: { id: string; url: string }[];
  };
  const id = data.find(({ url }) => url.startsWith('http://127.0.0.1'))?.id;
  const send = (nonce: bigint) => call(command, { method: 'POST', path: `/v1/webhooks/${id}/test`, nonce });
  expect((await send(2n)).status).toBe(200);
  const listed = await control(command, 'webhooks/listDeliveries', []);
  const deliveries = ((await listed.json()) as { data: { id: string }[] }).data;
  await mkdir(blocker(state), { recursive: true });
  limitFiles(command, 10);
  expect((await send(3n)).status).toBe(500);
  expect((await send(4n)).status).toBe(503);
  expect((await control(command, 'webhooks/redeliver', [deliveries[0]?.id])).status).toBe(503);
  expect((await control(command, 'webhooks/retryFailed', [])).status).toBe(503);
});

/** A sandbox on a disk that the test holds and breaks. */
async function startOnDisk(args: readonly string[] = []) {
  const folder = await directory();
  const [state, disk] = [join(folder, 'state.json'), join(folder, 'disk')];
  const preload = new URL(`file://${program('test/cli/support/held-disk.ts')}`).href;
  const variables = { DISK: disk, NODE_OPTIONS: `--import ${preload}` };
  const command = await startListening(['--state', state, '--durable', ...args], variables);
  const set = (name: 'held' | 'broken') => writeFile(`${disk}.${name}`, '');
  const unset = (name: 'held' | 'broken') => rm(`${disk}.${name}`);
  const syncs = async () => (await readFile(`${disk}.syncs`, 'utf8').catch(() => '')).split('\n').length - 1;
  return { state, command, set, unset, syncs };
}

const linesOf = async (state: string): Promise<number> => (await readFile(`${state}.log`, 'utf8')).split('\n').length;

test('with --durable, answers wait until their changes are on the disk, many for one sync', async () => {
  const { state, command, set, unset, syncs } = await startOnDisk();
  await mkdir(blocker(state), { recursive: true });
  const [begun, lines] = [await syncs(), await linesOf(state)];
  await set('held');
  let answered = 0;
  const send = (): Promise<Response> =>
    deposit(command).finally(() => {
      answered += 1;
    });
  const first = send();
  await expect.poll(syncs).toBe(begun + 1);
  const others = Array.from({ length: 20 }, send);
  await expect.poll(() => linesOf(state)).toBe(lines + 21);
  // What tells of a change waits for it, too.
  const read = quote(command, 1n);
  expect(answered).toBe(0);
  expect(await Promise.race([read, sleep(200)])).toBeUndefined();
  await unset('held');
  for (const answer of await Promise.all([first, ...others, read])) expect(answer.status).toBe(200);
  expect(await syncs()).toBe(begun + 2);
});

test('what a broken disk does not keep with --durable is undone, with all that came after it', async () => {
  const { state, command, set, unset } = await startOnDisk();
  await mkdir(blocker(state), { recursive: true });
  expect((await deposit(command)).status).toBe(200);
  const [before, lines] = [await deposited(command), await linesOf(state)];
  await set('held');
  const sent = Array.from({ length: 5 }, () => deposit(command));
  await expect.poll(() => linesOf(state)).toBe(lines + 5);
  await set('broken');
  await unset('held');
  for (const answer of await Promise.all(sent)) expect(answer.status).toBe(500);
  expect([await deposited(command), await linesOf(state)]).toEqual([before, lines]);
  expect((await deposit(command)).status).toBe(503);
  await unset('broken');
  expect((await deposit(command)).status).toBe(503);
  await unblock(state);
  await expect.poll(async () => (await deposit(command)).status).toBe(200);
  command.kill('SIGKILL');
  await command.ended();
  expect(await deposited(await startListening(['--state', state, '--durable']))).toBe(before + 10);
});

test('with --durable a change that the saved state has is kept, though its own sync fails', async () => {
  const { state, command, set, unset } = await startOnDisk();
  const before = await deposited(command);
  await set('held');
  const sent = deposit(command);
  await expect.poll(async () => (await readFile(state, 'utf8')).includes(`"fiat:USD","-${before + 10}`)).toBe(true);
  await expect.poll(() => linesOf(state)).toBe(2);
  await set('broken');
  await unset('held');
  expect((await sent).status).toBe(200);
  await end(command);
  expect(await deposited(await startListening(['--state', state, '--durable']))).toBe(before + 10);
});

test('with --durable no webhook tells of a change before it is safe, and none of one that is undone', async () => {
  const receiver = await Receiver.open(answering(204));
  const { state, command, set, unset } = await startOnDisk(['--webhook', receiver.url]);
  await mkdir(blocker(state), { recursive: true });
  await set('held');
  const undone = deposit(command);
  expect(await Promise.race([undone, sleep(300)])).toBeUndefined();
  expect(receiver.received).toEqual([]);
  await set('broken');
  await unset('held');
  expect((await undone).status).toBe(500);
  await unset('broken');
  await unblock(state);
  await expect.poll(async () => (await deposit(command)).status).toBe(200);
  await expect.poll(() => receiver.received.length).toBe(1);
  await sleep(300);
  expect(receiver.received).toHaveLength(1);
});
