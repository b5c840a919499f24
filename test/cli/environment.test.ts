import { describe, expect, test } from 'vitest';
import { environmentName, readArguments } from '../../src/sandbox/cli/arguments.js';
import { FLAGS_BY_NAME } from '../../src/sandbox/cli/flags.js';

const read = (variables: Readonly<Record<string, string>>, words: readonly string[] = []) =>
  readArguments(words, variables);

describe('a variable of the environment', () => {
  test.each<[string, string, object]>([
    ['PARTNER_SANDBOX_PORT', '0', { port: 0 }],
    ['PARTNER_SANDBOX_HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['PARTNER_SANDBOX_SEED', '-7', { seed: -7 }],
    ['PARTNER_SANDBOX_STATE', '/data/state.json', { state: '/data/state.json' }],
    ['PARTNER_SANDBOX_TROUBLE', '{"does": 503}, {"does": 500}', { trouble: [{ does: 503 }, { does: 500 }] }],
    ['PARTNER_SANDBOX_SET', '{"scopes": ["read"]}', { set: { scopes: ['read'] } }],
    ['PARTNER_SANDBOX_ALLOW_HOST', 'sandbox', { 'allow-host': ['sandbox'] }],
    ['PARTNER_SANDBOX_ALLOW_HOST', 'sandbox,sandbox.test', { 'allow-host': ['sandbox', 'sandbox.test'] }],
    ['PARTNER_SANDBOX_STILL', '1', { still: true }],
    ['PARTNER_SANDBOX_STILL', 'TRUE', { still: true }],
    ['PARTNER_SANDBOX_STILL', '0', { still: false }],
    ['PARTNER_SANDBOX_SEED', '', { seed: undefined }],
    ['PARTNER_SANDBOX_ALLOWED_HOSTS', 'sandbox', { 'allow-host': undefined }],
    ['PARTNER_SANDBOX_SERVICE_HOST', '10.0.0.1', { host: '127.0.0.1' }],
  ])('%s=%s is an option', (name, value, expected) => {
    expect(read({ [name]: value })).toMatchObject(expected);
  });

  test.each<[string, string, string]>([
    ['PARTNER_SANDBOX_PORT', 'http', 'PARTNER_SANDBOX_PORT must be a whole number from 0 to 65535'],
    ['PARTNER_SANDBOX_PORT', '65536', '(for example PARTNER_SANDBOX_PORT=8420), not "65536"'],
    ['PARTNER_SANDBOX_ALLOW_HOST', 'a,,b', 'PARTNER_SANDBOX_ALLOW_HOST must be a host name'],
    ['PARTNER_SANDBOX_STILL', 'maybe', 'PARTNER_SANDBOX_STILL must be 1 or 0, or true or false, not "maybe"'],
  ])('%s=%s is refused by its name', (name, value, says) => {
    expect(() => read({ [name]: value })).toThrow(says);
  });

  test('loses against the option', () => {
    const variables = { PARTNER_SANDBOX_PORT: '1', PARTNER_SANDBOX_QUIET: '1', PARTNER_SANDBOX_STILL: '0' };
    const found = read(variables, ['--port', '2', '--verbose', '--still']);
    expect(found).toMatchObject({ port: 2, quiet: false, verbose: true, still: true });
  });

  test('is not looked at where the option stands in its place, even if it is wrong', () => {
    expect(read({ PARTNER_SANDBOX_PORT: 'wrong' }, ['--port', '2'])).toMatchObject({ port: 2 });
  });

  test('that Kubernetes sets for a service named partner-sandbox is none', () => {
    expect(read({ PARTNER_SANDBOX_PORT: 'tcp://10.0.0.1:8420' })).toMatchObject({ port: undefined });
  });

  test('excludes another variable as the options do', () => {
    const both = { PARTNER_SANDBOX_QUIET: '1', PARTNER_SANDBOX_VERBOSE: '1' };
    expect(() => read(both)).toThrow('PARTNER_SANDBOX_QUIET and PARTNER_SANDBOX_VERBOSE cannot be combined');
    expect(read({ ...both, PARTNER_SANDBOX_QUIET: '0' })).toMatchObject({ quiet: false, verbose: true });
  });

  test('exists for every option that a run has', () => {
    for (const [name, flag] of FLAGS_BY_NAME) {
      if (name === 'help' || name === 'version') continue;
      // The example of a JSON object stands in quotation marks for the shell.
      const value = flag.type === 'string' ? flag.example.replaceAll("'", '') : '1';
      const found = read({ [environmentName(name)]: value }) as unknown as Record<string, unknown>;
      const word = readArguments(flag.type === 'string' ? [`--${name}`, value] : [`--${name}`]);
      expect(found[name], name).toEqual((word as unknown as Record<string, unknown>)[name]);
    }
  });
});

test('an option of which there may be several takes all of them', () => {
  const words = ['--allow-host', 'sandbox', '--allow-host=a.test,b.test'];
  expect(readArguments(words)).toMatchObject({ 'allow-host': ['sandbox', 'a.test', 'b.test'] });
});
