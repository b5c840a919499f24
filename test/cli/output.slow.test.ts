import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { PartnerClient } from '../../src/index.js';
import { createSandbox } from '../../src/sandbox/index.js';
import { bash } from './support/bash.js';
import { call, offerQuote } from './support/caller.js';
import { control, end, type RunningCommand, start, startListening } from './support/command.js';

/** The lines after the announcement. */
async function log(command: RunningCommand, count: number): Promise<string[]> {
  const logged = (): string[] => command.lines.filter((line) => !/^(#|export )/.test(line));
  await command.until(() => logged().length >= count);
  return logged();
}

/** Sends bytes as they are: what no client library would send. */
async function sendRaw(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(Buffer.from(text, 'latin1'));
  for await (const _ of socket.resume());
}

test('what it prints at the beginning can be given to a shell, and is all that a client needs', async () => {
  const command = await startListening();
  const script = `eval "$1"; printf '%s\\n' "$PARTNER_BASE_URL" "$PARTNER_API_KEY" "$PARTNER_API_SECRET"`;
  const values = execFileSync(...bash('-euc', script, 'bash', command.stdout))
    .toString()
    .trim()
    .split('\n');
  const [baseUrl = '', apiKey = '', apiSecret = ''] = values;
  await using client = new PartnerClient({ baseUrl, apiKey, apiSecret });
  const user = await client.users.get(command.fixture('userId'));
  expect(user.accounts.map(({ id }) => id)).toContain(command.fixture('accountId'));
});

test('it names every fixture, and everything is that of the seed', async () => {
  const command = await startListening(['--seed', '42']);
  await using sandbox = createSandbox({ seed: 42 });
  for (const [name, value] of Object.entries(sandbox.fixtures)) expect(command.lines).toContain(`# ${name} ${value}`);
  expect(command.variable('PARTNER_API_KEY')).toBe(sandbox.credentials.apiKey);
});

test('each request is one line with operation, status, verdict, nonce, key and time', async () => {
  const command = await startListening(['--set', '{"explain": false}']);
  const key = randomUUID();
  await offerQuote(command, 7n, key);
  await offerQuote(command, 8n, key);
  await call(command, { path: '/v1/webhooks', nonce: 8n });
  await fetch(`${command.variable('PARTNER_BASE_URL')}/nowhere`);
  const [accepted, replayed, refused, unknown] = await log(command, 4);
  expect(accepted).toMatch(
    new RegExp(`^[\\d:]{8}\\.\\d{3}Z +accounts\\.quotes\\.create +200 accepted +[\\d.]+ ms +nonce 7 +key ${key}$`),
  );
  expect(replayed).toMatch(new RegExp(` 200 replayed .* nonce 8 +key ${key}$`));
  expect(refused).toMatch(/ webhooks\.list +401 nonce_not_rising .* nonce 8 +key -$/);
  expect(unknown).toMatch(/ GET \/nowhere +401 missing_header .* nonce - +key -$/);
});

test('--verbose also shows method, path and query', async () => {
  const command = await startListening(['--verbose']);
  await call(command, { path: '/v1/webhooks?page_size=3', nonce: 1n });
  const [line] = await log(command, 1);
  expect(line).toMatch(/ webhooks\.list +200 accepted .* GET \/v1\/webhooks\?page_size=3$/);
});

test('a refused request says which rules it breaks, three of them at most', async () => {
  const command = await startListening();
  await call(command, { path: '/v1/webhooks?page_size=0', nonce: 1n });
  await call(command, { path: '/v1/webhooks?a=1&b=2&c=3&d=4&e=5', nonce: 2n });
  const [one, many] = await log(command, 2);
  expect(one).toMatch(/ 400 bad_request .* key - {2}page_size: \S.*$/);
  expect(many).toMatch(/ {2}a: is not a known query parameter; {2}b: .*; {2}c: [^;]*; 2 more$/);
});

test('a 401 says which mistake in signing is likely, unless explain is set to false', async () => {
  const causesOf = async (command: RunningCommand) => {
    const headers = { 'API-Sign': 'A'.repeat(86).concat('==') };
    const answer = await call(command, { path: '/v1/webhooks?page_size=3', nonce: 1n, headers });
    return ((await answer.json()) as { error: { causes?: unknown[] } }).error.causes ?? [];
  };
  const [plain, quiet] = [await startListening(), await startListening(['--set', '{"explain": false}'])];
  expect(await causesOf(plain)).not.toEqual(await causesOf(quiet));
});

test('the log holds no secret, no signature, and without --verbose no id of a path', async () => {
  const command = await startListening();
  await offerQuote(command, 7n, randomUUID());
  const [line] = await log(command, 1);
  expect(line).not.toContain(command.variable('PARTNER_API_SECRET'));
  expect(line).not.toContain(command.variable('PARTNER_API_KEY'));
  expect(line).not.toContain(command.fixture('accountId'));
});

test('with --json every line is an object that says what it is', async () => {
  const command = await startListening(['--json', '--seed', '42']);
  const [{ event, url, credentials, fixtures }] = command.events;
  const sandbox = createSandbox({ seed: 42 });
  const expected = { credentials: sandbox.credentials, fixtures: sandbox.fixtures };
  expect({ event, credentials, fixtures }).toEqual({ event: 'listening', ...expected });
  await sandbox.close();
  await using client = new PartnerClient({ baseUrl: url, ...credentials });
  const { response } = await client.accounts.quotes
    .create(fixtures.accountId, {
      from: { symbol: 'USD', type: 'fiat', amount: '1.00' },
      to: { symbol: 'BTC', type: 'crypto' },
    })
    .withResponse();
  await command.until(({ lines }) => lines.length >= 2);
  expect(command.events[1]).toMatchObject({
    event: 'request',
    operation: 'accounts.quotes.create',
    method: 'POST',
    path: `/v1/accounts/${fixtures.accountId}/quotes`,
    nonce: expect.stringMatching(/^\d{19}$/),
    key: response.idempotencyKey,
    causes: [],
    verdict: 'accepted',
    status: 200,
    at: expect.any(Number),
    ms: expect.any(Number),
  });
  await end(command, 'SIGTERM');
  expect(command.events.at(-1)).toEqual({ event: 'closed', reason: 'SIGTERM' });
});

test.each([[['--verbose']], [['--json']]])(
  'a request can forge no line and send a terminal nothing, with %j',
  async (words) => {
    const command = await startListening(words);
    const url = command.variable('PARTNER_BASE_URL');
    const before = command.lines.length;
    const evil = 'x\u009b2J\u0085\u00ad  200 accepted';
    const head = `GET /v1/webhooks?\u009b31m\u0085 HTTP/1.1\r\nHost: x\r\n`;
    const rest = `API-Nonce: ${evil}\r\nIdempotency-Key: ${evil}\r\nConnection: close\r\n\r\n`;
    await sendRaw(url, `${head}API-Key: a\r\n${rest}`);
    await sendRaw(url, `GET /v1/x HTTP/1.1\r\nHost: x\r\n${rest}`);
    await command.until(({ lines }) => lines.length > before);
    const logged = command.stdout.split('\n').slice(before, -1);
    expect(logged.join('')).toContain('missing_header');
    for (const line of logged) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    // What looks like further columns stands between quotes.
    expect(logged.join('')).toMatch(/"x\\u009b2J\\u0085\\u00ad {2}200 accepted"/);
    await end(command, 'SIGTERM');
    expect(command.lines).toHaveLength(before + logged.length + 1);
  },
);

/** The bytes that colour a status of 200. */
const GREEN = '\u001b[32m200 accepted';

test('colours are for terminals, and for who asks for them', async () => {
  const colourless = await startListening();
  await call(colourless, { path: '/v1/webhooks', nonce: 1n });
  const [plain] = await log(colourless, 1);
  expect(plain).not.toContain('\u001b');
  const colourful = await startListening([], { FORCE_COLOR: '1' });
  await call(colourful, { path: '/v1/webhooks', nonce: 1n });
  const [coloured] = await log(colourful, 1);
  expect(coloured).toContain(GREEN);
});

const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

test.skipIf(!hasTerminals).each<[string, NodeJS.ProcessEnv, boolean]>([
  ['has colours', { TERM: 'xterm' }, true],
  ['has none with NO_COLOR', { TERM: 'xterm', NO_COLOR: '1' }, false],
  ['has none with FORCE_COLOR=0', { TERM: 'xterm', FORCE_COLOR: '0' }, false],
  ['has none if it cannot show them', { TERM: 'dumb' }, false],
])('a terminal %s (needs the command script)', async (_, environment, hasColours) => {
  const [program, words] = bash('-c', 'exec script -qec "$*" /dev/null', 'bash');
  const terminal = start(['--port', '0'], environment, [program, ...words]);
  await terminal.until(({ stdout }) => stdout.includes('listens on'));
  const [, url = ''] = /listens on (\S+)/.exec(terminal.stdout) ?? [];
  await fetch(`${url}/nowhere`);
  await terminal.until(({ stdout }) => stdout.includes('missing_header'));
  expect(terminal.stdout.includes('\u001b[33m401 missing_header')).toBe(hasColours);
});

test('--quiet tells the first lines and the last', async () => {
  const command = await startListening(['--quiet']);
  const before = command.lines.length;
  await call(command, { path: '/v1/webhooks', nonce: 1n });
  await end(command, 'SIGTERM');
  expect(command.lines.slice(before)).toEqual(['# stopped: SIGTERM']);
});

test('--quiet with --json tells a worker in one line what its client needs, and at the end one more', async () => {
  const command = await startListening(['--quiet', '--json']);
  const [{ url, credentials, fixtures, ...others }] = command.events;
  expect(others).toEqual({ event: 'listening', inspector: `${url}/_sandbox/` });
  await call(command, { path: `/v1/accounts/${fixtures.accountId}/portfolio/details`, nonce: 1n });
  const keys = await (await fetch(`${url}/_sandbox/keys`)).json();
  expect(keys).toMatchObject({ data: [{ apiKey: credentials.apiKey, requests: 1 }] });
  await end(command, 'SIGTERM');
  expect(command.events.slice(1)).toEqual([{ event: 'closed', reason: 'SIGTERM' }]);
});

test('--set has options of a program', async () => {
  const command = await startListening(['--set', '{"otp": "271828", "enforceUserStatus": true}']);
  expect(command.fixture('otp')).toBe('271828');
  await control(command, 'users/setStatus', [command.fixture('userId'), { state: 'blocked' }]);
  const path = `/v1/accounts/${command.fixture('accountId')}/portfolio/details`;
  expect((await call(command, { path, nonce: 1n })).status).toBe(403);
});

test('--trouble spoils requests', async () => {
  const command = await startListening(['--trouble', '{"does": "chaos"}']);
  const calls = [1n, 2n, 3n, 4n, 5n].map((nonce) => call(command, { path: '/v1/webhooks', nonce }));
  const settled = Promise.allSettled(calls);
  for (const line of await log(command, calls.length)) expect(line).toMatch(/ fault_(before|after):\w+ /);
  // Some wait for an answer that will never come.
  command.kill('SIGTERM');
  await settled;
});
