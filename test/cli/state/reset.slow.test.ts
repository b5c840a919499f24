import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, type RegisteredWebhook, type SandboxSnapshot } from '../../../src/sandbox/index.js';
import { verifyWebhook } from '../../../src/webhooks/index.js';
import { answering, Receiver } from '../../sandbox/webhooks/support/receiver.js';
import { call } from '../support/caller.js';
import { control, end, type RunningCommand, startListening } from '../support/command.js';
import { directory } from '../support/directory.js';

async function read<Member>(command: RunningCommand, member: string): Promise<Member> {
  const answer = await fetch(`${command.variable('PARTNER_BASE_URL')}/_sandbox/${member}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: Member }).data;
}

async function post<Result>(command: RunningCommand, method: string, ...args: readonly unknown[]): Promise<Result> {
  const answer = await control(command, method, args);
  const { data, error } = (await answer.json()) as { data: Result; error?: object };
  expect(error).toBeUndefined();
  return data;
}

/** The addresses of webhooks on this machine. */
async function urls(command: RunningCommand): Promise<string[]> {
  const webhooks = await read<{ url: string }[]>(command, 'webhooks');
  return webhooks.map(({ url }) => url).filter((url) => url.startsWith('http://127.0.0.1'));
}

/** Members that the options of the command decide. */
const MEMBERS = [
  ...['webhooks', 'troubles', 'settings', 'otp', 'users', 'keys'],
  ...['fixtures', 'credentials', 'books/check'],
] as const;

test('after a reset every option of the command holds as at the start', async () => {
  const users = join(await directory(), 'users.json');
  await writeFile(users, JSON.stringify([{ external_reference: 'mine', balances: { BTC: '2' } }]));
  const command = await startListening([
    ...['--still', '--webhook', 'http://127.0.0.1:9/hook', '--fixtures', users],
    ...['--trouble', '{"does": "chaos", "probability": 0.3}', '--trouble', '{"does": {"delayMs": [1, 2]}}'],
    ...['--set', '{"quota": {"requests": 1000, "perMs": 60000}, "executionTimes": {"quote.finish": 60000}}'],
    ...['--set', '{"otp": "271828", "scopes": ["read", "trade"]}'],
  ]);
  const members = async (): Promise<object> => {
    const all = await Promise.all(MEMBERS.map(async (name) => [name, await read(command, name)]));
    // The machine's time of a trouble is its own.
    return JSON.parse(JSON.stringify(all, (name, value) => (name === 'real' ? undefined : value)));
  };
  const before = await members();
  for (const { id } of await read<{ id: string }[]>(command, 'webhooks')) await post(command, 'webhooks/remove', id);
  await post(command, 'troubles/clear');
  await post(command, 'users/add', { external_reference: 'other' });
  for (let time = 0; time < 2; time++) {
    await post(command, 'reset');
    expect(await members()).toEqual(before);
  }
});

test('after a reset the webhook has the secret that the command has printed', async () => {
  const { url, received } = await Receiver.open(answering(204));
  const command = await startListening(['--webhook', url]);
  await post(command, 'reset');
  await post(command, 'webhooks/trigger', 'quote.executed');
  await expect.poll(() => received.length).toBe(1);
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  const event = verifyWebhook({ body, headers, secret: command.variable('PARTNER_WEBHOOK_SECRET') });
  expect(event.type).toBe('quote.executed');
});

test('with --state a reset goes back to the state of the start, with the webhook of this run', async () => {
  const state = join(await directory(), 'state.json');
  const first = await startListening(['--state', state, '--webhook', 'http://127.0.0.1:9/before']);
  await post(first, 'users/add', { external_reference: 'earlier' });
  await end(first);

  const second = await startListening(['--state', state, '--webhook', 'http://127.0.0.1:9/after']);
  await post(second, 'users/add', { external_reference: 'later' });
  await post(second, 'reset');
  expect(await urls(second)).toEqual(['http://127.0.0.1:9/after']);
  const users = await read<{ external_reference: string }[]>(second, 'users');
  const references = users.map(({ external_reference }) => external_reference);
  expect(references).toContain('earlier');
  expect(references).not.toContain('later');
});

test('a reset of an old state goes on at the present time', async () => {
  const state = join(await directory(), 'state.json');
  await using sandbox = createSandbox();
  // Its clock stands months before today.
  await writeFile(state, JSON.stringify(sandbox.snapshot()));
  const command = await startListening(['--state', state]);
  await post(command, 'reset');
  expect(Math.abs((await read<number>(command, 'clock/now')) - Date.now())).toBeLessThan(60_000);
});

test('a reset and a restore are saved while it runs, with the webhook', async () => {
  const state = join(await directory(), 'state.json');
  type Saved = SandboxSnapshot & { readonly users: object[]; readonly commandWebhook: RegisteredWebhook };
  const saved = async (): Promise<Saved> => JSON.parse(await readFile(state, 'utf8'));
  const isSaved = async (reference: string) => JSON.stringify((await saved())['records']).includes(reference);
  const command = await startListening(['--state', state, '--webhook', 'http://127.0.0.1:9/hook']);
  const { commandWebhook } = await saved();
  await post(command, 'users/add', { external_reference: 'written' });
  const snapshot = await read(command, 'snapshot');
  expect(await isSaved('written')).toBe(true);

  await post(command, 'reset');
  await expect.poll(() => isSaved('written')).toBe(false);
  const { id, url, signing_secret } = commandWebhook;
  expect((await saved()).commandWebhook).toMatchObject({ id, url, signing_secret });

  await post(command, 'restore', snapshot);
  await expect.poll(() => isSaved('written')).toBe(true);
  command.kill('SIGKILL');
  await command.ended();
  const next = await startListening(['--state', state]);
  expect(next.variable('PARTNER_WEBHOOK_SECRET')).toBe(signing_secret);
  expect(await urls(next)).toEqual(['http://127.0.0.1:9/hook']);
  expect((await call(next, { path: '/v1/webhooks', nonce: 100n })).status).toBe(200);
});
