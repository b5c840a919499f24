import { expect, test } from 'vitest';
import { version } from '../../package.json';
import { readArguments } from '../../src/sandbox/cli/arguments.js';
import { runToEnd } from './support/command.js';

const WRONG: readonly (readonly [words: readonly string[], says: string])[] = [
  [['--prot', '8420'], 'there is no option "--prot"'],
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
  [['--chaos', '0'], '--chaos must be above 0 and at most 1'],
  [['--chaos', '5'], '--chaos must be'],
  [['--chaos', '5%'], '--chaos must be'],
  [['--chaos', '-0.1'], '--chaos must be'],
  [['--state', ''], '--state must be the name of a file'],
  [['--webhook', '127.0.0.1:3000'], '--webhook must be'],
  [['--webhook', 'ftp://127.0.0.1/'], '--webhook must be'],
  [['--webhook', 'https://user:password@example.com/'], '--webhook must be'],
  [['--webhook', `https://example.com/${'x'.repeat(2048)}`], '--webhook must be'],
  [['--json=yes'], '--json takes no value'],
  [['--verbose', '--json', 'yes'], 'there is no argument "yes"'],
];

test.each(WRONG)(
  '%j is refused with one line that says what to do, before anything is printed',
  async (words, says) => {
    const { code, stdout, stderr } = await runToEnd(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^partner-sandbox: .+\. partner-sandbox --help shows all options\n$/);
    expect(stderr).toContain(says);
  },
);

test('a wrong word cannot forge a line of its own', async () => {
  const { code, stderr } = await runToEnd(['x\nexport PARTNER_BASE_URL=https://evil.example\u001b[2J']);
  expect(code).toBe(2);
  expect(stderr.split('\n')).toHaveLength(2);
  expect(stderr).not.toContain('\u001b');
});

test.each([['--help'], ['-h']])('%s shows every option and ends well', async (word) => {
  const { code, stdout, stderr } = await runToEnd([word]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const name of [
    'port',
    'host',
    'seed',
    'latency',
    'chaos',
    'state',
    'webhook',
    'still',
    'verbose',
    'json',
    'version',
  ]) {
    expect(stdout).toMatch(new RegExp(`^  --${name}\\b`, 'm'));
  }
});

test('--version says the version of the package', async () => {
  expect(await runToEnd(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('without options it is one sandbox for this machine alone', () => {
  const nothing = { port: undefined, seed: undefined, latency: undefined, chaos: undefined };
  const expected = { ...nothing, state: undefined, webhook: undefined, host: '127.0.0.1' };
  expect(readArguments([])).toEqual({ ...expected, still: false, verbose: false, json: false });
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
  [['--still'], { still: true }],
  [['--state', './a b.json', '--json', '--verbose'], { state: './a b.json', json: true, verbose: true }],
  [['--webhook', 'http://localhost:3000/hooks?a=1'], { webhook: 'http://localhost:3000/hooks?a=1' }],
])('%j is understood', (words, expected) => {
  expect(readArguments(words)).toMatchObject(expected);
});
