import { expect, test } from 'vitest';
import { version } from '../../package.json';
import { readArguments } from '../../src/sandbox/cli/arguments.js';
import { complaint, runToEnd } from './support/command.js';

const WRONG: readonly (readonly [words: readonly string[], says: string])[] = [
  [['--prot', '8420'], 'there is no option "--prot": did you mean --port?'],
  [['--stat', 'x.json'], 'there is no option "--stat": did you mean --state?'],
  [['--zzz'], 'there is no option "--zzz".'],
  [['--webhook', 'http://127.0.0.1:1/', '--no-webhook'], '--webhook and --no-webhook exclude each other'],
  [['--quiet', '--verbose'], '--quiet and --verbose exclude each other'],
  [['--otp', 'a b'], '--otp must be 1 to 64 printable ASCII characters'],
  [['-p', '8420'], 'there is no option "-p"'],
  [['--no-json'], 'there is no option "--no-json"'],
  [['--Port', '1'], 'there is no option "--Port"'],
  [['8420'], 'there is no argument "8420"'],
  [['--', '--json'], 'there is no argument "--json"'],
  [['--port'], '--port needs a value, for instance --port 8420'],
  [['--port', '--json'], '--port needs a value'],
  [['--port='], '--port must be a whole number from 0 to 65535 (for instance --port 8420), not ""'],
  [['--port', 'http'], '--port must be'],
  [['--port', '65536'], '--port must be'],
  [['--port', '-1'], '--port must be'],
  [['--port', '80.5'], '--port must be'],
  [['--port', '1e3'], '--port must be'],
  [['--port', '1', '--port', '2'], '--port is given twice'],
  [['--host', ''], '--host must be'],
  [['--host', 'http://127.0.0.1'], '--host must be'],
  [['--host', '127.0.0.1:8420'], '--host must be'],
  [['--seed', '1.5'], '--seed must be a whole number'],
  [['--seed', '9007199254740993'], '--seed must be'],
  [['--latency', 'slow'], '--latency must be'],
  [['--latency', '80-20'], '--latency must be'],
  [['--latency', '-5'], '--latency must be'],
  [['--latency', '2147483648'], '--latency must be milliseconds from 0 to 2147483647'],
  [['--chaos', '5'], '--chaos must be from 0 to 1'],
  [['--chaos', '5%'], '--chaos must be'],
  [['--chaos', '-0.1'], '--chaos must be'],
  [['--scopes', 'read,write'], '--scopes must be one or more of read, trade, funds, users, webhooks, with commas'],
  [['--quota', '100'], '--quota must be two whole numbers above 0'],
  [['--quota', '0/60'], '--quota must be'],
  [['--quota', '1/2/3'], '--quota must be'],
  [['--journal-limit', '100001'], '--journal-limit must be a whole number from 0 to 100000'],
  [['--webhook-backoff', '1000,x'], '--webhook-backoff must be milliseconds from 0 to 2147483647, with commas'],
  [['--idempotency-keys', 'api-key'], '--idempotency-keys must be partner or apiKey'],
  [['--latnecy', '5'], 'did you mean --latency?'],
  [['--execution-times', 'quote.finish'], '--execution-times must be names of steps with milliseconds'],
  [['--execution-times', 'quote.finish=1,'], '--execution-times must be'],
  [
    ['--execution-times', 'quote.finsh=1'],
    '--execution-times: quote.finsh is not an option: did you mean quote.finish?',
  ],
  [['--state', ''], '--state must be the name of a file'],
  [['--webhook', '127.0.0.1:3000'], '--webhook must be'],
  [['--webhook', 'ftp://127.0.0.1/'], '--webhook must be'],
  [['--webhook', 'https://user:password@example.com/'], '--webhook must be'],
  [['--webhook', `https://example.com/${'x'.repeat(2048)}`], '--webhook must be'],
  [['--json=yes'], '--json takes no value'],
  [['--no-inspect=1'], '--no-inspect takes no value'],
  [['--no-inspcet'], 'did you mean --no-inspect?'],
  [['--no-still'], 'there is no option "--no-still"'],
  [['--allow-host', 'http://sandbox'], '--allow-host must be a host name, without scheme and port'],
  [['--verbose', '--json', 'yes'], 'there is no argument "yes"'],
];

test.each(WRONG)(
  '%j is refused with one line that says what to do, before anything is printed',
  async (words, says) => {
    const stderr = await complaint(words, 2);
    const told = words.includes('--json') ? `partner-sandbox: ${JSON.parse(stderr).message}\n` : stderr;
    expect(told).toMatch(/^partner-sandbox: .+[.?] partner-sandbox --help shows all options\n$/);
    expect(told).toContain(says);
  },
);

test('a wrong word cannot forge a line of its own', async () => {
  const stderr = await complaint(['x\nexport PARTNER_BASE_URL=https://evil.example\u001b[2J'], 2);
  expect(stderr.split('\n')).toHaveLength(2);
  expect(stderr).not.toContain('\u001b');
});

test('with --json a wrong option is told as JSON, too', async () => {
  const message = expect.stringContaining('did you mean --port?');
  expect(JSON.parse(await complaint(['--json', '--prot', '1'], 2))).toEqual({ event: 'error', message, exitCode: 2 });
});

test.each([['--help'], ['-h']])('%s shows every option and ends well', async (word) => {
  const { code, stdout, stderr } = await runToEnd([word]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const names =
    'port host seed latency chaos state webhook no-webhook journal-limit otp idempotency-keys enforce-user-status quiet still verbose json version tls-key tls-cert allow-host open no-inspector no-inspect no-explain';
  for (const name of names.split(' ')) expect(stdout).toMatch(new RegExp(`^  --${name}\\b`, 'm'));
});

test('--version says the version of the package', async () => {
  expect(await runToEnd(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('without options it is one sandbox for this machine alone', () => {
  const nothing = { port: undefined, seed: undefined, latency: undefined, chaos: undefined };
  const expected = { ...nothing, state: undefined, webhook: undefined, otp: undefined, host: '127.0.0.1' };
  const off = {
    still: false,
    verbose: false,
    json: false,
    quiet: false,
    'no-webhook': false,
    'enforce-user-status': false,
    open: false,
  };
  const asked = { help: false, version: false };
  expect(readArguments([])).toEqual({ ...expected, ...off, inspect: true, inspector: true, explain: true, ...asked });
});

test.each<[string[], object]>([
  [['--port', '0'], { port: 0 }],
  [['--port=65535'], { port: 65_535 }],
  [['--host', '::1'], { host: '::1' }],
  [['--host', 'localhost'], { host: 'localhost' }],
  [['--seed', '-7'], { seed: -7 }],
  [['--latency', '50'], { latency: [50, 50] }],
  [['--latency', '20-80'], { latency: [20, 80] }],
  [['--latency', '0-2147483647'], { latency: [0, 2_147_483_647] }],
  [['--chaos', '0.05'], { chaos: 0.05 }],
  [['--chaos', '1'], { chaos: 1 }],
  [['--chaos', '0'], { chaos: 0 }],
  [['--otp', '271828', '--quiet', '--no-webhook'], { otp: '271828', quiet: true, 'no-webhook': true }],
  [['--enforce-user-status'], { 'enforce-user-status': true }],
  [['--idempotency-keys', 'apiKey'], { 'idempotency-keys': 'apiKey' }],
  [['--still'], { still: true }],
  [['--journal-limit', '100000'], { 'journal-limit': 100_000 }],
  [['--journal-limit', '0'], { 'journal-limit': 0 }],
  [['--state', './a b.json', '--json', '--verbose'], { state: './a b.json', json: true, verbose: true }],
  [['--webhook', 'http://localhost:3000/hooks?a=1'], { webhook: 'http://localhost:3000/hooks?a=1' }],
])('%j is understood', (words, expected) => {
  expect(readArguments(words)).toMatchObject(expected);
});
