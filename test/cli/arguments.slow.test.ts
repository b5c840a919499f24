import { expect, test } from 'vitest';
import { version } from '../../package.json';
import { readArguments } from '../../src/sandbox/cli/arguments.js';
import { complaint, runToEnd } from './support/command.js';

const WRONG: readonly (readonly [words: readonly string[], says: string])[] = [
  [['--prot', '8420'], 'there is no option "--prot": did you mean --port?'],
  [['--stat', 'x.json'], 'there is no option "--stat": did you mean --state?'],
  [['--no-webhook'], 'there is no option "--no-webhook": did you mean --webhook?'],
  [['--quiet', '--verbose'], '--quiet and --verbose cannot be combined'],
  [['-p', '8420'], 'there is no option "-p"'],
  [['--no-json'], 'there is no option "--no-json"'],
  [['--Port', '1'], 'there is no option "--Port"'],
  [['8420'], 'there is no argument "8420"'],
  [['--', '--json'], 'there is no argument "--json"'],
  [['--port'], '--port needs a value, for example --port 8420'],
  [['--port='], '--port must be a whole number from 0 to 65535 (for example --port 8420), not ""'],
  [['--port', '65536'], '--port must be'],
  [['--port', '1', '--port', '2'], '--port is given twice'],
  [['--host', ''], '--host must be'],
  [['--host', '127.0.0.1:8420'], '--host must be'],
  [['--seed', '1.5'], '--seed must be a whole number'],
  [['--trouble', 'chaos'], '--trouble must be a JSON object (for example --trouble '],
  [['--trouble', '["chaos"]'], '--trouble must be a JSON object'],
  [['--trouble', '{"does": {"delayMs": -1}}'], '--trouble: troubles.0.does.delayMs must be from 0 to 2147483647'],
  [['--trouble', '{"does": 503}', '--trouble', '{"dose": 500}'], '--trouble: troubles.1.does must be a status'],
  [['--trouble', '{"does": {"outcome": "failed"}}'], '--trouble: troubles: an outcome needs match.operation.'],
  [['--set', '[]'], '--set must be a JSON object'],
  [['--set', '{"qouta": null}'], '--set: there is no setting "qouta": did you mean quota?'],
  [['--set', '{"seed": 5}'], '--set: there is no setting "seed". Known are quota, executionTimes, otp, scopes'],
  [['--set', '{"otp": "a b"}'], '--set: otp must be a string of 1 to 64 printable ASCII characters'],
  [['--set', '{"scopes": ["write"]}'], '--set: scopes.0 must be one of read, trade, funds, users, webhooks'],
  [['--set', '{"quota": {"requests": 100}}'], '--set: quota.perMs is missing'],
  [
    ['--set', '{"executionTimes": {"quote.finsh": 1}}'],
    '--set: executionTimes must not have quote.finsh: did you mean',
  ],
  [['--state', ''], '--state must be the name of a file'],
  [['--webhook', '127.0.0.1:3000'], '--webhook must be'],
  [['--webhook', 'https://user:password@example.com/'], '--webhook must be'],
  [['--webhook', `https://example.com/${'x'.repeat(2048)}`], '--webhook must be'],
  [['--json=yes'], '--json takes no value'],
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
    'port host allow-host tls-key tls-cert seed state fixtures webhook trouble set still quiet verbose json open help version';
  expect([...stdout.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name]) => name)).toEqual(names.split(' '));
});

test('--version says the version of the package', async () => {
  expect(await runToEnd(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each<[string[], object]>([
  [['--port=65535'], { port: 65_535 }],
  [['--host', '::1'], { host: '::1' }],
  [['--seed', '-7'], { seed: -7 }],
  [['--trouble', '{"does": "chaos"}'], { trouble: [{ does: 'chaos' }] }],
  [['--trouble', '{"does": 503}', '--trouble={"does": 500}'], { trouble: [{ does: 503 }, { does: 500 }] }],
  [['--set', '{"otp": "1"}', '--set={"quota": null, "otp": "2"}'], { set: { otp: '2', quota: null } }],
  [['--state', './a b.json', '--json', '--verbose'], { state: './a b.json', json: true, verbose: true }],
  [['--webhook', 'http://localhost:3000/hooks?a=1'], { webhook: 'http://localhost:3000/hooks?a=1' }],
])('%j is understood', (words, expected) => {
  expect(readArguments(words)).toMatchObject(expected);
});
