import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, offerQuote } from '../support/caller.js';
import { complaint, control, end, type RunningCommand, startListening } from '../support/command.js';
import { directory } from '../support/directory.js';

/** While it is there, the state cannot be saved as a whole: all changes stay in the log. */
const blocker = (state: string): string => join(`${state}.tmp`, 'folder');

const wholeLines = async (log: string): Promise<string[]> => (await readFile(log, 'utf8')).split('\n').slice(0, -1);

async function quoteId(answer: Response): Promise<string> {
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

async function statusOf(command: RunningCommand, quote: string, nonce: bigint): Promise<number> {
  const path = `/v1/accounts/${command.fixture('accountId')}/quotes/${quote}`;
  return (await call(command, { path, nonce })).status;
}

async function kill(command: RunningCommand): Promise<void> {
  command.kill('SIGKILL');
  await command.ended();
}

/** Leaves a state whose log has a line for each of three quotes. */
async function leaveLog(words: readonly string[] = []) {
  const state = join(await directory(), 'state.json');
  const command = await startListening(['--state', state, ...words]);
  await mkdir(blocker(state), { recursive: true });
  const quotes: string[] = [];
  for (const nonce of [1n, 2n, 3n]) quotes.push(await quoteId(await offerQuote(command, nonce, randomUUID())));
  await kill(command);
  await rm(`${state}.tmp`, { recursive: true });
  return { state, log: `${state}.log`, quotes };
}

async function statuses(command: RunningCommand, quotes: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const [index, quote] of quotes.entries()) found.push(await statusOf(command, quote, BigInt(index + 10)));
  return found;
}

test.each([{ words: [] }, { words: ['--durable'] }])(
  'a killed sandbox has lost nothing that it has answered, though it was saved before ($words)',
  async ({ words }) => {
    const { state, log, quotes } = await leaveLog(words);
    expect(await readFile(state, 'utf8')).not.toContain(quotes[0]);
    expect((await wholeLines(log)).length).toBeGreaterThan(quotes.length);
    const next = await startListening(['--state', state, ...words]);
    expect(await statuses(next, quotes)).toEqual([200, 200, 200]);
    // A nonce outlives it, too.
    expect(await statusOf(next, quotes[0] ?? '', 3n)).toBe(401);
    await end(next);
    expect(await readdir(join(state, '..'))).toEqual(['state.json']);
  },
);

test('the last line of a log may be torn: its request was not answered', async () => {
  const { state, log, quotes } = await leaveLog();
  const text = await readFile(log, 'utf8');
  const last = text.trimEnd().lastIndexOf('\n');
  expect(text.slice(last)).toContain(quotes[2]);
  await writeFile(log, text.slice(0, last + 200));
  const next = await startListening(['--state', state]);
  expect(await statuses(next, quotes)).toEqual([200, 200, 404]);
  // What follows is not appended to the torn line.
  const fourth = await quoteId(await offerQuote(next, 20n, randomUUID()));
  await kill(next);
  expect(await statusOf(await startListening(['--state', state]), fourth, 21n)).toBe(200);
});

test.each([
  ['garbage in its middle', (lines: string[]) => lines.with(2, 'garbage'), 'line 3 is damaged'],
  ['half a line in its middle', (lines: string[]) => lines.with(2, lines[2]?.slice(0, 50) ?? ''), 'line 3 is damaged'],
  ['a line that is missing', (lines: string[]) => lines.toSpliced(2, 1), 'it continues another state'],
  ['no beginning', (lines: string[]) => lines.slice(1), 'it continues another state'],
])('a log with %s is one clear line; nothing is changed, and without the log it starts', async (_, damage, why) => {
  const { state, log } = await leaveLog();
  const damaged = `${damage(await wholeLines(log)).join('\n')}\n`;
  await writeFile(log, damaged);
  const before = await readFile(state, 'utf8');
  const stderr = await complaint(['--port', '0', '--state', state]);
  expect(stderr).toBe(`partner-sandbox: the log "${log}" cannot be used (${why}): remove it to go on without it\n`);
  expect([await readFile(state, 'utf8'), await readFile(log, 'utf8')]).toEqual([before, damaged]);
  await rm(log);
  await end(await startListening(['--state', state]));
});

test('a log of another state is refused, also beside a snapshot', async () => {
  const [one, other] = [await leaveLog(), await leaveLog()];
  await copyFile(other.log, one.log);
  const refused = `the log "${one.log}" cannot be used (it continues another state): remove it to go on without it`;
  expect(await complaint(['--port', '0', '--state', one.state])).toBe(`partner-sandbox: ${refused}\n`);
  const { log: _, ...snapshot } = JSON.parse(await readFile(one.state, 'utf8'));
  await writeFile(one.state, JSON.stringify(snapshot));
  expect(await complaint(['--port', '0', '--state', one.state])).toBe(`partner-sandbox: ${refused}\n`);
});

test('lines of the log that the state has already do not count again', async () => {
  const state = join(await directory(), 'state.json');
  const command = await startListening(['--state', state]);
  await mkdir(blocker(state), { recursive: true });
  const account = command.fixture('accountId');
  expect((await control(command, 'accounts/deposit', [account, { symbol: 'USD', amount: '10' }])).status).toBe(200);
  const before = await outside(command);
  await kill(command);
  await rm(`${state}.tmp`, { recursive: true });
  // It was killed when the state was saved and its log was not yet written anew.
  await copyFile(`${state}.log`, `${state}.kept`);
  await kill(await startListening(['--state', state]));
  await copyFile(`${state}.kept`, `${state}.log`);
  const next = await startListening(['--state', state]);
  expect(await outside(next)).toEqual(before);
});

async function outside(command: RunningCommand): Promise<unknown> {
  const answer = await fetch(`${command.variable('PARTNER_BASE_URL')}/_sandbox/accounts/books`);
  const { data } = (await answer.json()) as { data: { outside: Record<string, string> } };
  expect(data.outside).toHaveProperty('fiat:USD');
  return data.outside;
}

test('a scenario that ran when the process was killed is undone at the next start, which says so', async () => {
  const state = join(await directory(), 'state.json');
  const command = await startListening(['--state', state, '--still']);
  await mkdir(blocker(state), { recursive: true });
  const price = async (running: RunningCommand): Promise<unknown> => {
    const answer = await fetch(`${running.variable('PARTNER_BASE_URL')}/_sandbox/prices`);
    return ((await answer.json()) as { data: unknown }).data;
  };
  const before = await price(command);
  expect((await control(command, 'scenarios/start', ['price_drop'])).status).toBe(200);
  expect(await price(command)).not.toEqual(before);
  await kill(command);
  await rm(`${state}.tmp`, { recursive: true });
  const next = await startListening(['--state', state, '--still']);
  expect(next.stderr).toMatch(/^partner-sandbox: scenarios of the last run were ended, .*: price_drop\n$/);
  expect(await price(next)).toEqual(before);
});
