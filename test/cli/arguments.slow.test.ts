import { expect, test } from 'vitest';
import { version } from '../../package.json';
import { readArguments } from '../../src/sandbox/cli/arguments.js';
import { complaint, runToEnd } from './support/command.js';

const WRONG: readonly (readonly [words: readonly string[], says: string])[] = [
  [['--prot', '8420'], 'there is no option "--prot": did you mean --port?'],
  [['--stat', 'x.json'], 'there is no option "--stat": did you mean --state?'],
  [['--webhook', 'http://127.0.0.1:1/', '--no-webhook'], '--webhook and --no-webhook exclude each other'],
  [['--quiet', '--verbose'], '--quiet and --verbose exclude each other'],
  [['--otp', 'a b'], '--otp must be 1 to 64 printable ASCII characters'],
  [['-p', '8420'], 'there is no option "-p"'],
  [['--no-json'], 'there is no option "--no-json"'],
  [['--Port', '1'], 'there is no option "--Port"'],
  [['8420'], 'there is no argument "8420"'],
  [['--', '--json'], 'there is no argument "--json"'],
  [['--port'], '--port needs a value, for instance --port 8420'],
  [['--port='], '--port must be a whole number from 0 to 65535 (for instance --port 8420), not ""'],
  [['--port', '65536'], '--port must be'],
  [['--port', '1', '--port', '2'], '--port is given twice'],
  [['--host', ''], '--host must be'],
  [['--host', '127.0.0.1:8420'], '--host must be'],
  [['--seed', '1.5'], '--seed must be a whole number'],
  [['--latency', 'slow'], '--latency must be'],
  [['--latency', '2147483648'], '--latency must be milliseconds from 0 to 2147483647'],
  [['--chaos', '5'], '--chaos must be from 0 to 1'],
  [['--scopes', 'read,write'], '--scopes must be one or more of read, trade, funds, users, webhooks, with commas'],
  [['--quota', '100'], '--quota must be two whole numbers above 0'],
  [['--journal-limit', '100001'], '--journal-limit must be a whole number from 0 to 100000'],
  [['--webhook-backoff', '1000,x'], '--webhook-backoff must be milliseconds from 0 to 2147483647, with commas'],
  [['--idempotency-keys', 'api-key'], '--idempotency-keys must be partner or apiKey'],
  [['--execution-times', 'quote.finish'], '--execution-times must be names of steps with milliseconds'],
  [
    ['--execution-times', 'quote.finsh=1'],
    '--execution-times: quote.finsh is not an option: did you mean quote.finish?',
  ],
  [['--state', ''], '--state must be the name of a file'],
  [['--webhook', '127.0.0.1:3000'], '--webhook must be'],
  [['--webhook', 'https://user:password@example.com/'], '--webhook must be'],
  [['--webhook', `https://example.com/${'x'.repeat(2048)}`], '--webhook must be'],
  [['--json=yes'], '--json takes no value'],
  [['--no-inspect=1'], '--no-inspect takes no value'],
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

test.each<[string[], object]>([
  [['--port=65535'], { port: 65_535 }],
  [['--host', '::1'], { host: '::1' }],
  [['--seed', '-7'], { seed: -7 }],
  [['--latency', '50'], { latency: [50, 50] }],
  [['--latency', '20-80'], { latency: [20, 80] }],
  [['--latency', '0-2147483647'], { latency: [0, 2_147_483_647] }],
  [['--chaos', '1'], { chaos: 1 }],
  [['--otp', '271828', '--quiet', '--no-webhook'], { otp: '271828', quiet: true, 'no-webhook': true }],
  [['--journal-limit', '0'], { 'journal-limit': 0 }],
  [['--state', './a b.json', '--json', '--verbose'], { state: './a b.json', json: true, verbose: true }],
  [['--webhook', 'http://localhost:3000/hooks?a=1'], { webhook: 'http://localhost:3000/hooks?a=1' }],
])('%j is understood', (words, expected) => {
  expect(readArguments(words)).toMatchObject(expected);
});
